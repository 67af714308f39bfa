package io.penstock.container.transform;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link StrictMath} is the judge: FEED.md promises its result. */
class LogarithmTest {
  private static void check(double x) {
    double expected = StrictMath.log1p(x);
    double got = Logarithm.log1p(x);
    if (Double.doubleToLongBits(expected) != Double.doubleToLongBits(got)) {
      assertEquals(expected, got, "log1p(" + Double.toHexString(x) + ")");
    }
  }

  private static void checkAround(double x) {
    long bits = Double.doubleToRawLongBits(x);
    for (long step = -300; step <= 300; step++) {
      check(Double.longBitsToDouble(bits + step));
    }
  }

  @Test
  void ofEveryKindOfBitsIsStrictMaths() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000_000; i++) {
      check(Double.longBitsToDouble(random.nextLong()));
    }
  }

  @Test
  void ofEachExponentIsStrictMaths() {
    SplittableRandom random = new SplittableRandom(2);
    for (long exponent = 0; exponent < 2048; exponent++) {
      for (int i = 0; i < 500; i++) {
        long fraction = i < 2 ? -i : random.nextLong();
        long bits = exponent << 52 | fraction & 0xfffffffffffffL;
        check(Double.longBitsToDouble(bits));
        check(Double.longBitsToDouble(bits | Long.MIN_VALUE));
      }
    }
  }

  @Test
  void ofWhatDataHoldsIsStrictMaths() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200_000; i++) {
      check(i);
      check((float) (i * 0.1));
      check(i * 0x1p-20 - 1);
      check(random.nextDouble() * 2 - 1);
      check(random.nextDouble() * 0x1p30);
    }
  }

  @Test
  void besideEveryBorderOfTheMethodItIsStrictMaths() {
    for (double border : new double[] {0, 1, 0x1p-29, 0x1p-54, 0x1p53, 0x1p52, 0x1p54, 0x1p1023}) {
      checkAround(border);
      checkAround(-border);
    }
    checkAround(Double.longBitsToDouble(0x3fda827a00000000L));
    checkAround(Double.longBitsToDouble(0xbfd2bec300000000L));
    checkAround(Double.longBitsToDouble(0xbfd2bec400000000L));
    checkAround(Double.MIN_NORMAL);
    checkAround(Double.MAX_VALUE);
    for (int k = -60; k < 70; k++) {
      // 1 + x close to a power of 2, and to one times the root of 2.
      checkAround(StrictMath.scalb(1.0, k) - 1);
      checkAround(StrictMath.scalb(StrictMath.sqrt(2), k) - 1);
      checkAround(StrictMath.scalb(1 - 0x1p-21, k) - 1);
      checkAround(StrictMath.scalb(1 + 0x1p-21, k) - 1);
    }
    for (double special :
        new double[] {
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          -0.0,
          Double.MIN_VALUE,
          -Double.MIN_VALUE
        }) {
      check(special);
    }
  }
}
