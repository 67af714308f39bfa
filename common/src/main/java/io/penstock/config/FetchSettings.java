package io.penstock.config;

import java.time.Duration;

/**
 * How column chunks are read from storage.
 *
 * @param threads reads at a time
 * @param tryTimeout how long one try at a row group may take before it is interrupted
 * @param tries how many tries a row group gets
 * @param backoff pause before the second try; it doubles with each further one
 * @param maxBackoff the longest pause between tries
 * @param mergeGapBytes the widest gap between two chunks that one read takes along
 * @param readBytes the most that one positioned read asks for
 */
public record FetchSettings(
    int threads,
    Duration tryTimeout,
    int tries,
    Duration backoff,
    Duration maxBackoff,
    int mergeGapBytes,
    int readBytes) {
  static FetchSettings from(SettingsReader reader) {
    return new FetchSettings(
        reader.get(Known.FETCH_THREADS),
        reader.get(Known.FETCH_TRY_TIMEOUT),
        reader.get(Known.FETCH_TRIES),
        reader.get(Known.FETCH_BACKOFF),
        reader.get(Known.FETCH_MAX_BACKOFF),
        Math.toIntExact(reader.get(Known.FETCH_MERGE_GAP)),
        Math.toIntExact(reader.get(Known.FETCH_READ_SIZE)));
  }
}
