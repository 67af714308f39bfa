package io.penstock.container.decode;

/** IEEE 754 half precision, exact in float32. */
final class Half {
  private static final float LEAST = 0x1p-24f;

  private Half() {}

  static float toFloat(short bits) {
    int sign = (bits & 0x8000) << 16;
    int exponent = bits >>> 10 & 0x1f;
    int fraction = bits & 0x3ff;
    if (exponent == 0x1f) { // infinite or NaN
      return Float.intBitsToFloat(sign | 0x7f800000 | fraction << 13);
    }
    if (exponent == 0) { // zero or subnormal
      float magnitude = fraction * LEAST;
      return sign == 0 ? magnitude : -magnitude;
    }
    return Float.intBitsToFloat(sign | (exponent + 112) << 23 | fraction << 13);
  }
}
