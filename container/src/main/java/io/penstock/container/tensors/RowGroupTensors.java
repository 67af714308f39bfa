package io.penstock.container.tensors;

import io.penstock.model.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Rows of one row group after the transforms: for every tensor a row-major, little-endian block
 * {@code [rows, item shape]}, so that a row is one run of bytes per tensor.
 *
 * @param rows how many rows there are
 * @param specs the tensors in feed order, each mask right after its tensor
 * @param blocks per tensor {@code rows * spec.rowBytes()} bytes, and perhaps some without meaning
 *     after them: blocks are used again for row groups that have about as many rows
 * @param rowValues what each row counts in the values digest (ORDER.md, "Certificate") when it is
 *     delivered as a valid one: {@code rows} numbers of {@link #ROW_VALUE_BYTES}, little-endian,
 *     and perhaps some bytes without meaning after them; empty if that was not worked out
 * @param quarantined why the row group is bad, if its rows are not valid and its bytes zero
 *     (FEED.md, {@code bad_row_group})
 */
public record RowGroupTensors(
    int rows,
    List<TensorSpec> specs,
    byte[][] blocks,
    Optional<byte[]> rowValues,
    Optional<String> quarantined) {
  /** Bytes of a row's number in {@link #rowValues}. */
  public static final int ROW_VALUE_BYTES = Long.BYTES;

  public RowGroupTensors {
    specs = List.copyOf(specs);
    if (blocks.length != specs.size()) {
      throw new IllegalArgumentException("blocks=" + blocks.length + " tensors=" + specs.size());
    }
    for (int k = 0; k < blocks.length; k++) {
      long expected = (long) rows * specs.get(k).rowBytes();
      if (blocks[k].length < expected) {
        throw new IllegalArgumentException(
            specs.get(k).name() + " has " + blocks[k].length + " bytes, not " + expected);
      }
    }
    long values = (long) rows * ROW_VALUE_BYTES;
    if (rowValues.isPresent() && rowValues.get().length < values) {
      throw new IllegalArgumentException(
          "row values have " + rowValues.get().length + " bytes, not " + values);
    }
  }

  /** Good rows, whose values are not worked out. */
  public static RowGroupTensors of(int rows, List<TensorSpec> specs, byte[][] blocks) {
    return new RowGroupTensors(rows, specs, blocks, Optional.empty(), Optional.empty());
  }

  /** The same with what each row counts in the values digest. */
  public RowGroupTensors withRowValues(byte[] values) {
    return new RowGroupTensors(rows, specs, blocks, Optional.of(values), quarantined);
  }

  /**
   * The rows of a bad row group: they keep their positions, are not valid, and their bytes are
   * zero.
   */
  public static RowGroupTensors quarantined(int rows, List<TensorSpec> specs, String reason) {
    byte[][] blocks = new byte[specs.size()][];
    for (int k = 0; k < blocks.length; k++) {
      blocks[k] = new byte[Math.toIntExact((long) rows * specs.get(k).rowBytes())];
    }
    return new RowGroupTensors(rows, specs, blocks, Optional.empty(), Optional.of(reason));
  }

  /** Bytes of a tensor's rows. */
  public int bytes(int tensor) {
    return rows * specs.get(tensor).rowBytes();
  }

  /** Bytes of all tensors' rows, and of the row values. */
  public long bytes() {
    long sum = rowValues.isPresent() ? (long) rows * ROW_VALUE_BYTES : 0;
    for (int k = 0; k < blocks.length; k++) {
      sum += bytes(k);
    }
    return sum;
  }

  /** Rows {@code from} up to, not including, {@code to}; a copy unless that is all of them. */
  public RowGroupTensors slice(int from, int to) {
    if (from == 0 && to == rows) {
      return this;
    }
    byte[][] parts = new byte[blocks.length][];
    for (int k = 0; k < parts.length; k++) {
      int rowBytes = specs.get(k).rowBytes();
      parts[k] = Arrays.copyOfRange(blocks[k], from * rowBytes, to * rowBytes);
    }
    Optional<byte[]> values =
        rowValues.map(all -> Arrays.copyOfRange(all, from * ROW_VALUE_BYTES, to * ROW_VALUE_BYTES));
    return new RowGroupTensors(to - from, specs, parts, values, quarantined);
  }

  /** Gives all arrays to the pool; nobody may look at them any more. */
  public void giveBack(BlockPool pool) {
    pool.giveBack(blocks);
    rowValues.ifPresent(pool::giveBack);
  }
}
