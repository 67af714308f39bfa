package io.penstock.lifecycle;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The machine's clock. */
public enum SystemClock implements Clock {
  INSTANCE;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long currentTimeMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public void await(Lock lock, Condition condition, long until) {
    boolean interrupted = false;
    try {
      for (long left = until - nanoTime(); left > 0; left = until - nanoTime()) {
        try {
          condition.awaitNanos(left);
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
