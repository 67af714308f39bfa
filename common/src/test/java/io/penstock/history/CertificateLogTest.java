package io.penstock.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.coordination.records.Sums;
import io.penstock.lifecycle.SystemClock;
import io.penstock.lifecycle.TestingClock;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankSlice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CertificateLogTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final CertificateHeader HEADER =
      new CertificateHeader(
          new RankSlice(1, 2),
          3,
          new Cursor(0, 5),
          10,
          8,
          4,
          CertificateHeader.Values.ON,
          "ab".repeat(32),
          "cd".repeat(32));

  private static Sums step(long number) {
    return new Sums(
        4, 1, 2, 1, new Digest128(number, 10 * number), new Digest128(100 * number, -number));
  }

  private static void deliver(CertificateLog log, long epoch, long from, long to) {
    for (long step = from; step < to; step++) {
      log.delivered(epoch, step, step(step));
    }
  }

  private static ByteBuffer only(TestingParts parts) {
    assertEquals(1, parts.contents().size());
    return ByteBuffer.wrap(parts.contents().get(0)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** From the drawing of the format, with numbers added up by hand. */
  @Test
  void aFileHasAHeaderAndARecordForEachBlockCommitAndEndOfAnEpoch() {
    TestingParts parts = new TestingParts();
    try (CertificateLog log = CertificateLog.start(HEADER, parts, LONG, SystemClock.INSTANCE)) {
      deliver(log, 0, 5, 7);
      log.committed();
      deliver(log, 0, 7, 10);
    }
    ByteBuffer file = only(parts);
    assertEquals(136 + 3 * 96, file.capacity());
    byte[] magic = new byte[8];
    file.get(magic);
    assertEquals("PENSCERT", new String(magic, java.nio.charset.StandardCharsets.US_ASCII));
    assertEquals(
        List.of(1, 96, 1, 2, 3, 8),
        List.of(
            file.getInt(),
            file.getInt(),
            file.getInt(),
            file.getInt(),
            file.getInt(),
            file.getInt()));
    assertEquals(List.of(0L, 5L, 10L), List.of(file.getLong(), file.getLong(), file.getLong()));
    assertEquals(4, file.getInt());
    assertEquals(1, file.getInt());
    assertEquals((byte) 0xab, file.get(64));
    assertEquals((byte) 0xcd, file.get(127));
    long[][] records = {{0, 5, 7, 11, -11}, {0, 7, 8, 7, -7}, {0, 8, 10, 17, -17}};
    for (int i = 0; i < records.length; i++) {
      int at = 136 + 96 * i;
      long steps = records[i][2] - records[i][1];
      long[] found = new long[11];
      for (int k = 0; k < found.length; k++) {
        found[k] = file.getLong(at + 8 * k);
      }
      long sum = records[i][3];
      long[] expected = {
        0,
        records[i][1],
        records[i][2],
        4 * steps,
        steps,
        2 * steps,
        steps,
        sum,
        10 * sum,
        100 * sum,
        records[i][4]
      };
      assertEquals(Arrays.toString(expected), Arrays.toString(found), "record " + i);
    }
  }

  @Test
  void whatACommitWaitedForIsThereThoughNobodyClosesTheFile() {
    TestingParts parts = new TestingParts();
    CertificateLog log = CertificateLog.start(HEADER, parts, LONG, SystemClock.INSTANCE);
    deliver(log, 0, 5, 6);
    log.committed();
    assertEquals(136 + 96, only(parts).capacity());
    log.close();
  }

  @Test
  void afterAFailureAllThatWasNotKeptIsWrittenToTheNextPart() throws Exception {
    TestingParts parts = new TestingParts();
    TestingClock clock = new TestingClock();
    CertificateWriter writer = new CertificateWriter(HEADER, parts, clock);
    parts.failNext(2);
    writer.add(new Block(0, 5, 6, step(5)));
    assertFalse(keepInTheBackground(writer, clock));
    writer.add(new Block(0, 6, 7, step(6)));
    clock.advance(Duration.ofSeconds(1));
    writer.doWork();
    clock.advance(Duration.ofSeconds(2));
    writer.doWork();
    assertTrue(writer.keep(Duration.ZERO));
    List<byte[]> contents = parts.contents();
    assertEquals(3, contents.size());
    assertEquals(
        List.of(new Block(0, 5, 6, step(5)), new Block(0, 6, 7, step(6))), blocks(contents.get(2)));
  }

  /** A commit whose write fails; returns what it came to. */
  private static boolean keepInTheBackground(CertificateWriter writer, TestingClock clock)
      throws Exception {
    CompletableFuture<Boolean> kept =
        CompletableFuture.supplyAsync(() -> writer.keep(Duration.ofHours(1)));
    writer.doWork();
    return kept.get(30, TimeUnit.SECONDS);
  }

  private static List<Block> blocks(byte[] file) {
    List<Block> blocks = new ArrayList<>();
    for (int at = 136; at < file.length; at += 96) {
      blocks.add(CertificateFormat.record(file, at).orElseThrow());
    }
    return blocks;
  }

  @Test
  void aCommitWaitsForStorageThatHangsNoLongerThanItsDeadlineAndTheNextOneNotAtAll() {
    TestingParts parts = new TestingParts();
    CountDownLatch hang = new CountDownLatch(1);
    parts.hangOn(hang);
    CertificateLog log =
        CertificateLog.start(HEADER, parts, Duration.ofMillis(50), SystemClock.INSTANCE);
    deliver(log, 0, 5, 6);
    log.committed();
    long begin = System.nanoTime();
    deliver(log, 0, 6, 8);
    log.committed();
    assertTrue(System.nanoTime() - begin < Duration.ofMillis(50).toNanos());
    hang.countDown();
    log.close();
  }

  @Test
  void closingWaitsForStorageOnceMoreThoughACommitHasGivenItUp() throws Exception {
    TestingParts parts = new TestingParts();
    CountDownLatch hang = new CountDownLatch(1);
    parts.hangOn(hang);
    CertificateWriter writer = new CertificateWriter(HEADER, parts, SystemClock.INSTANCE);
    writer.add(new Block(0, 5, 6, step(5)));
    CompletableFuture<Void> writing = CompletableFuture.runAsync(writer::doWork);
    assertFalse(writer.keep(Duration.ofMillis(20)));
    writer.add(new Block(0, 6, 7, step(6)));
    assertFalse(writer.finish(Duration.ofMillis(20)));
    hang.countDown();
    writing.get(30, TimeUnit.SECONDS);
    CompletableFuture<Boolean> finished = CompletableFuture.supplyAsync(() -> writer.finish(LONG));
    writer.doWork();
    assertTrue(finished.get(30, TimeUnit.SECONDS));
    assertEquals(
        List.of(new Block(0, 5, 6, step(5)), new Block(0, 6, 7, step(6))),
        blocks(parts.contents().get(0)));
  }

  @Test
  void closingTriesAgainAtOnceAfterAFailure() throws Exception {
    TestingParts parts = new TestingParts();
    TestingClock clock = new TestingClock();
    CertificateWriter writer = new CertificateWriter(HEADER, parts, clock);
    parts.failNext(1);
    writer.add(new Block(0, 5, 6, step(5)));
    assertFalse(keepInTheBackground(writer, clock));
    // The clock stands still: the pause after a failure would never end.
    CompletableFuture<Boolean> finished =
        CompletableFuture.supplyAsync(() -> writer.finish(Duration.ofHours(1)));
    writer.doWork();
    assertTrue(finished.get(30, TimeUnit.SECONDS));
  }

  @Test
  void stepsOutOfOrderAreRefused() {
    BlockSums sums = new BlockSums(4, 10);
    sums.add(0, 5, step(5));
    org.junit.jupiter.api.Assertions.assertThrows(
        IllegalArgumentException.class, () -> sums.add(0, 7, step(7)));
  }
}
