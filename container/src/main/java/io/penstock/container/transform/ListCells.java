package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import java.util.Arrays;
import java.util.List;

/** From lists of any length to the cells of a fixed shape: where each cell's value comes from. */
final class ListCells {
  /** A cell without a value. */
  static final int NULL = -1;

  /** A cell behind the end of a list. */
  static final int PAD = -2;

  private final int[] axes;
  private final int perRow;
  private final boolean pads;
  private final NullLists nullLists;

  /** By cell: an item of the column, {@link #NULL} or {@link #PAD}. */
  int[] sources = new int[0];

  /** Whether the cells are the items one by one, in which case {@link #sources} is not filled. */
  boolean straight;

  private Column column;
  private int row;

  ListCells(List<Integer> axes, boolean pads, NullLists nullLists) {
    this.axes = axes.stream().mapToInt(Integer::intValue).toArray();
    this.pads = pads;
    this.nullLists = nullLists;
    int cells = 1;
    for (int axis : this.axes) {
      cells *= axis;
    }
    perRow = cells;
  }

  int perRow() {
    return perRow;
  }

  /** The item at which a row begins. */
  static int firstItem(Column column, int row) {
    int place = row;
    for (ListLevel level : column.lists()) {
      place = level.offsets()[place];
    }
    return place;
  }

  /** The row that an item belongs to. */
  static int rowOf(Column column, int item) {
    int place = item;
    for (int k = column.lists().size() - 1; k >= 0; k--) {
      ListLevel level = column.lists().get(k);
      int low = 0;
      int high = level.count() - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (level.offsets()[middle + 1] <= place) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      place = low;
    }
    return place;
  }

  /** Whether all lists have exactly the shape already and none is null. */
  boolean allStraight(Column of) {
    return straight(of, 0, of.rows());
  }

  private boolean straight(Column of, int from, int to) {
    int low = from;
    int high = to;
    for (int k = 0; k < axes.length; k++) {
      ListLevel level = of.lists().get(k);
      int[] offsets = level.offsets();
      int first = offsets[low];
      for (int i = low; i < high; i++) {
        if (level.isNull(i) || offsets[i + 1] - first != (i + 1 - low) * axes[k]) {
          return false;
        }
      }
      high = offsets[high];
      low = first;
    }
    return true;
  }

  /**
   * Works out the cells of some rows.
   *
   * @throws CellFailure whose cell is the row, if a list can't have the shape
   */
  void compute(Column of, int from, int to) {
    straight = straight(of, from, to);
    if (straight) {
      return;
    }
    int cells = (to - from) * perRow;
    makeRoom(cells);
    column = of;
    for (row = from; row < to; row++) {
      list(0, row, (row - from) * perRow, perRow);
    }
    column = null;
  }

  /**
   * Works out the cells of one row from an array of any shape.
   *
   * @throws CellFailure if it can't have the shape
   */
  void computeArray(int[] shape) {
    if (shape.length != axes.length || (!pads && !Arrays.equals(shape, axes))) {
      throw new CellFailure(
          0, "must have the shape " + Arrays.toString(axes) + ": " + Arrays.toString(shape));
    }
    straight = Arrays.equals(shape, axes);
    if (!straight) {
      makeRoom(perRow);
      array(shape, 0, 0, 0, perRow);
    }
  }

  /** Works out the cells of one row that is a null array. */
  void computeNullArray() {
    straight = false;
    makeRoom(perRow);
    switch (nullLists) {
      case NULL -> Arrays.fill(sources, 0, perRow, NULL);
      case EMPTY -> Arrays.fill(sources, 0, perRow, PAD);
      case REFUSED -> throw emptied(0, "array");
    }
  }

  private void array(int[] shape, int level, int index, int cell, int span) {
    int inner = span / axes[level];
    int taken = Math.min(shape[level], axes[level]);
    for (int i = 0; i < taken; i++) {
      if (level == axes.length - 1) {
        sources[cell + i] = index * shape[level] + i;
      } else {
        array(shape, level + 1, index * shape[level] + i, cell + i * inner, inner);
      }
    }
    Arrays.fill(sources, cell + taken * inner, cell + span, PAD);
  }

  private CellFailure emptied(int at, String what) {
    return new CellFailure(
        at,
        "must have the shape "
            + Arrays.toString(axes)
            + ": a null "
            + what
            + ", which fill makes an empty one");
  }

  private void makeRoom(int cells) {
    if (sources.length < cells) {
      sources = new int[cells];
    }
  }

  /** Lays list {@code list} of a level over {@code span} cells. */
  private void list(int level, int list, int cell, int span) {
    ListLevel lists = column.lists().get(level);
    int from = lists.offsets()[list];
    int to = lists.offsets()[list + 1];
    if (lists.isNull(list)) {
      switch (nullLists) {
        case NULL -> {
          Arrays.fill(sources, cell, cell + span, NULL);
          return;
        }
        case REFUSED -> throw emptied(row, "list");
        case EMPTY -> to = from;
      }
    }
    int axis = axes[level];
    int items = to - from;
    if (!pads && items != axis) {
      throw new CellFailure(row, lengthFailure(level, items));
    }
    int inner = span / axis;
    int taken = Math.min(items, axis);
    if (level == axes.length - 1) {
      for (int i = 0; i < taken; i++) {
        sources[cell + i] = from + i;
      }
    } else {
      for (int i = 0; i < taken; i++) {
        list(level + 1, from + i, cell + i * inner, inner);
      }
    }
    Arrays.fill(sources, cell + taken * inner, cell + span, PAD);
  }

  private String lengthFailure(int level, int items) {
    String where = axes.length == 1 ? "" : " on axis " + (level + 1);
    return "must have "
        + axes[level]
        + (axes[level] == 1 ? " item" : " items")
        + where
        + ": "
        + items;
  }

  /**
   * Copies items into the cells.
   *
   * @param items a block whose first cell is item {@code firstItem}
   * @param cells has states afterwards; padding counts as filled, and holds 0
   */
  void gather(Block items, int firstItem, int count, Block cells) {
    cells.reset(items.form, count);
    cells.bytes = items.bytes;
    cells.constants = items.constants;
    cells.state();
    for (int i = 0; i < count; i++) {
      int source = sources[i];
      if (source < 0) {
        cells.states[i] = source == NULL ? Block.NULL : Block.FILLED;
      } else if (items.stated) {
        cells.states[i] = items.states[source - firstItem];
      }
    }
    switch (items.form) {
      case WHOLE, UNSIGNED -> {
        for (int i = 0; i < count; i++) {
          cells.wholes[i] = sources[i] < 0 ? 0 : items.wholes[sources[i] - firstItem];
        }
      }
      case FLOAT -> {
        for (int i = 0; i < count; i++) {
          cells.floats[i] = sources[i] < 0 ? 0 : items.floats[sources[i] - firstItem];
        }
      }
      case BYTES -> {
        for (int i = 0; i < count; i++) {
          cells.refs[i] = sources[i] < 0 ? 0 : items.refs[sources[i] - firstItem];
        }
      }
    }
  }
}
