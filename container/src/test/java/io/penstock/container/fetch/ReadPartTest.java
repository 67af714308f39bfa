package io.penstock.container.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.fetch.MergedReads.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReadPartTest {
  /** What each part reads. */
  private static List<Range> reads(int gap, int bytes, Range... ranges) throws IOException {
    List<Range> reads = new ArrayList<>();
    for (ReadPart part : ReadPart.of(List.of(ranges), gap, bytes)) {
      NotingFile file = new NotingFile();
      part.read(file, new byte[part.room()]);
      assertEquals(1, file.reads.size());
      reads.addAll(file.reads);
    }
    return reads;
  }

  private static List<Integer> rooms(int gap, int bytes, Range... ranges) {
    return ReadPart.of(List.of(ranges), gap, bytes).stream().map(ReadPart::room).toList();
  }

  @Test
  void rangesThatFollowEachOtherAreOneReadUpToTheLimit() throws IOException {
    Range[] ranges = {
      new Range(0, 30), new Range(30, 30), new Range(60, 40), new Range(100, 50), new Range(150, 1)
    };
    assertEquals(List.of(new Range(0, 100), new Range(100, 51)), reads(0, 100, ranges));
    assertEquals(List.of(new Range(0, 60), new Range(60, 91)), reads(0, 99, ranges));
  }

  @Test
  void gapsAreReadAlongAndCount() throws IOException {
    Range[] ranges = {new Range(0, 40), new Range(50, 40), new Range(101, 10)};
    assertEquals(List.of(new Range(0, 90), new Range(101, 10)), reads(10, 200, ranges));
    assertEquals(List.of(new Range(0, 111)), reads(11, 111, ranges));
    assertEquals(List.of(new Range(0, 90), new Range(101, 10)), reads(11, 110, ranges));
  }

  @Test
  void whatLiesBeforeOrWithinIsAPartOfItsOwnSoThatItIsReadAtTheSameTime() throws IOException {
    assertEquals(
        List.of(new Range(60, 40), new Range(0, 60)),
        reads(0, 100, new Range(60, 40), new Range(0, 30), new Range(30, 30)));
    assertEquals(
        List.of(new Range(10, 100), new Range(20, 30)),
        reads(0, 1000, new Range(10, 100), new Range(20, 30)));
  }

  @Test
  void aLongRangeIsAPartOfItsOwn() throws IOException {
    assertEquals(
        List.of(new Range(0, 10), new Range(10, 300), new Range(310, 10)),
        reads(50, 100, new Range(0, 10), new Range(10, 300), new Range(310, 10)));
  }

  @Test
  void noRangesHaveNoParts() {
    assertEquals(List.of(), ReadPart.of(List.of(), 10, 100));
  }

  @Test
  void buffersAreAllOfOneLengthUnlessThatWouldBeAWaste() {
    // 88 of 100 bytes wait for no more than a seventh; 87 do not.
    assertEquals(List.of(100, 100), rooms(0, 100, new Range(0, 88), new Range(88, 99)));
    assertEquals(List.of(88, 100), rooms(0, 100, new Range(0, 87), new Range(87, 99)));
    // Steps of a sixteenth of a power of two.
    assertEquals(List.of(304, 10), rooms(0, 100, new Range(0, 300), new Range(300, 10)));
    assertEquals(304, ReadPart.room(300));
  }

  @Test
  void everyRangeHasItsBytesInABufferThatIsNotTooLong() throws IOException {
    SplittableRandom random = new SplittableRandom(9);
    for (int round = 0; round < 500; round++) {
      List<Range> ranges = new ArrayList<>();
      for (int k = random.nextInt(1, 12); k > 0; k--) {
        ranges.add(new Range(random.nextInt(2000), random.nextInt(300)));
      }
      int bytes = random.nextInt(1, 600);
      int next = 0;
      for (ReadPart part : ReadPart.of(ranges, random.nextInt(50), bytes)) {
        assertEquals(next, part.first());
        byte[] buffer = new byte[part.room()];
        NotingFile file = new NotingFile();
        part.read(file, buffer);
        int read = file.reads.stream().mapToInt(Range::length).sum();
        assertTrue(read <= bytes || part.size() == 1, read + " bytes in a part of " + bytes);
        assertTrue(
            part.room() <= Math.max(read + read / ReadPart.WASTE, ReadPart.room(read)),
            part.room() + " bytes for " + read);
        for (; next < part.first() + part.size(); next++) {
          Range range = ranges.get(next);
          byte[] expected = new byte[range.length()];
          new NotingFile().readFully(range.position(), expected, 0, expected.length);
          int at = part.offset(next);
          assertTrue(
              Arrays.equals(expected, 0, expected.length, buffer, at, at + expected.length),
              "range " + next + " of " + ranges);
        }
      }
      assertEquals(ranges.size(), next);
    }
  }
}
