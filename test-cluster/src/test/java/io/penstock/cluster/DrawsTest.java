package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DrawsTest {
  @Test
  void aRowDrawsTheSplitMix64SequenceOfItsSeedAndNumber() {
    // Computed in Python from the published algorithm.
    Draws draws = new Draws(42, 7);
    assertEquals(0x714b7856c46b65deL, draws.nextLong());
    assertEquals(0xf170efaf47aac4d4L, draws.nextLong());
    assertEquals(0xa18ee6159be602f6L, draws.nextLong());
  }

  @Test
  void bellDrawsHaveMeanZeroAndDeviationOne() {
    Draws draws = new Draws(1, 0);
    int count = 100_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double value = draws.bell();
      assertTrue(Math.abs(value) <= 3.5, () -> "beyond 3.5: " + value);
      sum += value;
      squares += value * value;
    }
    assertEquals(0, sum / count, 0.02);
    assertEquals(1, squares / count, 0.02);
  }
}
