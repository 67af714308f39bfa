package io.penstock.config;

/**
 * What outlives a job.
 *
 * @param dir where it lies; below the user's home folder if relative
 */
public record HistorySettings(String dir) {
  static HistorySettings from(SettingsReader reader) {
    return new HistorySettings(reader.get(Known.HISTORY_DIR));
  }
}
