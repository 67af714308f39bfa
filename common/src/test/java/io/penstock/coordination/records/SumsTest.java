package io.penstock.coordination.records;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.model.Digest128;
import org.junit.jupiter.api.Test;

class SumsTest {
  private static Sums sums(long rows, long values) {
    return new Sums(rows, 1, rows, 0, new Digest128(rows, -1), new Digest128(values, values));
  }

  @Test
  void partsAddUpModulo2To64() {
    Sums sum = sums(3, 5).plus(sums(4, -7));
    assertEquals(new Sums(7, 2, 7, 0, new Digest128(7, -2), new Digest128(-2, -2)), sum);
    assertEquals(sum, sum.plus(Sums.NONE));
    assertEquals(sum, Sums.NONE.plus(sum));
  }

  /** A job may go on from one that had values digests, without them, or the other way round. */
  @Test
  void aValuesDigestOfSomeOfTheRowsIsNone() {
    Sums without = sums(4, 0);
    assertEquals(Digest128.ZERO, sums(3, 5).plus(without).values());
    assertEquals(Digest128.ZERO, without.plus(sums(3, 5)).values());
    assertEquals(new Digest128(7, -2), without.plus(sums(3, 5)).order());
  }
}
