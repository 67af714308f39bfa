package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.model.RowGroupRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one tensor of row groups, some columns after the other. User code sees all columns of the
 * tensor at once, so a tensor that has some is the exception. Belongs to one transformer.
 */
final class TensorRun implements AutoCloseable {
  /** Numbers of one column at a time. */
  private static final int RUN_CELLS = 4096;

  /** Most rows at a time: the tile of {@link Interleave} is to stay in the first cache level. */
  private static final int RUN_ROWS = 256;

  private final TensorPlan plan;
  private final List<UserStage> stages = new ArrayList<>();
  private final List<ColumnGroup> groups = new ArrayList<>();
  private final int rowsAtATime;

  TensorRun(TensorPlan plan, Scratch scratch, UserCode userCode) {
    this.plan = plan;
    int columns = plan.last().size();
    TensorLayout layout = TensorLayout.of(plan.spec(), columns, masked());
    rowsAtATime = Math.max(1, Math.min(RUN_ROWS, RUN_CELLS / layout.cells()));
    for (int first = 0; first < columns; first += layout.groupColumns()) {
      int end = Math.min(columns, first + layout.groupColumns());
      groups.add(new ColumnGroup(layout, first, plan.last().subList(first, end), scratch));
    }
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
      RowGroupColumns fileColumns,
      PartitionColumns partitions,
      Map<String, Optional<String>> partitionValues,
      byte[] out,
      byte[] mask) {
    Sources sources = new Sources(at, fileColumns, partitions, partitionValues);
    List<Column> staged = List.of();
    if (!stages.isEmpty()) {
      staged = sources.columns(plan.sources());
      for (UserStage stage : stages) {
        staged = stage.apply(at, staged);
      }
    }
    for (ColumnGroup group : groups) {
      int end = group.first() + group.size();
      group.begin(
          stages.isEmpty()
              ? sources.columns(plan.sources().subList(group.first(), end))
              : staged.subList(group.first(), end),
          at);
      for (int from = 0; from < at.rows(); from += rowsAtATime) {
        group.write(from, Math.min(at.rows(), from + rowsAtATime), out, mask);
      }
    }
  }

  /** Where the columns of a row group come from. */
  private record Sources(
      RowGroupRef at,
      RowGroupColumns fileColumns,
      PartitionColumns partitions,
      Map<String, Optional<String>> partitionValues) {
    /** Columns that are at hand together. */
    List<Column> columns(List<TensorPlan.Source> some) {
      List<Column> columns = new ArrayList<>(some.size());
      for (TensorPlan.Source source : some) {
        columns.add(
            source.fileColumn() < 0
                ? partitions.column(source.path(), source.type(), at, partitionValues)
                : fileColumns.decode(source.fileColumn(), columns.size()));
      }
      return columns;
    }
  }

  @Override
  public void close() {
    UserStage.closeAll(stages);
  }
}
