package io.penstock.container.device;

import io.penstock.container.slots.Slot;
import io.penstock.container.slots.SlotLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The twin of a GPU in host memory: a copy is done when it has been started. */
public final class HostMemoryDevice implements Device {
  private final int ordinal;

  /**
   * @param ordinal the ordinal that this container claimed on its host
   */
  public HostMemoryDevice(int ordinal) {
    this.ordinal = ordinal;
  }

  @Override
  public String name() {
    return "host:" + ordinal;
  }

  @Override
  public Buffer allocate(SlotLayout layout) {
    return new HostBuffer(layout, ByteBuffer.allocateDirect(layout.bytes()));
  }

  @Override
  public Copy start(Slot from, Buffer to) {
    HostBuffer buffer = (HostBuffer) to;
    buffer.memory.put(0, from.memory(), 0, from.layout().bytes());
    return () -> {};
  }

  @Override
  public void close() {}

  private record HostBuffer(SlotLayout layout, ByteBuffer memory) implements Buffer {
    @Override
    public ByteBuffer host() {
      return memory.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
