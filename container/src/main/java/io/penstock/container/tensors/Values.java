package io.penstock.container.tensors;

/**
 * The leaf values of a column, in file order. Arrays may be longer than the column has items:
 * workers reuse them. An item that is null has a slot too; what lies in it means nothing.
 */
public sealed interface Values {
  /** Whole numbers that fit 32 bits, signed. */
  record Ints(int[] array) implements Values {}

  /** Whole numbers; the bits of an unsigned one; the unscaled number of a decimal that fits. */
  record Longs(long[] array) implements Values {}

  /** FLOAT and FLOAT16, which float32 holds exactly. */
  record Floats(float[] array) implements Values {}

  record Doubles(double[] array) implements Values {}

  /**
   * Bytes of any length: item i is {@code data[offsets[i]]} up to, not including, {@code
   * data[offsets[i + 1]]}. Also the unscaled number of a decimal that is too wide for a {@code
   * long}: two's complement, most significant byte first.
   *
   * @param offsets one more than there are items, the first 0
   */
  record Bytes(byte[] data, int[] offsets) implements Values {}

  /**
   * Values by their place in a dictionary, so that work can be done once per entry.
   *
   * @param entries never itself a {@code Dictionary}
   * @param size how many entries there are
   * @param indices 0 &lt;= index &lt; size for every item that is not null
   */
  record Dictionary(Values entries, int size, int[] indices) implements Values {
    public Dictionary {
      if (entries instanceof Dictionary) {
        throw new IllegalArgumentException("a dictionary of a dictionary");
      }
    }
  }
}
