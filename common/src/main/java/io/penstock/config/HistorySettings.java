package io.penstock.config;

import java.time.Duration;

/**
 * What outlives a job.
 *
 * @param dir where it lies; below the user's home folder if relative
 * @param retention how long a job's history is kept after its last change
 * @param blockSteps steps of a block, whose certificate sums are kept apart, &gt;= 1
 * @param timeout how long a commit, or the end of a process, waits for history to be written
 */
public record HistorySettings(String dir, Duration retention, int blockSteps, Duration timeout) {
  static HistorySettings from(SettingsReader reader) {
    return new HistorySettings(
        reader.get(Known.HISTORY_DIR),
        reader.get(Known.HISTORY_RETENTION),
        reader.get(Known.HISTORY_BLOCK_STEPS),
        reader.get(Known.HISTORY_TIMEOUT));
  }
}
