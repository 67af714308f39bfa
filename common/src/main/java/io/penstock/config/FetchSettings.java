package io.penstock.config;

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

  static FetchSettings from(SettingsReader reader) {
    return new FetchSettings(
        reader.get(Known.FETCH_THREADS),
        reader.get(Known.FETCH_DEADLINE),
        reader.get(Known.FETCH_ATTEMPTS),
        reader.get(Known.FETCH_BACKOFF),
        Math.toIntExact(reader.get(Known.FETCH_MERGE_GAP)),
        Math.toIntExact(reader.get(Known.FETCH_MAX_READ)));
  }

  /** How long an interrupted try may take to notice before its thread is given up. */
  public Duration grace() {
    return deadline.dividedBy(4);
  }

  /** The wait after try number {@code attempt}, counted from 1; it doubles up to 64 times. */
  public Duration pauseAfter(int attempt) {
    return backoff.multipliedBy(1L << Math.min(attempt - 1, 6));
  }

  /** How long all tries of one fetch can take, waits between them included. */
  public Duration overall() {
    Duration sum = deadline.plus(grace()).multipliedBy(attempts);
    for (int attempt = 1; attempt < attempts; attempt++) {
      sum = sum.plus(pauseAfter(attempt));
    }
    return sum;
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
