package io.penstock.catalog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A file of the dataset.
 *
 * @param path full decoded path; {@code new Path(path)} finds it again
 * @param length in bytes
 * @param modificationTime milliseconds since 1970, as the file system says
 * @param footerDigest SHA-256 of its Parquet footer, 64 hex digits
 * @param partitions values of its hive folders by key, outermost first, empty for null; no entry
 *     where the feed does not ask for partitions
 */
public record CatalogFile(
    String path,
    long length,
    long modificationTime,
    String footerDigest,
    Map<String, Optional<String>> partitions) {
  public CatalogFile {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(footerDigest, "footerDigest");
    partitions = Collections.unmodifiableMap(new LinkedHashMap<>(partitions));
  }
}
