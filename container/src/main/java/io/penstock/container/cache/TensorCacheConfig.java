package io.penstock.container.cache;

/**
 * How a {@link TensorCache} is kept.
 *
 * @param quotaBytes what the folder may take on disk
 * @param recordBytes largest value of one record that is written
 * @param memoryBytes memory of JE's own cache, which holds the B-trees alone
 * @param maxDiskShare share of the file system that may be full before nothing more is written;
 *     YARN calls a disk bad at 0.9
 */
public record TensorCacheConfig(
    long quotaBytes, int recordBytes, long memoryBytes, double maxDiskShare) {
  public TensorCacheConfig {
    if (quotaBytes < 0) {
      throw new IllegalArgumentException("must be >= 0: quotaBytes=" + quotaBytes);
    }
    if (recordBytes < 1024) {
      throw new IllegalArgumentException("must be >= 1024: recordBytes=" + recordBytes);
    }
    if (!(maxDiskShare > 0 && maxDiskShare <= 1)) {
      throw new IllegalArgumentException("must be > 0 and <= 1: maxDiskShare=" + maxDiskShare);
    }
  }
}
