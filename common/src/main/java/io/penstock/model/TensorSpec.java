package io.penstock.model;

import java.util.List;
import java.util.Objects;

/**
 * Name, element type and shape of a tensor; its batches are {@code [rows, itemShape...]}, row-major
 * and little-endian.
 *
 * @param itemShape the axes after the rows axis; empty for one number a row
 */
public record TensorSpec(String name, DType dtype, List<Integer> itemShape) {
  public TensorSpec {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(dtype, "dtype");
    itemShape = List.copyOf(itemShape);
    long bytes = dtype.bytes();
    for (int axis : itemShape) {
      if (axis < 1) {
        throw new IllegalArgumentException("axes must be >= 1: " + name + " " + itemShape);
      }
      bytes = Math.multiplyExact(bytes, axis);
    }
    if (bytes > Integer.MAX_VALUE) {
      throw new UsageException("a row must take < 2^31 bytes: tensor=" + name + " bytes=" + bytes);
    }
  }

  /** Numbers per row. */
  public int rowElements() {
    int n = 1;
    for (int axis : itemShape) {
      n *= axis;
    }
    return n;
  }

  /** Bytes per row. */
  public int rowBytes() {
    return rowElements() * dtype.bytes();
  }
}
