package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gathers arrays of one kind and rank, one a row, into a column of lists, for user code. The first
 * array decides kind and rank.
 */
final class ArrayColumn {
  private final int rows;

  /** By row; null for a null array. */
  private final List<int[]> shapes = new ArrayList<>();

  private Form form;
  private int rank = -1;
  private long[] wholes = new long[0];
  private double[] floats = new double[0];
  private int size;

  ArrayColumn(int rows) {
    this.rows = rows;
  }

  void addNull() {
    shapes.add(null);
  }

  /**
   * @throws CellFailure if it is of another kind or rank than those before
   */
  void add(int[] shape, Block items) {
    if (rank < 0) {
      form = items.form;
      rank = shape.length;
    } else if (form != items.form || rank != shape.length) {
      throw new CellFailure(
          0,
          "arrays must be of one kind and rank before class: "
              + form.text()
              + " of "
              + rank
              + " axes, then "
              + items.form.text()
              + " of "
              + shape.length);
    }
    shapes.add(shape);
    int end = Math.addExact(size, items.size);
    if (form == Form.FLOAT) {
      floats = floats.length < end ? Arrays.copyOf(floats, grown(end)) : floats;
      System.arraycopy(items.floats, 0, floats, size, items.size);
    } else {
      wholes = wholes.length < end ? Arrays.copyOf(wholes, grown(end)) : wholes;
      System.arraycopy(items.wholes, 0, wholes, size, items.size);
    }
    size = end;
  }

  /** What was gathered; {@code rankIfNone} if all arrays are null. */
  Column column(int rankIfNone) {
    int axes = rank < 0 ? rankIfNone : rank;
    Kind kind =
        form == Form.FLOAT ? Kind.FLOAT : form == Form.UNSIGNED ? Kind.UNSIGNED : Kind.INTEGER;
    ColumnType type = new ColumnType(kind, 0, axes);
    boolean[] valid = null;
    if (shapes.contains(null)) {
      valid = new boolean[rows];
      for (int row = 0; row < rows; row++) {
        valid[row] = shapes.get(row) != null;
      }
    }
    if (axes == 0) {
      return scalars(type, valid);
    }
    List<ListLevel> levels = new ArrayList<>();
    int[] lengths = new int[rows];
    for (int axis = 0; axis < axes; axis++) {
      levels.add(level(axis, lengths, axis == 0 ? valid : null));
    }
    return new Column(type, rows, size, values(), null, levels);
  }

  /** The level of one axis; {@code lists} of the level by row, 0 before the first. */
  private ListLevel level(int axis, int[] lists, boolean[] valid) {
    int count = 0;
    for (int row = 0; row < rows; row++) {
      lists[row] =
          axis == 0 ? 1 : shapes.get(row) == null ? 0 : lists[row] * shapes.get(row)[axis - 1];
      count = Math.addExact(count, lists[row]);
    }
    int[] offsets = new int[count + 1];
    int list = 0;
    for (int row = 0; row < rows; row++) {
      int length = shapes.get(row) == null ? 0 : shapes.get(row)[axis];
      for (int i = 0; i < lists[row]; i++, list++) {
        offsets[list + 1] = Math.addExact(offsets[list], length);
      }
    }
    return new ListLevel(count, offsets, valid);
  }

  /** Arrays without axes have one number each; null ones get a place too. */
  private Column scalars(ColumnType type, boolean[] valid) {
    if (valid != null) {
      long[] spreadWholes = new long[rows];
      double[] spreadFloats = new double[rows];
      for (int row = 0, next = 0; row < rows; row++) {
        if (valid[row]) {
          if (form == Form.FLOAT) {
            spreadFloats[row] = floats[next++];
          } else {
            spreadWholes[row] = wholes[next++];
          }
        }
      }
      wholes = spreadWholes;
      floats = spreadFloats;
    }
    return Column.scalar(type, rows, values(), valid);
  }

  private Values values() {
    return form == Form.FLOAT ? new Values.Doubles(floats) : new Values.Longs(wholes);
  }

  private static int grown(int end) {
    return (int) Math.min(Integer.MAX_VALUE - 8, end + (long) end / 2);
  }
}
