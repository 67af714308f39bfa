package io.penstock.container.transform;

import io.penstock.feed.Op;
import io.penstock.model.ColumnType;
import io.penstock.model.DType;
import java.util.List;

/**
 * What becomes of one column of a tensor, between two uses of user code or the ends.
 *
 * @param tensor its name, for messages
 * @param path the column's
 * @param ops none of them {@code class}
 * @param axes of one row of this column
 * @param cells numbers in one row of this column
 * @param nulls what a null is that no op removed
 */
record ColumnPlan(
    String tensor,
    String path,
    List<Op> ops,
    List<Integer> axes,
    int cells,
    DType dtype,
    Nulls nulls) {
  /** What a null is that no op removed. */
  enum Nulls {
    REFUSED,
    MASKED
  }

  /**
   * @throws io.penstock.model.UsageException if the ops do not take values of this type
   */
  Chain chain(ColumnType type) {
    return Chain.compile(path, ops, type);
  }
}
