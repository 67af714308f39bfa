package io.penstock.model;

/**
 * The rows {@code from} up to, not including, {@code to} of a row group, as a lane owns them.
 *
 * @param rowGroup index of the row group in the catalog
 */
public record Piece(int rowGroup, int from, int to) {
  public Piece {
    if (rowGroup < 0 || from < 0 || to <= from) {
      throw new IllegalArgumentException(
          "must be 0 <= from < to: rowGroup=" + rowGroup + " from=" + from + " to=" + to);
    }
  }

  /** How many rows the piece has, &gt;= 1. */
  public int rows() {
    return to - from;
  }
}
