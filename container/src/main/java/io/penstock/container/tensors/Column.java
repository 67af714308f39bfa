package io.penstock.container.tensors;

import io.penstock.model.ColumnType;
import java.util.List;
import java.util.Objects;

/**
 * A decoded column of one row group.
 *
 * <h2>Shape</h2>
 *
 * A scalar column has one item a row. A list column of depth d has d {@link ListLevel}s, outermost
 * first: level 0 has one list a row; entry i of level k spans items {@code offsets[i]} up to {@code
 * offsets[i + 1]} of level k + 1, and of the leaf values in the last one.
 *
 * @param type what the values are
 * @param rows rows of the row group
 * @param items leaf items, those that are null included; equal to {@code rows} for a scalar column
 * @param values the leaf values
 * @param valid whether each leaf item is not null; null where no item is null
 * @param lists the list levels, as many as {@code type.listDepth()}
 */
public record Column(
    ColumnType type, int rows, int items, Values values, boolean[] valid, List<ListLevel> lists) {
  /**
   * One level of lists.
   *
   * @param count how many lists there are on this level
   * @param offsets {@code count + 1} places in the level below, the first 0, never falling; a null
   *     list is empty
   * @param valid whether each list is not null; null where none is null
   */
  public record ListLevel(int count, int[] offsets, boolean[] valid) {
    public boolean isNull(int list) {
      return valid != null && !valid[list];
    }
  }

  public Column {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(values, "values");
    lists = List.copyOf(lists);
    if (lists.size() != type.listDepth()) {
      throw new IllegalArgumentException("list levels: " + lists.size() + " of " + type);
    }
    if (lists.isEmpty() && items != rows) {
      throw new IllegalArgumentException("items=" + items + " rows=" + rows);
    }
  }

  /** A column without lists. */
  public static Column scalar(ColumnType type, int rows, Values values, boolean[] valid) {
    return new Column(type, rows, rows, values, valid, List.of());
  }

  public boolean isNull(int item) {
    return valid != null && !valid[item];
  }
}
