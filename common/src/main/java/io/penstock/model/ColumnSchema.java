package io.penstock.model;

import java.util.Objects;
import java.util.Optional;

/**
 * A column that a feed can ask for, as a file's footer or its path gives it.
 *
 * @param path the top-level name, or a leaf's dotted path {@code a.b}
 * @param topLevel whether {@code path} is a top-level name; globs match only those
 * @param type what its values become; empty if FEED.md supports no such type
 * @param declared the type as the file declares it, for messages
 * @param partition whether it comes from a hive folder name rather than from the file
 */
public record ColumnSchema(
    String path, boolean topLevel, Optional<ColumnType> type, String declared, boolean partition) {
  public ColumnSchema {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(declared, "declared");
  }
}
