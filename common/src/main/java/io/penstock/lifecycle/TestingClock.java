package io.penstock.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A clock that stands still until it is told to move; whoever waits for a time that has come then
 * wakes. For tests of every module.
 */
public final class TestingClock implements Clock {
  private record Waiter(Lock lock, Condition condition) {}

  private final List<Waiter> waiters = new ArrayList<>();
  private long nanos;

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  @Override
  public synchronized long currentTimeMillis() {
    return nanos / 1_000_000;
  }

  @Override
  public void await(Lock lock, Condition condition, long until) {
    Waiter waiter = new Waiter(lock, condition);
    synchronized (this) {
      if (until - nanos <= 0) {
        return;
      }
      waiters.add(waiter);
      notifyAll();
    }
    // The caller still holds the lock, which advance() needs in order to signal: no wake-up is
    // lost.
    try {
      condition.awaitUninterruptibly();
    } finally {
      synchronized (this) {
        waiters.remove(waiter);
      }
    }
  }

  /** Moves time on and wakes all who wait, so that they look at it again. */
  public void advance(Duration by) {
    List<Waiter> woken;
    synchronized (this) {
      nanos += by.toNanos();
      woken = List.copyOf(waiters);
    }
    for (Waiter waiter : woken) {
      waiter.lock().lock();
      try {
        waiter.condition().signalAll();
      } finally {
        waiter.lock().unlock();
      }
    }
  }

  /** Blocks until {@code count} threads or more wait for this clock. */
  public synchronized void awaitWaiters(int count) throws InterruptedException {
    while (waiters.size() < count) {
      wait();
    }
  }
}
