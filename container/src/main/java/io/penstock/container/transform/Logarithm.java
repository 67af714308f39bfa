package io.penstock.container.transform;

/**
 * log(1 + x), the same double as {@link StrictMath#log1p} for every x, several times as fast: that
 * one is a call out of Java on JDK 17.
 *
 * <h2>Method</h2>
 *
 * FDLIBM's (s_log1p.c, its constants and its order of operations; see NOTICE), since the result is
 * to be its. 1 + x = 2^k (1 + f) with sqrt(1/2) &lt; 1 + f &lt; sqrt(2). With s = f / (2 + f),
 * log(1 + f) = f - (f²/2 - s (f²/2 + R(s²))), R being a polynomial. 1 + x is not exact when k is
 * not 0; what its rounding lost, divided by it, is added back. k log 2 is added in two parts, of
 * which the first has zeros for its last bits.
 */
final class Logarithm {
  private static final double LN2_HIGH = Double.longBitsToDouble(0x3fe62e42fee00000L);
  private static final double LN2_LOW = Double.longBitsToDouble(0x3dea39ef35793c76L);

  private static final double R1 = Double.longBitsToDouble(0x3fe5555555555593L);
  private static final double R2 = Double.longBitsToDouble(0x3fd999999997fa04L);
  private static final double R3 = Double.longBitsToDouble(0x3fd2492494229359L);
  private static final double R4 = Double.longBitsToDouble(0x3fcc71c51d8e78afL);
  private static final double R5 = Double.longBitsToDouble(0x3fc7466496cb03deL);
  private static final double R6 = Double.longBitsToDouble(0x3fc39a09d078c69fL);
  private static final double R7 = Double.longBitsToDouble(0x3fc2f112df3e5244L);

  /** Between these, about sqrt(1/2) - 1 and sqrt(2) - 1, k is 0 and f is x. */
  private static final double NEAR_LOW = -Double.longBitsToDouble(0x3fd2bec400000000L);

  private static final double NEAR_HIGH = Double.longBitsToDouble(0x3fda827a00000000L);

  /** The first 20 bits of sqrt(2)'s fraction. */
  private static final int ROOT2 = 0x6a09e;

  private static final int FRACTION = 0xfffff;
  private static final long LOW_WORD = 0xffffffffL;

  private Logarithm() {}

  static double log1p(double x) {
    if (x > NEAR_LOW && x < NEAR_HIGH) {
      double size = Math.abs(x);
      if (size >= 0x1p-29) {
        return nearOne(x);
      }
      return size < 0x1p-54 ? x : x - x * x * 0.5;
    }
    if (x > -1 && x < Double.POSITIVE_INFINITY) {
      return x < 0x1p53 ? reduced(1.0 + x, x) : reduced(x, Double.NaN);
    }
    if (x == -1) {
      return Double.NEGATIVE_INFINITY;
    }
    return x > 0 ? x : Double.NaN;
  }

  /** log(1 + f), f being exact and not close to 0. */
  private static double nearOne(double f) {
    double half = 0.5 * f * f;
    return f - (half - partOf(f, half));
  }

  /** s (f²/2 + R(s²)). */
  private static double partOf(double f, double half) {
    double s = f / (2.0 + f);
    double z = s * s;
    double r = z * (R1 + z * (R2 + z * (R3 + z * (R4 + z * (R5 + z * (R6 + z * R7))))));
    return s * (half + r);
  }

  /**
   * @param u 1 + x, rounded
   * @param x NaN where 1 is too small to change it
   */
  private static double reduced(double u, double x) {
    long bits = Double.doubleToRawLongBits(u);
    int high = (int) (bits >>> 32);
    int k = (high >> 20) - 1023;
    double lost = x != x ? 0 : (k > 0 ? 1.0 - (u - x) : x - (u - 1.0)) / u;
    int fraction = high & FRACTION;
    int exponent = 0x3ff00000;
    int distance = fraction;
    if (fraction >= ROOT2) {
      k++;
      exponent = 0x3fe00000;
      distance = (0x100000 - fraction) >> 2;
    }
    double f = Double.longBitsToDouble((long) (exponent | fraction) << 32 | bits & LOW_WORD) - 1.0;
    double half = 0.5 * f * f;
    if (distance == 0) {
      return nearPower(k, f, half, lost);
    }
    if (k == 0) {
      return f - (half - partOf(f, half));
    }
    return k * LN2_HIGH - ((half - (partOf(f, half) + (k * LN2_LOW + lost))) - f);
  }

  /** The same where f is so small that the polynomial would be of no use. */
  private static double nearPower(int k, double f, double half, double lost) {
    if (f == 0) {
      return k == 0 ? 0 : k * LN2_HIGH + (lost + k * LN2_LOW);
    }
    double r = half * (1.0 - 0.66666666666666666 * f);
    return k == 0 ? f - r : k * LN2_HIGH - ((r - (k * LN2_LOW + lost)) - f);
  }
}
