package io.penstock.config;

import java.util.List;

/**
 * How decoded row groups are kept on local disks.
 *
 * @param use whether there is a cache
 * @param dirs folders on this host; a rank uses one of them
 * @param quotaBytes what a rank's cache may take on disk
 * @param recordBytes largest record
 * @param memoryBytes memory of the store's own index
 * @param maxDiskShare share of a file system that may be full before nothing more is written
 */
public record CacheSettings(
    Use use,
    List<String> dirs,
    long quotaBytes,
    int recordBytes,
    long memoryBytes,
    double maxDiskShare) {
  /** Whether there is a cache. */
  public enum Use {
    ON,
    OFF
  }

  public CacheSettings {
    dirs = List.copyOf(dirs);
  }

  static CacheSettings from(SettingsReader reader) {
    return new CacheSettings(
        reader.get(Known.CACHE_ENABLED) ? Use.ON : Use.OFF,
        reader.get(Known.CACHE_DIRS),
        reader.get(Known.CACHE_QUOTA),
        Math.toIntExact(reader.get(Known.CACHE_RECORD_SIZE)),
        reader.get(Known.CACHE_MEMORY),
        reader.get(Known.CACHE_MAX_DISK_SHARE));
  }
}
