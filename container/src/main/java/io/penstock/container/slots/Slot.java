package io.penstock.container.slots;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory for one batch of a rank: direct, so that a device can copy from it. Written by one filling
 * worker at a time, and handed on through the ordered stage.
 */
public final class Slot {
  private final SlotLayout layout;
  private final ByteBuffer memory;
  private StepRecord record;

  Slot(SlotLayout layout) {
    this.layout = layout;
    this.memory =
        ByteBuffer.allocateDirect(layout.bytes() + SlotLayout.ALIGNMENT)
            .alignedSlice(SlotLayout.ALIGNMENT)
            .order(ByteOrder.LITTLE_ENDIAN);
  }

  public SlotLayout layout() {
    return layout;
  }

  /** The whole slot, little-endian; use absolute access only. */
  public ByteBuffer memory() {
    return memory;
  }

  /** What was filled in last. */
  public StepRecord record() {
    return record;
  }

  /** Says what is filled in now. */
  public void stamp(StepRecord filled) {
    this.record = filled;
  }
}
