package io.penstock.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.coordination.records.Sums;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateFilesTest {
  private static final int STEPS = 40;
  private static final int BATCH = 12;
  private static final Configuration CONFIGURATION = new Configuration(false);

  @TempDir private Path dir;

  private HistoryFolder folder() {
    return new HistoryFolder(dir.toUri().toString(), "application_1700000000000_0001");
  }

  /** A number of its own for every place of every step. */
  private static long place(long epoch, long step, int place) {
    return new Random(epoch * 1_000_003 + step * 1_009 + place).nextLong();
  }

  private static Digest128 digest(long epoch, long from, long to) {
    long sum = 0;
    for (long step = from; step < to; step++) {
      for (int place = 0; place < BATCH; place++) {
        sum += place(epoch, step, place);
      }
    }
    return new Digest128(sum, ~sum);
  }

  private static Sums sums(RankSlice slice, long epoch, long step) {
    long sum = 0;
    long second = 0;
    for (int place = slice.from(BATCH); place < slice.to(BATCH); place++) {
      sum += place(epoch, step, place);
    }
    second = slice.rank() == 0 ? ~sum : -sum;
    return new Sums(BATCH / slice.ranks(), 0, 0, 0, new Digest128(sum, second), Digest128.ZERO);
  }

  private void deliver(int generation, int ranks, Cursor start, Cursor end, int commitEvery) {
    for (int rank = 0; rank < ranks; rank++) {
      deliver(generation, new RankSlice(rank, ranks), start, end, commitEvery);
    }
  }

  private void deliver(int generation, RankSlice slice, Cursor start, Cursor end, int commitEvery) {
    CertificateHeader header =
        new CertificateHeader(
            slice,
            generation,
            start,
            STEPS,
            BATCH,
            16,
            CertificateHeader.Values.OFF,
            "0".repeat(64),
            "1".repeat(64));
    try (CertificateLog log =
        CertificateLog.open(
            folder(),
            "train",
            header,
            CONFIGURATION,
            Duration.ofSeconds(30),
            SystemClock.INSTANCE)) {
      for (Cursor at = start;
          at.compareTo(end) < 0;
          at = Cursor.after(at.epoch(), at.step(), STEPS)) {
        log.delivered(at.epoch(), at.step(), sums(slice, at.epoch(), at.step()));
        if ((at.step() + 1) % commitEvery == 0) {
          log.committed();
        }
      }
    }
  }

  private List<Block> blocks(long epoch, Cursor end) throws IOException {
    FileSystem fileSystem = FileSystem.newInstance(dir.toUri(), CONFIGURATION);
    try (fileSystem) {
      return CertificateFiles.read(fileSystem, folder().certificates("train")).blocks(epoch, end);
    }
  }

  private static Map<Long, Long> ranges(List<Block> blocks) {
    Map<Long, Long> ranges = new TreeMap<>();
    for (Block block : blocks) {
      ranges.put(block.from(), block.to());
      assertEquals(
          digest(block.epoch(), block.from(), block.to()).first(),
          block.sums().order().first(),
          () -> "first sum of " + block);
      assertEquals((block.to() - block.from()) * BATCH, block.sums().rows());
    }
    return ranges;
  }

  @Test
  void blocksOfAllRanksAddUp() throws IOException {
    deliver(1, 3, Cursor.START, new Cursor(2, 0), STEPS);
    Cursor end = new Cursor(2, 0);
    assertEquals(Map.of(0L, 16L, 16L, 32L, 32L, 40L), ranges(blocks(0, end)));
    assertEquals(Map.of(0L, 16L, 16L, 32L, 32L, 40L), ranges(blocks(1, end)));
    assertEquals(Map.of(), ranges(blocks(2, end)));
  }

  @Test
  void whatTheNextGenerationDeliversAgainCountsOnceWhateverItsNumberOfRanks() throws IOException {
    deliver(1, 4, Cursor.START, new Cursor(0, 27), 10);
    deliver(2, 3, new Cursor(0, 20), new Cursor(1, 7), 40);
    deliver(4, 2, new Cursor(1, 0), new Cursor(2, 0), 40);
    Cursor end = new Cursor(2, 0);
    assertEquals(Map.of(0L, 10L, 10L, 16L, 16L, 20L, 20L, 32L, 32L, 40L), ranges(blocks(0, end)));
    assertEquals(Map.of(0L, 16L, 16L, 32L, 32L, 40L), ranges(blocks(1, end)));
  }

  @Test
  void aGenerationThatRestartsWhereAnEarlierOneDidReplacesAllBetween() throws IOException {
    deliver(1, 2, Cursor.START, new Cursor(0, 30), 10);
    deliver(2, 2, new Cursor(0, 20), new Cursor(0, 40), 10);
    deliver(3, 2, new Cursor(0, 20), new Cursor(0, 25), 5);
    assertEquals(
        Map.of(0L, 10L, 10L, 16L, 16L, 20L, 20L, 25L), ranges(blocks(0, new Cursor(0, 40))));
  }

  @Test
  void whatIsBeyondTheAgreedCursorIsLeftOut() throws IOException {
    deliver(1, 2, Cursor.START, new Cursor(0, 30), 10);
    assertEquals(Map.of(0L, 10L, 10L, 16L, 16L, 20L), ranges(blocks(0, new Cursor(0, 20))));
  }

  @Test
  void ranksThatCommitAtDifferentStepsAreKnownWhereBothEndARecord() throws IOException {
    deliver(1, new RankSlice(0, 2), Cursor.START, new Cursor(1, 0), 7);
    deliver(1, new RankSlice(1, 2), Cursor.START, new Cursor(1, 0), 5);
    assertEquals(
        Map.of(0L, 16L, 16L, 32L, 32L, 35L, 35L, 40L), ranges(blocks(0, new Cursor(1, 0))));
  }

  @Test
  void stepsOfWhichARankHasNoRecordAreNotKnown() throws IOException {
    deliver(1, new RankSlice(0, 2), Cursor.START, new Cursor(1, 0), 40);
    deliver(1, new RankSlice(1, 2), Cursor.START, new Cursor(0, 32), 40);
    assertEquals(Map.of(0L, 16L, 16L, 32L), ranges(blocks(0, new Cursor(1, 0))));
    deliver(2, new RankSlice(0, 2), new Cursor(0, 32), new Cursor(1, 0), 40);
    assertEquals(Map.of(0L, 16L, 16L, 32L), ranges(blocks(0, new Cursor(1, 0))));
  }

  @Test
  void aRecordThatWasCutOffCountsAsNotWritten() throws IOException {
    deliver(1, 1, Cursor.START, new Cursor(1, 0), STEPS);
    Path file = parts().get(parts().size() - 1);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 5));
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    assertEquals(Map.of(0L, 16L, 16L, 32L), ranges(blocks(0, new Cursor(1, 0))));
  }

  @Test
  void aRecordWithAFlippedBitIsSaidToBeBroken() throws IOException {
    deliver(1, 1, Cursor.START, new Cursor(1, 0), STEPS);
    Path file = parts().get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[136 + 96 + 60] ^= 4;
    Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    try (FileSystem fileSystem = FileSystem.newInstance(dir.toUri(), CONFIGURATION)) {
      CertificateFiles files = CertificateFiles.read(fileSystem, folder().certificates("train"));
      assertEquals(Map.of(0L, 16L), ranges(files.blocks(0, new Cursor(1, 0))));
      assertTrue(files.problems().get(0).contains("broken record at byte 232"));
    }
  }

  private List<Path> parts() throws IOException {
    Path certificates =
        dir.resolve("application_1700000000000_0001").resolve("certificates").resolve("train");
    try (var files = Files.list(certificates)) {
      return new ArrayList<>(
          files.filter(file -> file.toString().endsWith(".cert")).sorted().toList());
    }
  }
}
