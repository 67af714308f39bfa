package io.penstock.plan;

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

  private RowValue() {}

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
