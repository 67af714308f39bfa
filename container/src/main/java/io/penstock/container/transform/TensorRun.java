package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.model.RowGroupRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes one tensor of row groups. Belongs to one transformer. */
final class TensorRun implements AutoCloseable {
  /** Numbers of one column at a time. */
  private static final int RUN_CELLS = 4096;

  /** Most rows at a time: the tile of {@link Interleave} is to stay in the first cache level. */
  private static final int RUN_ROWS = 256;

  private final TensorPlan plan;
  private final List<UserStage> stages = new ArrayList<>();
  private final List<ColumnRun> columns;
  private final Scratch scratch;
  private final int rowBytes;
  private final int rowCells;
  private final int rowsAtATime;

  TensorRun(TensorPlan plan, Scratch scratch, UserCode userCode) {
    this.plan = plan;
    this.scratch = scratch;
    columns = plan.last().stream().map(column -> new ColumnRun(column, scratch)).toList();
    rowBytes = plan.spec().rowBytes();
    rowCells = plan.spec().rowElements();
    int cells = plan.last().get(0).cells();
    rowsAtATime = Math.max(1, Math.min(RUN_ROWS, RUN_CELLS / cells));
    try {
      for (TensorPlan.Stage stage : plan.stages()) {
        stages.add(new UserStage(plan.spec().name(), stage, userCode.open(stage.code())));
      }
    } catch (RuntimeException e) {
      try {
        close();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  boolean masked() {
    return plan.mask().isPresent();
  }

  /**
   * @param out {@code [rows, item shape]}; every byte of it is written
   * @param mask likewise, or null
   */
  void apply(
      RowGroupRef at,
      List<Column> fileColumns,
      PartitionColumns partitions,
      Map<String, Optional<String>> partitionValues,
      byte[] out,
      byte[] mask) {
    List<Column> sources = new ArrayList<>(plan.sources().size());
    for (TensorPlan.Source source : plan.sources()) {
      sources.add(
          source.fileColumn() < 0
              ? partitions.column(source.path(), source.type(), at, partitionValues)
              : fileColumns.get(source.fileColumn()));
    }
    for (UserStage stage : stages) {
      sources = stage.apply(at, sources);
    }
    for (int c = 0; c < columns.size(); c++) {
      columns.get(c).begin(sources.get(c), at);
    }
    float[][][] floatGroups = floatGroups();
    DictionaryWay[][] lookUpGroups = lookUpGroups();
    for (int from = 0; from < at.rows(); from += rowsAtATime) {
      int to = Math.min(at.rows(), from + rowsAtATime);
      if (columns.size() == 1) {
        columns.get(0).write(from, to, out, from * rowBytes, mask, from * rowCells);
      } else {
        writeSideBySide(from, to, floatGroups, lookUpGroups, out, mask);
      }
    }
  }

  /** By group of columns that are written together: the files' own arrays if all have one. */
  private float[][][] floatGroups() {
    float[][][] groups = new float[(columns.size() - 1) / Interleave.COLUMNS + 1][][];
    boolean scalar = plan.last().get(0).cells() == 1;
    for (int g = 0; scalar && !masked() && g < columns.size() / Interleave.COLUMNS; g++) {
      int first = g * Interleave.COLUMNS;
      List<float[]> arrays =
          columns.subList(first, first + Interleave.COLUMNS).stream()
              .flatMap(column -> column.floats().stream())
              .toList();
      groups[g] = arrays.size() == Interleave.COLUMNS ? arrays.toArray(float[][]::new) : null;
    }
    return groups;
  }

  /** By group of columns that are looked up together: their ways if all have a dictionary. */
  private DictionaryWay[][] lookUpGroups() {
    DictionaryWay[][] groups = new DictionaryWay[(columns.size() - 1) / Interleave.LOOK_UPS + 1][];
    int bytes = plan.spec().dtype().bytes();
    boolean fits = !masked() && (bytes == Integer.BYTES || bytes == Long.BYTES);
    for (int g = 0; fits && g < columns.size() / Interleave.LOOK_UPS; g++) {
      int first = g * Interleave.LOOK_UPS;
      DictionaryWay[] ways =
          columns.subList(first, first + Interleave.LOOK_UPS).stream()
              .flatMap(column -> column.lookUp().stream())
              .toArray(DictionaryWay[]::new);
      groups[g] = ways.length == Interleave.LOOK_UPS ? ways : null;
    }
    return groups;
  }

  private void writeSideBySide(
      int from,
      int to,
      float[][][] floatGroups,
      DictionaryWay[][] lookUpGroups,
      byte[] out,
      byte[] mask) {
    int rows = to - from;
    int width = rowBytes / columns.size();
    int cells = rowCells / columns.size();
    int most = Math.min(Interleave.COLUMNS, columns.size());
    byte[] tile = scratch.tile(most * rows * width);
    byte[] maskTile = mask == null ? null : scratch.maskTile(most * rows * cells);
    int count;
    for (int first = 0; first < columns.size(); first += count) {
      count = Math.min(Interleave.COLUMNS, columns.size() - first);
      int at = from * rowBytes + first * width;
      float[][] floats = floatGroups[first / Interleave.COLUMNS];
      if (floats != null && first % Interleave.COLUMNS == 0) {
        Interleave.write(floats, from, rows, out, at, rowBytes);
        continue;
      }
      DictionaryWay[] lookUps = lookUpGroups[first / Interleave.LOOK_UPS];
      if (lookUps != null) {
        for (DictionaryWay way : lookUps) {
          way.look(from, to);
        }
        Interleave.lookUp(lookUps, width, rows, out, at, rowBytes);
        count = Interleave.LOOK_UPS;
        continue;
      }
      if (count > Interleave.LOOK_UPS
          && (first % Interleave.COLUMNS != 0
              || lookUpGroups[first / Interleave.LOOK_UPS + 1] != null)) {
        count = Interleave.LOOK_UPS;
      }
      for (int c = 0; c < count; c++) {
        columns.get(first + c).write(from, to, tile, c * rows * width, maskTile, c * rows * cells);
      }
      Interleave.write(tile, rows * width, count, rows, width, out, at, rowBytes);
      if (mask != null) {
        int maskAt = from * rowCells + first * cells;
        Interleave.write(maskTile, rows * cells, count, rows, cells, mask, maskAt, rowCells);
      }
    }
  }

  @Override
  public void close() {
    UserStage.closeAll(stages);
  }
}
