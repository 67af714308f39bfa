package io.penstock.container.transform;

/** IEEE 754 binary16. */
final class Float16 {
  /** The least finite magnitude that rounds to infinity: half a step above 65504. */
  static final double OVERFLOW = 65520.0;

  static final short NAN = 0x7e00;

  private static final int INFINITY = 0x7c00;
  private static final double LEAST_NORMAL = 0x1p-14;

  /** Bits of a float64's fraction that a float16's lacks. */
  private static final int CUT = 42;

  private static final long BELOW_HALF = (1L << CUT - 1) - 1;
  private static final long REBIAS = 1023L - 15 << 52;

  private Float16() {}

  /**
   * The bits of the nearest float16, ties to even, rounded once; NaN becomes the quiet one without
   * payload.
   */
  static short bits(double value) {
    long raw = Double.doubleToRawLongBits(value);
    int sign = (int) (raw >>> 48) & 0x8000;
    double magnitude = Math.abs(value);
    if (magnitude < LEAST_NORMAL) {
      // The sum's last bit is worth 2^-24, as a subnormal's is, so adding rounds. 1024 of them are
      // the least normal number, whose bits are 1024.
      return (short) (sign | (int) Double.doubleToRawLongBits(magnitude + 0x1p28) & 0xfff);
    }
    if (magnitude < OVERFLOW) {
      // Rounded by what is carried out of the bits that are cut off, into the exponent too.
      long bits = (raw & Long.MAX_VALUE) - REBIAS;
      return (short) (sign | (int) (bits + BELOW_HALF + (bits >>> CUT & 1) >>> CUT));
    }
    return value != value ? NAN : (short) (sign | INFINITY);
  }

  /** The value of these bits, exactly. */
  static double value(short bits) {
    int exponent = (bits >>> 10) & 0x1f;
    int fraction = bits & 0x3ff;
    double magnitude =
        switch (exponent) {
          case 0 -> fraction * 0x1p-24;
          case 31 -> fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
          default -> Math.scalb(1.0 + fraction * 0x1p-10, exponent - 15);
        };
    return bits < 0 ? -magnitude : magnitude;
  }
}
