package io.penstock.container.slots;

import io.penstock.lifecycle.ClosedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A fixed number of slots that are filled, used and given back again and again. */
public final class SlotRing {
  private final SlotLayout layout;
  private final int size;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by lock.
  private final Deque<Slot> free = new ArrayDeque<>();
  private boolean stopped;

  /**
   * Allocates the memory of all slots.
   *
   * @param size how many slots, &gt;= 1
   */
  public SlotRing(SlotLayout layout, int size) {
    if (size < 1) {
      throw new IllegalArgumentException("must be >= 1: slots=" + size);
    }
    this.layout = layout;
    this.size = size;
    for (int i = 0; i < size; i++) {
      free.add(new Slot(layout));
    }
  }

  public SlotLayout layout() {
    return layout;
  }

  public int size() {
    return size;
  }

  /**
   * Takes a free slot; waits for the consumer to give one back, without a deadline.
   *
   * @throws ClosedException after {@link #stop}
   */
  public Slot acquire() {
    lock.lock();
    try {
      while (free.isEmpty() && !stopped) {
        changed.awaitUninterruptibly();
      }
      if (stopped) {
        throw new ClosedException("the ring of slots was stopped");
      }
      return free.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Gives a slot back. */
  public void release(Slot slot) {
    lock.lock();
    try {
      free.add(slot);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits, now and later. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
