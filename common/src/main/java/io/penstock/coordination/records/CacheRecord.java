package io.penstock.coordination.records;

import java.util.Objects;

/**
 * What a cache of a host holds: node {@code /caches/<key>/<host>/<slot>}. It outlives jobs.
 *
 * @param key names dataset and tensors
 * @param directory where it lies on the host
 * @param rowGroups row groups held whole
 * @param bytes bytes on disk
 * @param quotaBytes bytes it may take
 */
public record CacheRecord(
    String key,
    String host,
    int slot,
    String directory,
    long rowGroups,
    long bytes,
    long quotaBytes,
    String application,
    long updatedMillis) {
  public CacheRecord {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(host, "host");
  }
}
