package io.penstock.container.device;

import io.penstock.container.slots.Slot;
import io.penstock.container.slots.SlotLayout;
import java.nio.ByteBuffer;

/** Something that batches are copied to. Used by one thread, except for {@link Copy#await}. */
public interface Device extends AutoCloseable {
  /** For people: {@code host:0}. */
  String name();

  /** Makes a buffer for one batch. */
  Buffer allocate(SlotLayout layout);

  /** Starts copying a slot; the slot may not be written before the copy is done. */
  Copy start(Slot from, Buffer to);

  @Override
  void close();

  /** Memory on the device for one batch. */
  interface Buffer {
    SlotLayout layout();

    /** The bytes as the host can read them, little-endian, read-only. */
    ByteBuffer host();
  }

  /** A copy in progress. */
  interface Copy {
    /** Returns when the copy is done, or throws what it failed with. */
    void await();
  }
}
