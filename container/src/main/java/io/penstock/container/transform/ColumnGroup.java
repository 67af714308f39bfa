package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.model.RowGroupRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Neighbouring columns of a tensor that are decoded and written together, row group after row
 * group. Belongs to one transformer.
 */
final class ColumnGroup {
  private final TensorLayout layout;
  private final int first;
  private final List<ColumnRun> columns;
  private final Scratch scratch;

  // What is written together, for the row group at hand: the files' own arrays, if all of some
  // columns have one, and the ways of columns that all have a dictionary. Else an entry is null.
  private final float[][][] floats;
  private final float[][] lists;
  private final DictionaryWay[][] lookUps;

  /**
   * @param first place of the first column in the tensor
   */
  ColumnGroup(TensorLayout layout, int first, List<ColumnPlan> plans, Scratch scratch) {
    this.layout = layout;
    this.first = first;
    this.scratch = scratch;
    columns = new ArrayList<>(plans.size());
    for (ColumnPlan plan : plans) {
      columns.add(new ColumnRun(plan, scratch, columns.size()));
    }
    lists = new float[plans.size()][];
    floats = new float[(plans.size() - 1) / Interleave.COLUMNS + 1][][];
    lookUps = new DictionaryWay[(plans.size() - 1) / Interleave.LOOK_UPS + 1][];
  }

  /** Place of the first column in the tensor. */
  int first() {
    return first;
  }

  /** How many columns it has. */
  int size() {
    return columns.size();
  }

  /**
   * Takes up the columns of a row group.
   *
   * @param sources in the group's order; read until the last rows are written
   */
  void begin(List<Column> sources, RowGroupRef at) {
    for (int c = 0; c < columns.size(); c++) {
      columns.get(c).begin(sources.get(c), at);
    }
    boolean scalars = layout.cells() == 1 && !layout.masked();
    for (int g = 0; scalars && g < floats.length; g++) {
      floats[g] = ofAll(g, Interleave.COLUMNS, ColumnRun::floats, float[][]::new);
    }
    for (int c = 0; layout.cells() > 1 && !layout.masked() && c < lists.length; c++) {
      lists[c] = columns.get(c).floats().orElse(null);
    }
    boolean fits =
        !layout.masked() && (layout.width() == Integer.BYTES || layout.width() == Long.BYTES);
    for (int g = 0; fits && g < lookUps.length; g++) {
      lookUps[g] = ofAll(g, Interleave.LOOK_UPS, ColumnRun::lookUp, DictionaryWay[]::new);
    }
  }

  /** What each of the g-th {@code count} columns has, or null if one has none or is missing. */
  private <T> T[] ofAll(
      int g, int count, Function<ColumnRun, Optional<T>> part, IntFunction<T[]> array) {
    int from = g * count;
    T[] parts =
        columns.subList(from, Math.min(from + count, columns.size())).stream()
            .flatMap(column -> part.apply(column).stream())
            .toArray(array);
    return parts.length == count ? parts : null;
  }

  /**
   * Writes rows {@code from} up to {@code to} of these columns.
   *
   * @param out the tensor, {@code [rows, item shape]}
   * @param mask likewise, or null
   */
  void write(int from, int to, byte[] out, byte[] mask) {
    if (layout.columns() == 1) {
      columns.get(0).write(from, to, out, from * layout.rowBytes(), mask, from * layout.rowCells());
      return;
    }
    int count;
    for (int c = 0; c < columns.size(); c += count) {
      int at = from * layout.rowBytes() + (first + c) * layout.width();
      count = Math.min(Interleave.COLUMNS, columns.size() - c);
      float[][] arrays = floats[c / Interleave.COLUMNS];
      DictionaryWay[] ways = lookUps[c / Interleave.LOOK_UPS];
      if (lists[c] != null) {
        int cells = layout.cells();
        Interleave.write(lists[c], from * cells, cells, to - from, out, at, layout.rowBytes());
        count = 1;
      } else if (arrays != null && c % Interleave.COLUMNS == 0) {
        Interleave.write(arrays, from, to - from, out, at, layout.rowBytes());
      } else if (ways != null) {
        for (DictionaryWay way : ways) {
          way.look(from, to);
        }
        Interleave.lookUp(ways, layout.width(), to - from, out, at, layout.rowBytes());
        count = Interleave.LOOK_UPS;
      } else {
        if (count > Interleave.LOOK_UPS
            && (c % Interleave.COLUMNS != 0 || lookUps[c / Interleave.LOOK_UPS + 1] != null)) {
          count = Interleave.LOOK_UPS;
        }
        writeTile(c, count, from, to, out, at, mask);
      }
    }
  }

  /** Writes some columns by way of a tile that they are first laid out in one after the other. */
  private void writeTile(int c, int count, int from, int to, byte[] out, int at, byte[] mask) {
    int rows = to - from;
    int width = layout.width();
    int cells = layout.cells();
    byte[] tile = scratch.tile(count * rows * width);
    byte[] maskTile = mask == null ? null : scratch.maskTile(count * rows * cells);
    for (int k = 0; k < count; k++) {
      columns.get(c + k).write(from, to, tile, k * rows * width, maskTile, k * rows * cells);
    }
    Interleave.write(tile, rows * width, count, rows, width, out, at, layout.rowBytes());
    if (mask != null) {
      int maskAt = from * layout.rowCells() + (first + c) * cells;
      Interleave.write(maskTile, rows * cells, count, rows, cells, mask, maskAt, layout.rowCells());
    }
  }
}
