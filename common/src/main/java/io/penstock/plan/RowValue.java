package io.penstock.plan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The number v that stands for a row's delivered bytes in the values digest (ORDER.md,
 * "Certificate"): it starts as {@link #VALID} or {@link #NOT_VALID} and takes in the row's bytes of
 * one tensor after the other.
 */
public final class RowValue {
  /** v of a valid row before its first tensor. */
  public static final long VALID = Certificate.mix(1);

  /** v of a row that is not valid before its first tensor. */
  public static final long NOT_VALID = Certificate.mix(0);

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Rows of which all tensors are taken in before the next ones. */
  private static final int TILE_ROWS = 64;

  private RowValue() {}

  /**
   * Values of valid rows.
   *
   * @param blocks per tensor, masks counted, its rows' bytes {@code [rows, rowBytes]}
   * @param rowBytes per tensor
   * @param to gets 8 little-endian bytes a row, from its first on
   */
  public static void ofRows(int rows, byte[][] blocks, int[] rowBytes, byte[] to) {
    long[] values = new long[Math.min(rows, TILE_ROWS)];
    for (int from = 0; from < rows; from += values.length) {
      int count = Math.min(values.length, rows - from);
      Arrays.fill(values, VALID);
      for (int k = 0; k < blocks.length; k++) {
        next(values, 0, count, blocks[k], from * rowBytes[k], rowBytes[k], k);
      }
      for (int i = 0; i < count; i++) {
        LONGS.set(to, (from + i) * Long.BYTES, values[i]);
      }
    }
  }

  /** The value at a row's place in what {@link #ofRows} made. */
  public static long at(byte[] values, int row) {
    return (long) LONGS.get(values, row * Long.BYTES);
  }

  /**
   * v after one more tensor.
   *
   * @param value v so far
   * @param rowBytesHash XXH64 of the row's bytes with the tensor's number as seed
   */
  public static long next(long value, long rowBytesHash) {
    return Certificate.mix(value + rowBytesHash);
  }

  /**
   * Takes one tensor into the values of consecutive rows.
   *
   * @param values v of each row so far; {@code values[from .. from+rows-1]} are replaced
   * @param block the rows' bytes, {@code [rows, rowBytes]}, from {@code offset} on
   * @param tensor the tensor's number k, masks counted
   */
  public static void next(
      long[] values, int from, int rows, byte[] block, int offset, int rowBytes, int tensor) {
    int at = offset;
    for (int i = from; i < from + rows; i++, at += rowBytes) {
      values[i] = next(values[i], XxHash64.hash(block, at, rowBytes, tensor));
    }
  }
}
