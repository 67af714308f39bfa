package io.penstock.feed;

import io.penstock.model.ColumnType;
import java.util.List;
import java.util.Objects;

/**
 * A column that a tensor takes.
 *
 * @param path top-level name, or a leaf's dotted path
 * @param type what its values are before any op
 * @param partition whether it comes from a hive folder name rather than from the file
 * @param ops those of the tensor's ops that touch this column, in order
 */
public record BoundColumn(String path, ColumnType type, boolean partition, List<Op> ops) {
  public BoundColumn {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(type, "type");
    ops = List.copyOf(ops);
  }
}
