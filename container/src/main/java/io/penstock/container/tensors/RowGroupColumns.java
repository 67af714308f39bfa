package io.penstock.container.tensors;

import java.util.List;

/**
 * The columns of one row group, decoded when they are asked for, so that only those in use take
 * memory.
 */
public interface RowGroupColumns {
  /**
   * Decodes a column.
   *
   * @param column its place among the columns that were fetched
   * @param slot whose arrays it is decoded into, counted from 0; the column that was decoded into
   *     them before is gone
   * @throws io.penstock.model.DataException naming file, row group and column if its bytes are not
   *     what the footer and the format say
   */
  Column decode(int column, int slot);

  /** Columns that have arrays of their own. */
  static RowGroupColumns of(List<Column> columns) {
    return (column, slot) -> columns.get(column);
  }
}
