package io.penstock.config;

import java.time.Duration;

/**
 * How row groups are loaded.
 *
 * @param workers threads that decode and transform; 0: as many as the container has vcores
 * @param queue loaded pieces that wait for the merge, per worker
 * @param readAhead pieces admitted, and so fetched, beyond those in work
 * @param memoryBytes budget for pieces in work and windows; 0: what the heap leaves
 * @param workTimeout how long the work on one piece may take, storage's tries included
 */
public record LoadSettings(
    int workers, int queue, int readAhead, long memoryBytes, Duration workTimeout) {
  static LoadSettings from(SettingsReader reader) {
    return new LoadSettings(
        reader.get(Known.LOAD_WORKERS),
        reader.get(Known.LOAD_QUEUE),
        reader.get(Known.LOAD_READ_AHEAD),
        reader.get(Known.LOAD_MEMORY),
        reader.get(Known.LOAD_WORK_TIMEOUT));
  }

  /** Worker threads in a container of so many vcores. */
  public int workersOn(int vcores) {
    return workers == 0 ? vcores : workers;
  }
}
