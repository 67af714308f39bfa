package io.penstock.feed;

import io.penstock.model.TensorSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A tensor of the feed with its columns and shape known.
 *
 * @param feed as the feed file has it
 * @param columns in the order of the tensor's columns axis, or the only one
 * @param spec name, dtype and item shape; with {@link TensorFeed.Axis#COLUMNS} the item shape is
 *     {@code [columns] + itemAxes}, else {@code itemAxes}
 * @param mask the mask that follows it, if asked for
 */
public record BoundTensor(
    TensorFeed feed, List<BoundColumn> columns, TensorSpec spec, Optional<TensorSpec> mask) {
  public BoundTensor {
    Objects.requireNonNull(feed, "feed");
    columns = List.copyOf(columns);
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(mask, "mask");
  }

  /** The axes of one column's row: those that its lists, shape or decoded arrays have. */
  public List<Integer> itemAxes() {
    return feed.axis() == TensorFeed.Axis.NONE
        ? spec.itemShape()
        : spec.itemShape().subList(1, spec.itemShape().size());
  }
}
