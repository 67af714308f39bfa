package io.penstock.container.ordered;

import io.penstock.lifecycle.ClosedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An amount of memory that is shared out first come, first served: who asks for more than is free
 * waits for all earlier ones to give back, and later ones wait behind it, so nobody starves.
 */
public final class Budget implements AutoCloseable {
  private final String unit;
  private final long capacity;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by lock.
  private final Deque<Object> waiting = new ArrayDeque<>();
  private long used;
  private long mostUsed;
  private boolean closed;

  private Budget(String unit, long capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("must be > 0: budget=" + capacity + " " + unit);
    }
    this.unit = unit;
    this.capacity = capacity;
  }

  /** A budget of so many bytes. */
  public static Budget ofBytes(long capacity) {
    return new Budget("bytes", capacity);
  }

  /** A budget of so many places for one result each. */
  public static Budget ofSlots(int capacity) {
    return new Budget("slots", capacity);
  }

  /**
   * Waits until all who asked before have got theirs and {@code amount} is free, and takes it.
   *
   * @param amount in the budget's unit, &gt;= 0
   * @param holder who asks, for messages
   * @throws IllegalArgumentException if the whole budget is smaller
   * @throws ClosedException if the budget is closed
   */
  public Reservation reserve(long amount, Object holder) {
    Objects.requireNonNull(holder, "holder");
    if (amount < 0 || amount > capacity) {
      throw new IllegalArgumentException(
          "must be >= 0 and <= the whole budget of "
              + capacity
              + " "
              + unit
              + ": "
              + amount
              + " "
              + unit
              + " for "
              + holder);
    }
    Object turn = new Object();
    lock.lock();
    try {
      waiting.add(turn);
      try {
        while (!closed && (waiting.peek() != turn || amount > capacity - used)) {
          changed.awaitUninterruptibly();
        }
        if (closed) {
          throw new ClosedException("the budget was closed before it could give to " + holder);
        }
        used += amount;
        mostUsed = Math.max(mostUsed, used);
        return new Held(amount);
      } finally {
        waiting.remove(turn);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What is held now. */
  public long used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /** The most that was ever held at one time. */
  public long mostUsed() {
    lock.lock();
    try {
      return mostUsed;
    } finally {
      lock.unlock();
    }
  }

  public long capacity() {
    return capacity;
  }

  /** Ends all waits; what is held can still be given back. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private final class Held implements Reservation {
    private long amount; // guarded by lock

    Held(long amount) {
      this.amount = amount;
    }

    @Override
    public void shrinkTo(long to) {
      lock.lock();
      try {
        if (to < 0 || to > amount) {
          throw new IllegalArgumentException(
              "must be >= 0 and <= the " + amount + " " + unit + " held: " + to);
        }
        used -= amount - to;
        amount = to;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public long amount() {
      lock.lock();
      try {
        return amount;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      shrinkTo(0);
    }
  }
}
