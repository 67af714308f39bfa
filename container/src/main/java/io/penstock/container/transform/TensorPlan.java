package io.penstock.container.transform;

import io.penstock.feed.BoundColumn;
import io.penstock.feed.BoundTensor;
import io.penstock.feed.Op;
import io.penstock.model.ColumnType;
import io.penstock.model.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How one tensor is made.
 *
 * @param spec what it is
 * @param mask what its mask is, if it has one
 * @param sources where its columns come from
 * @param stages what happens before user code, once for each; in order
 * @param last the plans of the columns after that
 */
record TensorPlan(
    TensorSpec spec,
    Optional<TensorSpec> mask,
    List<Source> sources,
    List<Stage> stages,
    List<ColumnPlan> last) {
  /**
   * Where a column comes from.
   *
   * @param fileColumn place among the columns of the file; -1 for a hive folder's
   */
  record Source(String path, ColumnType type, int fileColumn) {}

  /** Ops, by column, and then user code. */
  record Stage(List<ColumnPlan> columns, Op.UserClass code) {}

  static TensorPlan of(BoundTensor tensor, List<String> fileColumns, Vocabularies vocabularies) {
    List<Source> sources = new ArrayList<>();
    for (BoundColumn column : tensor.columns()) {
      int place = column.partition() ? -1 : fileColumns.indexOf(column.path());
      sources.add(new Source(column.path(), column.type(), place));
    }
    List<Op.UserClass> codes =
        tensor.feed().ops().stream()
            .filter(Op.UserClass.class::isInstance)
            .map(Op.UserClass.class::cast)
            .toList();
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < codes.size(); i++) {
      stages.add(new Stage(segment(tensor, i, vocabularies), codes.get(i)));
    }
    return new TensorPlan(
        tensor.spec(), tensor.mask(), sources, stages, segment(tensor, codes.size(), vocabularies));
  }

  /** The ops of each column after {@code skipped} uses of user code and before the next. */
  private static List<ColumnPlan> segment(
      BoundTensor tensor, int skipped, Vocabularies vocabularies) {
    List<Integer> axes = tensor.itemAxes();
    List<ColumnPlan> plans = new ArrayList<>();
    for (BoundColumn column : tensor.columns()) {
      plans.add(
          new ColumnPlan(
              tensor.spec().name(),
              column.path(),
              segment(column.ops(), skipped),
              axes,
              tensor.spec().dtype(),
              tensor.mask().isPresent() ? ColumnPlan.Nulls.MASKED : ColumnPlan.Nulls.REFUSED,
              vocabularies));
    }
    return List.copyOf(plans);
  }

  private static List<Op> segment(List<Op> ops, int skipped) {
    List<Op> segment = new ArrayList<>();
    int seen = 0;
    for (Op op : ops) {
      if (op instanceof Op.UserClass) {
        seen++;
      } else if (seen == skipped) {
        segment.add(op);
      }
    }
    return List.copyOf(segment);
  }

  /**
   * Compiles what can be known before any row group is seen.
   *
   * @throws io.penstock.model.UsageException if an op does not take its column
   */
  void check() {
    List<ColumnPlan> first = stages.isEmpty() ? last : stages.get(0).columns();
    for (int i = 0; i < first.size(); i++) {
      first.get(i).chain(sources.get(i).type());
    }
  }
}
