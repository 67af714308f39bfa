package io.penstock.feed;

import io.penstock.model.DType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One entry of the feed's {@code tensors}, as written.
 *
 * @param columns names, leaf paths or globs; exactly one name with {@link Axis#NONE}
 * @param ops in the order in which they are applied
 * @param shape the exact shape that a row of each column must have, if given
 * @param mask whether a bool tensor {@code <name>_mask} follows
 * @param line of the tensor in the feed file, 1-based
 * @param opLines of the ops in the feed file
 */
public record TensorFeed(
    String name,
    Axis axis,
    List<String> columns,
    DType dtype,
    List<Op> ops,
    Optional<List<Integer>> shape,
    boolean mask,
    int line,
    List<Integer> opLines) {
  /** Whether the columns make an axis of the tensor. */
  public enum Axis {
    /** {@code column}: one column, no extra axis. */
    NONE,
    /** {@code columns}: an axis of as many places as columns, right after the rows. */
    COLUMNS
  }

  public TensorFeed {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(axis, "axis");
    columns = List.copyOf(columns);
    Objects.requireNonNull(dtype, "dtype");
    ops = List.copyOf(ops);
    shape = shape.map(List::copyOf);
    opLines = List.copyOf(opLines);
    if (opLines.size() != ops.size()) {
      throw new IllegalArgumentException("a line for each op: " + opLines + " " + ops);
    }
  }

  /** The name of its mask. */
  public String maskName() {
    return name + "_mask";
  }
}
