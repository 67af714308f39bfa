package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

import org.apache.parquet.format.Encoding;

/** Where the levels of a page lie. */
record Levels(
    byte[] in,
    int repetitionAt,
    int repetitionEnd,
    Encoding repetitionEncoding,
    int definitionAt,
    int definitionEnd,
    Encoding definitionEncoding) {

  static int width(int max) {
    return 32 - Integer.numberOfLeadingZeros(max);
  }

  /** Decodes the repetition levels as {@link Hybrid#readLevels} does. */
  long repetitions(int max, byte[] out, int count, Hybrid hybrid) {
    return read(
        "repetition", repetitionAt, repetitionEnd, repetitionEncoding, max, out, count, hybrid);
  }

  /** Decodes the definition levels as {@link Hybrid#readLevels} does; {@code max} is &gt; 0. */
  long definitions(int max, byte[] out, int count, Hybrid hybrid) {
    return read(
        "definition", definitionAt, definitionEnd, definitionEncoding, max, out, count, hybrid);
  }

  /** Whether the repetition levels are in runs. */
  boolean repetitionsInRuns() {
    return repetitionEncoding != Encoding.BIT_PACKED;
  }

  /** Decodes repetition levels that are in runs and at most 1 as {@link Hybrid#readZeros} does. */
  int beginnings(int[] places, int to, int first, int count, Hybrid hybrid) {
    hybrid.begin(in, repetitionAt, repetitionEnd, 1);
    return hybrid.readZeros(places, to, first, count);
  }

  private long read(
      String kind,
      int at,
      int end,
      Encoding encoding,
      int max,
      byte[] out,
      int count,
      Hybrid hybrid) {
    long seen;
    if (encoding == Encoding.BIT_PACKED) {
      unpackLegacy(in, at, width(max), out, count);
      seen = seen(out, count);
    } else {
      hybrid.begin(in, at, end, width(max));
      seen = hybrid.readLevels(out, count);
      if (seen >>> max > 1) { // or maybe not: packed values count as all that their bits can say
        if (Long.bitCount(seen) > 1) {
          seen = seen(out, count);
        }
      }
    }
    check(seen >>> max <= 1, () -> "a " + kind + " level above " + max);
    return seen;
  }

  private static long seen(byte[] levels, int count) {
    long seen = 0;
    for (int k = 0; k < count; k++) {
      seen |= 1L << Math.min(levels[k] & 0xff, 63);
    }
    return seen;
  }

  /** The old packing of levels: most significant bit first. */
  private static void unpackLegacy(byte[] in, int at, int width, byte[] out, int count) {
    long bit = (long) at << 3;
    for (int k = 0; k < count; k++) {
      int value = 0;
      for (int j = 0; j < width; j++, bit++) {
        value = value << 1 | in[(int) (bit >>> 3)] >>> (7 - (int) (bit & 7)) & 1;
      }
      out[k] = (byte) value;
    }
  }
}
