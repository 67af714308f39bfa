package io.penstock.container.decode;

import static io.penstock.container.decode.ChunkBuilder.packed;
import static io.penstock.container.decode.ChunkBuilder.repeated;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Places of zeros; expected is what was written. */
class HybridTest {
  /** As a writer does: groups of eight, and a repeated run where all of some groups are alike. */
  private static byte[] written(int[] levels) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int k = 0; k < levels.length; ) {
      int same = k;
      while (same < levels.length && levels[same] == levels[k]) {
        same++;
      }
      int count = same - k;
      if (count >= 8) {
        count = Math.min(count, 8000);
        out.writeBytes(repeated(count, levels[k]));
      } else {
        count = Math.min(8, levels.length - k);
        out.writeBytes(packed(1, Arrays.copyOfRange(levels, k, k + count)));
      }
      k += count;
    }
    return out.toByteArray();
  }

  private static void assertZeros(int[] levels, byte[] runs, String what) {
    int[] expected =
        IntStream.concat(
                IntStream.of(-7), IntStream.range(0, levels.length).filter(k -> levels[k] == 0))
            .map(k -> k < 0 ? k : k + 1000)
            .toArray();
    byte[] in = new byte[runs.length + 6];
    System.arraycopy(runs, 0, in, 2, runs.length);
    System.arraycopy(runs, 0, in, 2 + runs.length, Math.min(4, runs.length)); // as if it went on
    Hybrid hybrid = new Hybrid();
    hybrid.begin(in, 2, 2 + runs.length, 1);
    int[] places = new int[expected.length];
    places[0] = -7;
    assertEquals(expected.length - 1, hybrid.readZeros(places, 1, 1000, levels.length), what);
    assertEquals(Arrays.toString(expected), Arrays.toString(places), what);
  }

  @Test
  void zerosAreFoundInListsOfOneLength() {
    for (int length = 1; length <= 40; length++) {
      for (int cut = 0; cut < Math.min(length, 9); cut++) {
        for (int items : new int[] {1, 7, 64, 1000, 1003}) {
          int[] levels = new int[items];
          for (int k = 0; k < items; k++) {
            levels[k] = (k + cut) % length == 0 ? 0 : 1;
          }
          assertZeros(levels, written(levels), length + " from " + cut + " of " + items);
        }
      }
    }
  }

  @Test
  void zerosAreFoundWhereLengthsChange() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 300; round++) {
      int[] levels = new int[random.nextInt(1, 3000)];
      int next = random.nextInt(20);
      int length = 16;
      for (int k = 0; k < levels.length; k++) {
        levels[k] = 1;
        if (k == next) {
          levels[k] = 0;
          if (random.nextInt(round % 3 == 0 ? 2 : 50) == 0) {
            length = random.nextInt(1, 34);
          }
          next += length;
        }
      }
      assertZeros(levels, written(levels), "round " + round);
    }
  }

  @Test
  void runsThatRepeatEndWhereTheRangeDoes() {
    byte[] runs = written(IntStream.range(0, 64).map(k -> k % 16 == 0 ? 0 : 1).toArray());
    Hybrid hybrid = new Hybrid();
    hybrid.begin(ChunkBuilder.concat(runs, runs), 0, runs.length, 1);
    assertThrows(CorruptException.class, () -> hybrid.readZeros(new int[8], 0, 0, 65));
  }
}
