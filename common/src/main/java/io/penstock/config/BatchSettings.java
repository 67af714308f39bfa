package io.penstock.config;

import java.time.Duration;

/**
 * How batches are filled.
 *
 * @param workers threads that gather rows; 0: as many as the container has vcores
 * @param slots batches in memory at a time
 * @param workTimeout how long filling one batch may take
 */
public record BatchSettings(int workers, int slots, Duration workTimeout) {
  static BatchSettings from(SettingsReader reader) {
    return new BatchSettings(
        reader.get(Known.BATCH_WORKERS),
        reader.get(Known.BATCH_SLOTS),
        reader.get(Known.BATCH_WORK_TIMEOUT));
  }

  /** Worker threads in a container of so many vcores. */
  public int workersOn(int vcores) {
    return workers == 0 ? vcores : workers;
  }
}
