package io.penstock.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PermutationsTest {
  @Test
  void equalThePublishedVectors() {
    List<JsonNode> vectors = OrderVectors.section("permutations");
    assertEquals(20, vectors.size());
    for (JsonNode vector : vectors) {
      long[] key =
          OrderVectors.longs(vector.get("spawn_key")).stream().mapToLong(Long::longValue).toArray();
      assertArrayEquals(
          OrderVectors.ints(vector.get("permutation")),
          Permutations.permutation(vector.get("seed").longValue(), vector.get("n").intValue(), key),
          vector::toString);
    }
  }

  // The literals below were computed with NumPy 2.4.6.

  @Test
  void aMillionElementsEqualNumPys() {
    int[] p = Permutations.permutation(9, 1_000_000, 2, 1, 0, 0);
    assertArrayEquals(
        new int[] {464395, 114567, 520630, 300614, 653696}, Arrays.copyOfRange(p, 0, 5));
    assertArrayEquals(
        new int[] {776549, 37346, 308560, 200426, 532240},
        Arrays.copyOfRange(p, 999_995, 1_000_000));
    long weighted = 0;
    for (int i = 0; i < p.length; i++) {
      weighted += (long) i * p[i];
    }
    assertEquals(249927677039797016L, weighted);
  }

  @Test
  void aKeyEntryFrom2To32OnTakesTwoWords() {
    assertArrayEquals(
        new int[] {0, 9, 11, 8, 4, 2, 7, 1, 3, 6, 5, 10},
        Permutations.permutation(42, 12, 1, 5_000_000_000L, 3));
  }

  @Test
  void withoutAKeyTheSeedIsNotPadded() {
    assertArrayEquals(
        new int[] {0, 7, 6, 9, 11, 3, 5, 2, 4, 10, 1, 8}, Permutations.permutation(42, 12));
    assertArrayEquals(
        new int[] {3, 7, 10, 11, 0, 9, 4, 8, 6, 2, 5, 1}, Permutations.permutation(1L << 40, 12));
  }

  @Test
  void ofNothingIsEmpty() {
    assertArrayEquals(new int[0], Permutations.permutation(1, 0, 0));
  }
}
