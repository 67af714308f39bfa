package io.penstock.lifecycle;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/** A point in time until which a wait may last. */
public final class Deadline {
  private final Clock clock;
  private final Duration duration;
  private final long at;

  private Deadline(Clock clock, Duration duration) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.duration = duration;
    this.at = clock.nanoTime() + duration.toNanos();
  }

  /**
   * The time that is {@code duration} from now on.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static Deadline after(Duration duration, Clock clock) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("must be >= 0: deadline=" + duration);
    }
    return new Deadline(clock, duration);
  }

  /** Nanoseconds that are left, 0 once it has passed. */
  public long nanosLeft() {
    return Math.max(0, at - clock.nanoTime());
  }

  public boolean passed() {
    return nanosLeft() == 0;
  }

  /**
   * Waits for one signal of {@code condition}; callers check what they wait for in a loop.
   *
   * @param lock the lock that {@code condition} belongs to, held by the caller
   * @param what what is waited for, in words that follow "waited 5 s for"
   * @throws DeadlineException if the deadline has passed
   */
  public void await(Lock lock, Condition condition, Supplier<String> what) {
    if (passed()) {
      throw exceeded(what.get());
    }
    clock.await(lock, condition, at);
  }

  /** The failure of a wait that lasted until now: {@code waited 5 s for <what>}. */
  public DeadlineException exceeded(String what) {
    return new DeadlineException("waited " + text(duration) + " for " + what);
  }

  private static String text(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }
}
