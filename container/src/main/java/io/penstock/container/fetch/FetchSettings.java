package io.penstock.container.fetch;

import java.time.Duration;
import java.util.Objects;

/**
 * How storage is read.
 *
 * @param threads fetches that run at the same time
 * @param deadline how long one try of a fetch may take
 * @param attempts tries of a fetch before it fails
 * @param backoff wait before the second try; doubled before each further one
 * @param mergeGap greatest number of unwanted bytes between two ranges that are read as one
 * @param maxRead bytes of one read and of one buffer of merged ranges
 */
public record FetchSettings(
    int threads, Duration deadline, int attempts, Duration backoff, int mergeGap, int maxRead) {
  /** What holds where nothing is set. */
  public static final FetchSettings DEFAULT =
      new FetchSettings(4, Duration.ofSeconds(30), 4, Duration.ofSeconds(1), 256 << 10, 32 << 20);

  public FetchSettings {
    Objects.requireNonNull(deadline, "deadline");
    Objects.requireNonNull(backoff, "backoff");
    require(threads >= 1, "must be >= 1: threads=" + threads);
    require(!deadline.isNegative() && !deadline.isZero(), "must be > 0: deadline=" + deadline);
    require(attempts >= 1, "must be >= 1: attempts=" + attempts);
    require(!backoff.isNegative(), "must be >= 0: backoff=" + backoff);
    require(mergeGap >= 0, "must be >= 0: mergeGap=" + mergeGap);
    require(maxRead >= 1, "must be >= 1: maxRead=" + maxRead);
  }

  /** How long an interrupted try may take to notice before its thread is given up. */
  Duration grace() {
    return deadline.dividedBy(4);
  }

  /** How long all tries of one fetch can take, waits between them included. */
  Duration overall() {
    Duration sum = deadline.plus(grace()).multipliedBy(attempts);
    for (int attempt = 1; attempt < attempts; attempt++) {
      sum = sum.plus(pauseAfter(attempt));
    }
    return sum;
  }

  /** The wait after try number {@code attempt}, counted from 1. */
  Duration pauseAfter(int attempt) {
    return backoff.multipliedBy(1L << Math.min(attempt - 1, 6));
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
