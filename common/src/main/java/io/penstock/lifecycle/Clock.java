package io.penstock.lifecycle;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Where time comes from. Components take one in their constructor, so that tests can move time
 * ({@link TestingClock}) instead of waiting for it.
 */
public interface Clock {
  /** Nanoseconds since an arbitrary origin; only differences mean something. */
  long nanoTime();

  /** Milliseconds since 1970 in UTC, for what people and other machines read. */
  long currentTimeMillis();

  /**
   * Waits until {@code condition} is signalled or {@link #nanoTime()} has reached {@code until};
   * may also return without a reason, so callers check in a loop. An interrupt does not end the
   * wait; the thread's interrupt status is kept.
   *
   * @param lock the lock that {@code condition} belongs to, held by the caller
   */
  void await(Lock lock, Condition condition, long until);
}
