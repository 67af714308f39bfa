package io.penstock.container.transform;

/** IEEE 754 binary16. */
final class Float16 {
  /** The least finite magnitude that rounds to infinity: half a step above 65504. */
  static final double OVERFLOW = 65520.0;

  static final short NAN = 0x7e00;

  private static final int INFINITY = 0x7c00;
  private static final double LEAST_NORMAL = 0x1p-14;

  private Float16() {}

  /**
   * The bits of the nearest float16, ties to even, rounded once; NaN becomes the quiet one without
   * payload.
   */
  static short bits(double value) {
    if (value != value) {
      return NAN;
    }
    long raw = Double.doubleToRawLongBits(value);
    int sign = (int) (raw >>> 48) & 0x8000;
    double magnitude = Math.abs(value);
    if (magnitude >= OVERFLOW) {
      return (short) (sign | INFINITY);
    }
    if (magnitude < LEAST_NORMAL) {
      // Whole multiples of 2^-24; 1024 of them are the least normal number, whose bits are 1024.
      return (short) (sign | (int) Math.rint(magnitude * 0x1p24));
    }
    long fraction = raw & 0xfffffffffffffL;
    int half = (Math.getExponent(magnitude) + 15) << 10 | (int) (fraction >>> 42);
    long rest = fraction & 0x3ffffffffffL;
    if (rest > 0x20000000000L || (rest == 0x20000000000L && (half & 1) != 0)) {
      half++;
    }
    return (short) (sign | half);
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
