package io.penstock.container.fetch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.config.FetchSettings;
import io.penstock.container.fetch.Fetcher.Turn;
import io.penstock.container.fetch.TestingFileSystem.Step;
import io.penstock.container.fetch.TestingFileSystem.Store;
import io.penstock.model.DataException;
import io.penstock.model.UnreachableException;
import java.io.EOFException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class FetcherTest {
  private static final byte[] TEXT = "the quick brown fox".getBytes(StandardCharsets.UTF_8);
  private static final String PATH = "testing:/data/a b#1;?é.parquet";

  private final Store store = new Store();

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration GRACE = DEADLINE.dividedBy(4);

  private final TestingWatchdog watchdog = new TestingWatchdog();

  private static FetchSettings settings(int threads, int attempts) {
    return new FetchSettings(threads, DEADLINE, attempts, Duration.ZERO, 0, 8);
  }

  private Fetcher fetcher(int threads, int attempts) {
    store.files.put(PATH, TEXT);
    return new Fetcher(store.configuration(), settings(threads, attempts), watchdog);
  }

  /** Lets the deadline pass once {@code reads} more reads hang. */
  private void letExpire(int reads) throws InterruptedException {
    store.blocked.acquire(reads);
    watchdog.advance(DEADLINE);
  }

  private static byte[] all(FileBytes file) throws java.io.IOException {
    byte[] bytes = new byte[(int) file.length()];
    file.readFully(0, bytes, 0, bytes.length);
    return bytes;
  }

  @Test
  void readsByPositionInPartsOfAtMostMaxRead() {
    try (Fetcher fetcher = fetcher(2, 1)) {
      Fetch<byte[]> fetch = fetcher.start(PATH, "all", FetcherTest::all);
      assertArrayEquals(TEXT, fetch.await());
      assertEquals(0, fetch.retries());
      assertEquals(3, store.reads.get(), "19 bytes in reads of 8");
      assertEquals(PATH, fetcher.start(PATH, "path", FileBytes::path).await());
    }
    assertEquals(0, store.openStreams.get());
    assertEquals(0, store.open.get(), "file systems are closed");
  }

  @Test
  void aKeptFileIsOpenedOnceAndClosedWithItsLastFetch() {
    KeptFile file = new KeptFile(PATH);
    try (Fetcher fetcher = fetcher(1, 1)) {
      for (int k = 0; k < 3; k++) {
        assertArrayEquals(TEXT, fetcher.start(file, "all", FetcherTest::all, Turn.NEXT).await());
      }
      assertEquals(1, store.opened.get());
      assertEquals(1, store.openStreams.get());
      FetchBody<byte[]> last =
          bytes -> {
            file.close();
            return all(bytes);
          };
      assertArrayEquals(TEXT, fetcher.start(file, "last", last, Turn.NEXT).await());
      assertEquals(1, store.opened.get());
    }
    assertEquals(0, store.openStreams.get());
  }

  @Test
  void aKeptFileIsOpenedAgainAfterATryThatFailed() {
    KeptFile file = new KeptFile(PATH);
    try (Fetcher fetcher = fetcher(1, 2)) {
      fetcher.start(file, "all", FetcherTest::all, Turn.NEXT).await();
      store.steps.add(Step.FAIL);
      assertArrayEquals(TEXT, fetcher.start(file, "all", FetcherTest::all, Turn.NEXT).await());
      assertEquals(2, store.opened.get());
      file.close();
      assertEquals(0, store.openStreams.get(), "the failed one and the idle one");
    }
  }

  @Test
  void aKeptFileIsOpenedAgainAfterATryThatDoesNotComeBack() throws InterruptedException {
    KeptFile file = new KeptFile(PATH);
    try (Fetcher fetcher = fetcher(1, 2)) {
      store.steps.add(Step.STUCK);
      Fetch<byte[]> fetch = fetcher.start(file, "all", FetcherTest::all, Turn.NEXT);
      letExpire(1);
      watchdog.advance(GRACE);
      assertArrayEquals(TEXT, fetch.await());
      assertEquals(2, store.opened.get());
      file.close();
      assertEquals(1, store.openStreams.get(), "the one that a thread is stuck in");
      store.release.countDown();
    }
    assertEquals(0, store.openStreams.get());
  }

  @Test
  void fetchesThatRunAtTheSameTimeShareAKeptFileAndOneThatFailsLeavesItToTheOthers()
      throws InterruptedException {
    KeptFile file = new KeptFile(PATH);
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    try (Fetcher fetcher = fetcher(2, 1)) {
      fetcher.start(file, "first", FetcherTest::all, Turn.LAST).await();
      Fetch<byte[]> sound =
          fetcher.start(
              file,
              "sound",
              bytes -> {
                reading.countDown();
                await(failed);
                return all(bytes);
              },
              Turn.NEXT);
      await(reading);
      Fetch<byte[]> broken =
          fetcher.start(
              file,
              "broken",
              bytes -> {
                throw new IllegalStateException("broken");
              },
              Turn.NEXT);
      assertThrows(IllegalStateException.class, broken::await);
      assertEquals(1, store.openStreams.get(), "the other one reads on");
      failed.countDown();
      assertArrayEquals(TEXT, sound.await());
      assertEquals(1, store.opened.get());
      file.close();
      assertEquals(0, store.openStreams.get());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(DEADLINE.toSeconds(), TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFetchThatIsWaitedForGoesBeforeTheOthers() throws InterruptedException {
    store.steps.add(Step.HANG);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    try (Fetcher fetcher = fetcher(1, 1)) {
      Fetch<byte[]> hanging = fetcher.start(PATH, "hanging", FetcherTest::all);
      store.blocked.acquire();
      KeptFile file = new KeptFile(PATH);
      file.close();
      Fetch<Boolean> later = fetcher.start(file, "later", bytes -> order.add("later"), Turn.LAST);
      Fetch<Boolean> next = fetcher.start(file, "next", bytes -> order.add("next"), Turn.NEXT);
      Fetch<Boolean> then = fetcher.start(file, "then", bytes -> order.add("then"), Turn.NEXT);
      store.release.countDown();
      hanging.await();
      later.await();
      next.await();
      then.await();
    }
    assertEquals(List.of("next", "then", "later"), order);
  }

  @Test
  void shortReadsAreCompleted() {
    store.steps.addAll(List.of(Step.SHORT, Step.SHORT, Step.SHORT));
    try (Fetcher fetcher = fetcher(1, 1)) {
      assertArrayEquals(TEXT, fetcher.start(PATH, "all", FetcherTest::all).await());
    }
  }

  @Test
  void aFailedReadIsTriedAgainFromTheBeginning() {
    store.steps.addAll(List.of(Step.READ, Step.FAIL, Step.FAIL));
    try (Fetcher fetcher = fetcher(1, 3)) {
      Fetch<byte[]> fetch = fetcher.start(PATH, "all", FetcherTest::all);
      assertArrayEquals(TEXT, fetch.await());
      assertEquals(2, fetch.retries());
    }
  }

  @Test
  void theLastTrysFailureNamesFileWhatTriesAndCause() {
    store.steps.addAll(List.of(Step.FAIL, Step.FAIL, Step.FAIL));
    try (Fetcher fetcher = fetcher(1, 3)) {
      Fetch<byte[]> fetch = fetcher.start(PATH, "row group 7", FetcherTest::all);
      UnreachableException failure = assertThrows(UnreachableException.class, fetch::await);
      assertEquals(
          "file "
              + PATH
              + ", row group 7: not fetched in 3 tries, the last: "
              + "java.io.IOException: the disk is on fire",
          failure.getMessage());
    }
  }

  @Test
  void aHangingReadIsInterruptedAtItsDeadlineAndTriedAgain() throws InterruptedException {
    store.steps.add(Step.HANG);
    try (Fetcher fetcher = fetcher(1, 2)) {
      Fetch<byte[]> fetch = fetcher.start(PATH, "all", FetcherTest::all);
      letExpire(1);
      assertArrayEquals(TEXT, fetch.await());
      assertEquals(1, fetch.retries());
      // The same thread serves on, without the interrupt.
      assertArrayEquals(TEXT, fetcher.start(PATH, "all", FetcherTest::all).await());
    }
  }

  @Test
  void readsThatAllHangEndInAnErrorThatSaysSo() throws InterruptedException {
    store.steps.addAll(List.of(Step.HANG, Step.HANG));
    try (Fetcher fetcher = fetcher(1, 2)) {
      Fetch<byte[]> fetch = fetcher.start(PATH, "row group 0", FetcherTest::all);
      letExpire(1);
      letExpire(1);
      UnreachableException failure = assertThrows(UnreachableException.class, fetch::await);
      assertTrue(
          failure.getMessage().endsWith("2 tries, the last: storage did not answer within 10 s"),
          failure.getMessage());
    }
  }

  @Test
  void aThreadThatCannotBeInterruptedIsReplaced() throws InterruptedException {
    store.steps.add(Step.STUCK);
    try (Fetcher fetcher = fetcher(1, 2)) {
      Fetch<byte[]> fetch = fetcher.start(PATH, "all", FetcherTest::all);
      letExpire(1);
      watchdog.advance(GRACE);
      assertArrayEquals(TEXT, fetch.await());
      store.release.countDown();
    }
  }

  @Test
  void whenEveryThreadIsStuckFetchesFailAtOnce() throws InterruptedException {
    for (int k = 0; k < 40; k++) {
      store.steps.add(Step.STUCK);
    }
    try (Fetcher fetcher = fetcher(1, 1)) {
      List<Fetch<byte[]>> fetches = new ArrayList<>();
      for (int k = 0; k < 8; k++) {
        fetches.add(fetcher.start(PATH, "row group " + k, FetcherTest::all));
      }
      for (int lost = 0; lost < 5; lost++) {
        letExpire(1);
        watchdog.advance(GRACE);
      }
      for (Fetch<byte[]> fetch : fetches) {
        assertThrows(UnreachableException.class, fetch::await);
      }
      UnreachableException failure =
          assertThrows(
              UnreachableException.class,
              () -> fetcher.start(PATH, "row group 9", FetcherTest::all).await());
      assertTrue(
          failure.getMessage().contains("every fetch thread hangs in storage"),
          failure.getMessage());
      store.release.countDown();
    }
  }

  @Test
  void closeDoesNotHangOnAStuckReadAndNamesIt() throws InterruptedException {
    store.steps.add(Step.STUCK);
    store.files.put(PATH, TEXT);
    FetchSettings brief = new FetchSettings(1, Duration.ofMillis(200), 1, Duration.ZERO, 0, 8);
    Fetcher fetcher = new Fetcher(store.configuration(), brief, watchdog);
    Fetch<byte[]> fetch = fetcher.start(PATH, "row group 5", FetcherTest::all);
    store.blocked.acquire();
    UnreachableException failure = assertThrows(UnreachableException.class, fetcher::close);
    assertTrue(failure.getMessage().contains(PATH + ", row group 5"), failure.getMessage());
    assertThrows(CancellationException.class, fetch::await);
    store.release.countDown();
  }

  @Test
  void closeCancelsWhatRunsAndWhatWaits() throws InterruptedException {
    store.steps.add(Step.HANG);
    Fetcher fetcher = fetcher(1, 3);
    Fetch<byte[]> runs = fetcher.start(PATH, "runs", FetcherTest::all);
    Fetch<byte[]> waits = fetcher.start(PATH, "waits", FetcherTest::all);
    store.blocked.acquire();
    fetcher.close();
    fetcher.close();
    assertThrows(CancellationException.class, runs::await);
    assertThrows(CancellationException.class, waits::await);
    assertThrows(IllegalStateException.class, () -> fetcher.start(PATH, "late", FetcherTest::all));
    assertEquals(0, store.open.get());
  }

  @Test
  void cancelFreesTheThread() throws InterruptedException {
    store.steps.add(Step.HANG);
    try (Fetcher fetcher = fetcher(1, 3)) {
      Fetch<byte[]> hangs = fetcher.start(PATH, "hangs", FetcherTest::all);
      store.blocked.acquire();
      hangs.cancel();
      assertThrows(CancellationException.class, hangs::await);
      assertArrayEquals(TEXT, fetcher.start(PATH, "next", FetcherTest::all).await());
    }
  }

  @Test
  void aMissingFileAndAMissingPermissionAreNotTriedAgain() {
    try (Fetcher fetcher = fetcher(1, 5)) {
      Fetch<byte[]> missing = fetcher.start("testing:/nowhere", "footer", FetcherTest::all);
      UnreachableException absent = assertThrows(UnreachableException.class, missing::await);
      assertTrue(absent.getMessage().contains("no such file"), absent.getMessage());
      assertEquals(0, missing.retries());
      store.steps.add(Step.NO_PERMISSION);
      UnreachableException refused =
          assertThrows(
              UnreachableException.class,
              () -> fetcher.start(PATH, "all", FetcherTest::all).await());
      assertTrue(refused.getMessage().contains("no permission: not for you"));
      assertEquals(1, store.reads.get());
    }
  }

  @Test
  void aDataErrorOfTheBodyIsHandedOutAsItIs() {
    DataException broken = new DataException(DataException.Place.of(PATH), "is broken");
    AtomicInteger runs = new AtomicInteger();
    try (Fetcher fetcher = fetcher(1, 5)) {
      Fetch<Void> fetch =
          fetcher.start(
              PATH,
              "footer",
              file -> {
                runs.incrementAndGet();
                throw broken;
              });
      assertSame(broken, assertThrows(DataException.class, fetch::await));
      assertEquals(1, runs.get());
    }
  }

  @Test
  void readingPastTheEndIsAnEndOfFile() {
    try (Fetcher fetcher = fetcher(1, 1)) {
      Fetch<Void> fetch =
          fetcher.start(
              PATH,
              "tail",
              file -> {
                file.readFully(15, new byte[10], 0, 10);
                return null;
              });
      UnreachableException failure = assertThrows(UnreachableException.class, fetch::await);
      assertTrue(failure.getCause() instanceof EOFException);
      assertTrue(failure.getMessage().contains("ended at byte 19 of 25"), failure.getMessage());
    }
  }

  @Test
  void localFilesWithOddNamesAreRead(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("a b#1;?é%20.parquet");
    Files.write(path, TEXT);
    try (Fetcher fetcher = new Fetcher(new Configuration(), settings(2, 1))) {
      assertArrayEquals(TEXT, fetcher.start("file:" + path, "all", FetcherTest::all).await());
    }
  }

  @Test
  void checksumsBesideALocalFileAreChecked(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("checked");
    try (FileSystem local = FileSystem.newInstanceLocal(new Configuration());
        OutputStream out = local.create(new org.apache.hadoop.fs.Path(path.toString()))) {
      out.write(TEXT);
    }
    assertTrue(Files.exists(folder.resolve(".checked.crc")));
    try (Fetcher fetcher = new Fetcher(new Configuration(), settings(1, 1))) {
      assertArrayEquals(TEXT, fetcher.start("file:" + path, "all", FetcherTest::all).await());
      byte[] damaged = TEXT.clone();
      damaged[3] ^= 1;
      Files.write(path, damaged);
      Fetch<byte[]> fetch = fetcher.start("file:" + path, "all", FetcherTest::all);
      UnreachableException failure = assertThrows(UnreachableException.class, fetch::await);
      assertTrue(failure.getCause() instanceof ChecksumException, failure.getMessage());
    }
  }

  @Test
  void manyFetchesOnFewThreadsAllEnd() {
    for (int k = 0; k < 50; k++) {
      store.steps.add(k % 3 == 0 ? Step.FAIL : Step.READ);
    }
    try (Fetcher fetcher = fetcher(3, 20)) {
      List<Fetch<byte[]>> fetches = new ArrayList<>();
      for (int k = 0; k < 100; k++) {
        fetches.add(fetcher.start(PATH, "row group " + k, FetcherTest::all));
      }
      int retries = 0;
      for (Fetch<byte[]> fetch : fetches) {
        assertArrayEquals(TEXT, fetch.await());
        retries += fetch.retries();
      }
      assertEquals(17, retries);
    }
  }

  @Test
  void timeOutsAreSetUnlessTheSiteSetsThem() {
    Configuration site = new Configuration();
    site.set("ipc.client.connect.timeout", "12345");
    FetchSettings settings = settings(3, 1);
    Configuration used = ClientConfiguration.of(site, settings);
    assertEquals("12345", used.get("ipc.client.connect.timeout"));
    assertEquals("3333", used.get("dfs.client.socket-timeout"));
    assertEquals("3", used.get("dfs.client.hedged.read.threadpool.size"));
    assertEquals("10000", used.get("ipc.client.rpc-timeout.ms"));
    assertFalse("10000".equals(site.get("ipc.client.rpc-timeout.ms")));
  }
}
