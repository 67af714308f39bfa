package io.penstock.container.transform;

import io.penstock.feed.Op;
import io.penstock.model.ColumnType;
import io.penstock.model.DType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What becomes of one column of a tensor, between two uses of user code or the ends. Thread-safe;
 * shared by all workers.
 */
final class ColumnPlan {
  private final String tensor;
  private final String path;
  private final List<Op> ops;
  private final List<Integer> axes;
  private final int cells;
  private final DType dtype;
  private final Nulls nulls;
  private final Vocabularies vocabularies;
  private final Map<ColumnType, Chain> chains = new ConcurrentHashMap<>();

  /** What a null is that no op removed. */
  enum Nulls {
    REFUSED,
    MASKED
  }

  /**
   * @param tensor its name, for messages
   * @param path the column's
   * @param ops none of them {@code class}
   * @param axes of one row of this column
   */
  ColumnPlan(
      String tensor,
      String path,
      List<Op> ops,
      List<Integer> axes,
      DType dtype,
      Nulls nulls,
      Vocabularies vocabularies) {
    this.tensor = tensor;
    this.path = path;
    this.ops = List.copyOf(ops);
    this.axes = List.copyOf(axes);
    this.cells = axes.stream().mapToInt(Integer::intValue).reduce(1, Math::multiplyExact);
    this.dtype = dtype;
    this.nulls = nulls;
    this.vocabularies = vocabularies;
  }

  String tensor() {
    return tensor;
  }

  String path() {
    return path;
  }

  List<Integer> axes() {
    return axes;
  }

  /** Numbers in one row of this column. */
  int cells() {
    return cells;
  }

  DType dtype() {
    return dtype;
  }

  Nulls nulls() {
    return nulls;
  }

  /**
   * The chain for a type that a file gives the column.
   *
   * @throws io.penstock.model.UsageException if the ops do not take values of this type
   */
  Chain chain(ColumnType type) {
    return chains.computeIfAbsent(type, t -> Chain.compile(path, ops, t, vocabularies));
  }
}
