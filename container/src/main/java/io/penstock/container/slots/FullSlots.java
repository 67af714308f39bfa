package io.penstock.container.slots;

import java.util.Optional;

/** Filled slots in the order of their steps. */
public interface FullSlots {
  /**
   * The next one, or empty at the end; waits for it.
   *
   * @throws io.penstock.lifecycle.ClosedException after {@link #stop}
   */
  Optional<FullSlot> take();

  /** Ends a {@link #take} that waits now or later. Called by any thread; must not block. */
  void stop();

  /** A filled slot, which is free again when it is closed. */
  interface FullSlot extends AutoCloseable {
    Slot slot();

    @Override
    void close();
  }
}
