package io.penstock.container.trainer;

import io.penstock.container.device.Device;
import io.penstock.container.slots.SlotLayout;
import io.penstock.container.slots.StepRecord;
import io.penstock.model.TensorSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * This rank's share of one global batch. It is the step's until {@link TrainingStep#step} returns;
 * its memory is used again after that.
 */
public final class Batch {
  private final Device.Buffer buffer;
  private final StepRecord record;

  Batch(Device.Buffer buffer, StepRecord record) {
    this.buffer = buffer;
    this.record = record;
  }

  public long epoch() {
    return record.epoch();
  }

  /** Step within the epoch. */
  public long step() {
    return record.step();
  }

  /** Rows of this rank's share, padding included. */
  public int rows() {
    return record.rows();
  }

  /** Position of the first row in the epoch; the others follow it. */
  public long firstPosition() {
    return record.firstPosition();
  }

  /** Element type and shape of a tensor, or of {@code valid}, {@code row}, {@code position}. */
  public TensorSpec spec(String tensor) {
    SlotLayout layout = buffer.layout();
    return layout.parts().get(layout.indexOf(tensor));
  }

  /**
   * The numbers of a tensor, or of {@code valid}, {@code row}, {@code position}: {@code [rows, item
   * shape]}, row-major, little-endian, read-only.
   */
  public ByteBuffer tensor(String tensor) {
    SlotLayout layout = buffer.layout();
    int part = layout.indexOf(tensor);
    return buffer
        .host()
        .slice(layout.offset(part), layout.length(part))
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
