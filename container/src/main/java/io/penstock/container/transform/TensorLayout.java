package io.penstock.container.transform;

import io.penstock.model.TensorSpec;

/**
 * Where the columns of a tensor lie in its rows, and how many of them are decoded and written
 * together.
 *
 * <p>More columns at a time write a longer part of each row and so touch fewer cache lines twice;
 * fewer hold less memory while a row group is made.
 *
 * @param columns how many columns there are, all of one width
 * @param rowBytes of all of them
 * @param rowCells numbers of all of them
 * @param masked whether a mask goes with the tensor
 */
record TensorLayout(int columns, int rowBytes, int rowCells, boolean masked) {
  /** Most columns of a group, a multiple of {@link Interleave#COLUMNS}. */
  private static final int GROUP_COLUMNS = 16;

  /** Bytes of a row that a group writes, if it has not the most columns: a cache line. */
  private static final int GROUP_BYTES = 64;

  static TensorLayout of(TensorSpec spec, int columns, boolean masked) {
    return new TensorLayout(columns, spec.rowBytes(), spec.rowElements(), masked);
  }

  /** Bytes of one row of one column. */
  int width() {
    return rowBytes / columns;
  }

  /** Numbers in one row of one column. */
  int cells() {
    return rowCells / columns;
  }

  /** How many columns are decoded and written together. */
  int groupColumns() {
    return Math.max(1, Math.min(Math.min(GROUP_BYTES / width(), GROUP_COLUMNS), columns));
  }
}
