package io.penstock.model;

import java.util.Objects;

/**
 * Where a row group of the catalog lies.
 *
 * @param index place in the catalog, 0-based
 * @param path the file's full decoded path
 * @param ordinal the row group's ordinal within its file, empty row groups counted
 * @param rows rows it has, &gt;= 1
 */
public record RowGroupRef(int index, String path, int ordinal, int rows) {
  public RowGroupRef {
    Objects.requireNonNull(path, "path");
    if (index < 0 || ordinal < 0 || rows < 1) {
      throw new IllegalArgumentException(
          "bad row group: index=" + index + " ordinal=" + ordinal + " rows=" + rows);
    }
  }
}
