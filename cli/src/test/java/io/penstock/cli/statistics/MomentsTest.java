package io.penstock.cli.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Expected values come from exact decimal arithmetic. */
class MomentsTest {
  private static final MathContext EXACT = new MathContext(60);

  private static BigDecimal mean(double[] values) {
    BigDecimal sum = BigDecimal.ZERO;
    for (double value : values) {
      sum = sum.add(new BigDecimal(value));
    }
    return sum.divide(BigDecimal.valueOf(values.length), EXACT);
  }

  private static double deviation(double[] values) {
    BigDecimal mean = mean(values);
    BigDecimal squares = BigDecimal.ZERO;
    for (double value : values) {
      BigDecimal difference = new BigDecimal(value).subtract(mean);
      squares = squares.add(difference.multiply(difference, EXACT));
    }
    return squares.divide(BigDecimal.valueOf(values.length), EXACT).sqrt(EXACT).doubleValue();
  }

  private static Moments inParts(double[] values, SplittableRandom random) {
    Moments all = Moments.NONE;
    for (int from = 0; from < values.length; ) {
      int to = Math.min(values.length, from + random.nextInt(200));
      all = all.plus(Moments.of(Arrays.copyOfRange(values, from, to), to - from));
      from = to;
    }
    return all;
  }

  @Test
  void valuesFarFromZeroKeepTheirDeviation() {
    SplittableRandom random = new SplittableRandom(7);
    for (double offset : new double[] {0, 1, -1e6, 1e9, 1e12}) {
      double[] values = random.doubles(5000).map(value -> offset + value).toArray();
      Moments moments = inParts(values, random);
      assertEquals(values.length, moments.count());
      assertEquals(
          mean(values).doubleValue(), moments.mean(), Math.ulp(mean(values).doubleValue()));
      double expected = deviation(values);
      assertEquals(expected, moments.deviation(), 1e-13 * expected);
    }
  }

  @Test
  void largeValuesThatCancelLeaveTheSmallOnes() {
    double[] values = {1e16, 1, -1e16, 3, 1e16, -1e16};
    assertEquals(4.0 / 6, Moments.of(values, values.length).mean());
  }

  @Test
  void equalValuesHaveExactlyThatMeanAndNoDeviation() {
    double[] values = new double[999];
    Arrays.fill(values, 0.1);
    Moments moments = inParts(values, new SplittableRandom(3));
    assertEquals(0.1, moments.mean());
    assertEquals(0, moments.deviation());
  }

  @Test
  void noValuesHaveNoDeviation() {
    assertTrue(Double.isNaN(Moments.NONE.plus(Moments.NONE).deviation()));
    Moments one = Moments.of(new double[] {5}, 1);
    assertEquals(one, Moments.NONE.plus(one));
    assertEquals(one, one.plus(Moments.NONE));
  }
}
