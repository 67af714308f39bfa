package io.penstock.lifecycle;

import java.time.Duration;

/**
 * Pauses between tries of what must succeed in the end: each is twice as long as the one before it,
 * up to a longest. Belongs to the thread that tries.
 */
public final class Backoff {
  private final Duration first;
  private final Duration longest;
  private Duration pause = Duration.ZERO;

  public Backoff(Duration first, Duration longest) {
    if (first.isZero() || first.isNegative() || first.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "must be > 0 and <= longest: first=" + first + " longest=" + longest);
    }
    this.first = first;
    this.longest = longest;
  }

  /** A try failed; returns how long to pause before the next. */
  public Duration failed() {
    Duration twice = pause.multipliedBy(2);
    pause = pause.isZero() ? first : twice.compareTo(longest) > 0 ? longest : twice;
    return pause;
  }

  /** A try succeeded: pauses begin anew. */
  public void succeeded() {
    pause = Duration.ZERO;
  }

  /** Whether the last try failed. */
  public boolean isFailing() {
    return !pause.isZero();
  }
}
