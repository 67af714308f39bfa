package io.penstock.config;

import java.time.Duration;

/**
 * How batches are filled.
 *
 * @param workers threads that gather rows; 0: as many as the container has vcores
 * @param slots batches in memory at a time
 * @param workTimeout how long filling one batch may take
 * @param valuesDigest whether the digest of what is delivered is computed; that of the order always
 *     is
 */
public record BatchSettings(
    int workers, int slots, Duration workTimeout, ValuesDigest valuesDigest) {
  /** Whether the digest of what is delivered is computed. */
  public enum ValuesDigest {
    ON,
    OFF
  }

  static BatchSettings from(SettingsReader reader) {
    return new BatchSettings(
        reader.get(Known.BATCH_WORKERS),
        reader.get(Known.BATCH_SLOTS),
        reader.get(Known.BATCH_WORK_TIMEOUT),
        reader.get(Known.BATCH_VALUES_DIGEST));
  }

  /** Worker threads in a container of so many vcores. */
  public int workersOn(int vcores) {
    return workers == 0 ? vcores : workers;
  }
}
