package io.penstock.container.fetch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.penstock.config.FetchSettings;
import io.penstock.container.fetch.MergedReads.Range;
import io.penstock.container.fetch.MergedReads.Slice;
import io.penstock.container.tensors.BlockPool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MergedReadsTest {
  private static FetchSettings settings(int gap, int maxRead) {
    return new FetchSettings(1, Duration.ofSeconds(1), 1, Duration.ZERO, gap, maxRead);
  }

  private static List<Range> reads(FetchSettings settings, Range... ranges) throws IOException {
    NotingFile file = new NotingFile();
    MergedReads.read(file, List.of(ranges), settings, byte[]::new);
    return file.reads;
  }

  @Test
  void rangesWithASmallGapAreReadAsOne() throws IOException {
    assertEquals(
        List.of(new Range(100, 35)),
        reads(settings(5, 1000), new Range(100, 10), new Range(115, 20)));
    assertEquals(
        List.of(new Range(100, 10), new Range(116, 20)),
        reads(settings(5, 1000), new Range(100, 10), new Range(116, 20)));
  }

  @Test
  void noReadOfSeveralRangesIsLongerThanTheLimit() throws IOException {
    assertEquals(
        List.of(new Range(0, 60), new Range(60, 80)),
        reads(settings(0, 99), new Range(0, 30), new Range(30, 30), new Range(60, 80)));
    assertEquals(
        List.of(new Range(0, 300), new Range(300, 10)),
        reads(settings(0, 99), new Range(300, 10), new Range(0, 300)));
  }

  @Test
  void rangesThatOverlapShareTheirBytes() throws IOException {
    assertEquals(
        List.of(new Range(10, 200)),
        reads(settings(0, 50), new Range(10, 200), new Range(20, 30), new Range(10, 200)));
  }

  @Test
  void everySliceHasItsBytesWhateverIsMerged() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    BlockPool buffers = new BlockPool(1 << 20);
    for (int round = 0; round < 200; round++) {
      List<Range> ranges = new ArrayList<>();
      for (int k = random.nextInt(1, 12); k > 0; k--) {
        ranges.add(new Range(random.nextInt(2000), random.nextInt(300)));
      }
      FetchSettings settings = settings(random.nextInt(50), random.nextInt(1, 600));
      List<Slice> slices = MergedReads.read(new NotingFile(), ranges, settings, buffers::take);
      for (int k = 0; k < ranges.size(); k++) {
        Slice slice = slices.get(k);
        byte[] expected = new byte[ranges.get(k).length()];
        new NotingFile().readFully(ranges.get(k).position(), expected, 0, expected.length);
        assertArrayEquals(
            expected,
            Arrays.copyOfRange(slice.buffer(), slice.offset(), slice.offset() + slice.length()));
      }
      slices.stream().map(Slice::buffer).distinct().forEach(buffers::giveBack);
    }
  }

  @Test
  void readsOfAboutTheSameLengthShareABuffer() throws IOException {
    BlockPool buffers = new BlockPool(1 << 20);
    FetchSettings settings = settings(0, 1 << 20);
    byte[] first =
        MergedReads.read(new NotingFile(), List.of(new Range(0, 100_000)), settings, buffers::take)
            .get(0)
            .buffer();
    buffers.giveBack(first);
    List<Slice> next =
        MergedReads.read(new NotingFile(), List.of(new Range(5, 101_000)), settings, buffers::take);
    assertSame(first, next.get(0).buffer());
  }
}
