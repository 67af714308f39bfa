package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.model.RowGroupRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes one tensor of row groups. Belongs to one transformer. */
final class TensorRun implements AutoCloseable {
  /** Numbers of one column that are written before the next column's turn. */
  private static final int RUN_CELLS = 4096;

  /**
   * Most rows at a time: each row's part of a cache line waits in the first cache level for the
   * neighbouring columns.
   */
  private static final int RUN_ROWS = 256;

  private final TensorPlan plan;
  private final List<UserStage> stages = new ArrayList<>();
  private final List<ColumnRun> columns;
  private final int rowsAtATime;

  TensorRun(TensorPlan plan, Scratch scratch, UserCode userCode) {
    this.plan = plan;
    columns = plan.last().stream().map(column -> new ColumnRun(column, scratch)).toList();
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
   * @param out zero, {@code [rows, item shape]}
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
    try {
      for (int c = 0; c < columns.size(); c++) {
        columns.get(c).begin(sources.get(c), at);
      }
      write(at.rows(), out, mask);
    } finally {
      columns.forEach(ColumnRun::end);
    }
  }

  private void write(int rows, byte[] out, byte[] mask) {
    int rowBytes = plan.spec().rowBytes();
    int rowCells = plan.spec().rowElements();
    int columnBytes = rowBytes / columns.size();
    int columnCells = rowCells / columns.size();
    for (int from = 0; from < rows; from += rowsAtATime) {
      int to = Math.min(rows, from + rowsAtATime);
      for (int c = 0; c < columns.size(); c++) {
        columns
            .get(c)
            .write(
                from,
                to,
                out,
                from * rowBytes + c * columnBytes,
                rowBytes,
                mask,
                from * rowCells + c * columnCells,
                rowCells);
      }
    }
  }

  @Override
  public void close() {
    UserStage.closeAll(stages);
  }
}
