package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import java.util.Arrays;
import java.util.List;

/**
 * From lists of any length to the cells of a fixed shape: where the values come from.
 *
 * <p>Cells are seen in runs, one for each innermost list of the fixed shape: {@link #counts}{@code
 * [k]} items from item {@link #firsts}{@code [k]} on, then padding to the run's end. A run of a
 * null list has count {@link #NULL}.
 */
final class ListCells {
  /** The count of a run that has no values. */
  static final int NULL = -1;

  private final int[] axes;
  private final int perRow;
  private final int perRun;
  private final boolean pads;
  private final NullLists nullLists;

  int[] firsts = new int[0];
  int[] counts = new int[0];
  int runs;

  /** Whether the cells are the items one by one, in which case there are no runs. */
  boolean straight;

  /** Whether a run is {@link #NULL}. */
  boolean nulls;

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
    perRun = this.axes.length == 0 ? 1 : this.axes[this.axes.length - 1];
  }

  /** Cells of one row. */
  int perRow() {
    return perRow;
  }

  /** Cells of one run. */
  int perRun() {
    return perRun;
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
    nulls = false;
    if (straight) {
      return;
    }
    makeRoom((to - from) * perRow / perRun);
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
    nulls = false;
    if (!straight) {
      makeRoom(perRow / perRun);
      array(shape, 0, 0, 0, perRow);
    }
  }

  /** Works out the cells of one row that is a null array. */
  void computeNullArray() {
    straight = false;
    nulls = false;
    makeRoom(perRow / perRun);
    switch (nullLists) {
      case NULL -> fill(0, perRow, NULL);
      case EMPTY -> fill(0, perRow, 0);
      case REFUSED -> throw emptied(0, "array");
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
          fill(cell, span, NULL);
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
    int taken = Math.min(items, axis);
    if (level == axes.length - 1) {
      firsts[cell / perRun] = from;
      counts[cell / perRun] = taken;
      return;
    }
    int inner = span / axis;
    for (int i = 0; i < taken; i++) {
      list(level + 1, from + i, cell + i * inner, inner);
    }
    fill(cell + taken * inner, span - taken * inner, 0);
  }

  private void array(int[] shape, int level, int index, int cell, int span) {
    int taken = Math.min(shape[level], axes[level]);
    if (level == axes.length - 1) {
      firsts[cell / perRun] = index * shape[level];
      counts[cell / perRun] = taken;
      return;
    }
    int inner = span / axes[level];
    for (int i = 0; i < taken; i++) {
      array(shape, level + 1, index * shape[level] + i, cell + i * inner, inner);
    }
    fill(cell + taken * inner, span - taken * inner, 0);
  }

  private void fill(int cell, int span, int count) {
    Arrays.fill(firsts, cell / perRun, (cell + span) / perRun, 0);
    Arrays.fill(counts, cell / perRun, (cell + span) / perRun, count);
    nulls |= count == NULL;
  }

  private void makeRoom(int newRuns) {
    runs = newRuns;
    if (firsts.length < runs) {
      firsts = new int[runs];
      counts = new int[runs];
    }
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
   * Copies items into the cells; padding holds 0.
   *
   * @param items a block whose first cell is item {@code firstItem}
   * @param cells has states afterwards if some cell is null or {@code states} says so; padding then
   *     counts as filled
   */
  void gather(Block items, int firstItem, Block cells, States states) {
    cells.reset(items.form, runs * perRun);
    cells.bytes = items.bytes;
    cells.constants = items.constants;
    if (states == States.WANTED || nulls || items.stated) {
      cells.state();
    }
    for (int k = 0, cell = 0; k < runs; k++, cell += perRun) {
      int count = Math.max(counts[k], 0);
      int from = firsts[k] - firstItem;
      int end = cell + perRun;
      switch (items.form) {
        case WHOLE, UNSIGNED -> {
          copy(items.wholes, from, cells.wholes, cell, count);
          Arrays.fill(cells.wholes, cell + count, end, 0);
        }
        case FLOAT -> {
          copy(items.floats, from, cells.floats, cell, count);
          Arrays.fill(cells.floats, cell + count, end, 0);
        }
        case BYTES -> {
          copy(items.refs, from, cells.refs, cell, count);
          Arrays.fill(cells.refs, cell + count, end, 0);
        }
      }
      if (cells.stated) {
        if (items.stated) {
          copy(items.states, from, cells.states, cell, count);
        }
        Arrays.fill(cells.states, cell + count, end, counts[k] == NULL ? Block.NULL : Block.FILLED);
      }
    }
  }

  /** Whether a gathered block must say which cells are padding. */
  enum States {
    WANTED,
    ONLY_FOR_NULLS
  }

  private static void copy(Object from, int at, Object to, int place, int count) {
    if (count > 0) {
      System.arraycopy(from, at, to, place, count);
    }
  }
}
