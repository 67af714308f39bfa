package io.penstock.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.container.RankBooks.Lately;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.device.HostMemoryDevice;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.trainer.Batch;
import io.penstock.container.trainer.TrainingContext;
import io.penstock.container.trainer.TrainingStep;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Sums;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import io.penstock.model.UnreachableException;
import io.penstock.plan.GlobalOrder;
import io.penstock.yarn.RankIdentity;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rank over real files whose storage, cache or disk fails: it delivers what it would have, or
 * ends with a reason.
 */
class FaultsTest {
  private static final int FILES = 3;
  private static final int ROWS = 700;
  private static final int ROW_GROUP = 100;

  @TempDir static Path dataset;

  private static Sums undisturbed;

  @TempDir Path folder;

  private final AtomicInteger steps = new AtomicInteger();

  @BeforeAll
  static void writeDataset() throws Exception {
    MessageType schema =
        MessageTypeParser.parseMessageType("message m { required int64 id; required float x; }");
    for (int file = 0; file < FILES; file++) {
      org.apache.hadoop.fs.Path path =
          new org.apache.hadoop.fs.Path(dataset.resolve("part-" + file + ".parquet").toUri());
      try (ParquetWriter<Group> writer =
          ExampleParquetWriter.builder(path)
              .withType(schema)
              .withConf(new Configuration(false))
              .withRowGroupRowCountLimit(ROW_GROUP)
              .build()) {
        for (int row = 0; row < ROWS; row++) {
          SimpleGroup group = new SimpleGroup(schema);
          group.add("id", (long) file * ROWS + row);
          group.add("x", row / 3f);
          writer.write(group);
        }
      }
    }
    undisturbed =
        new FaultsTest()
            .run(feed("fail"), Cursor.START, (path, position, length) -> {}, Optional.empty())
            .sums();
  }

  @Test
  void seekingReadsNoByteOfARowGroupWithoutARowOfTheStepOrLater() throws Exception {
    PreparedFeed feed = feed("fail");
    Map<String, NavigableMap<Long, Integer>> places = places(feed);
    for (long step = 0; step < feed.plan().steps(); step += 6) {
      Set<Integer> needed = new TreeSet<>();
      for (GlobalOrder rest = new GlobalOrder(feed.plan().epoch(1), step); rest.hasNext(); ) {
        for (long row : rest.next().rows()) {
          needed.add((int) row / ROW_GROUP);
        }
      }
      Set<Integer> read = new ConcurrentSkipListSet<>();
      run(
          feed,
          new Cursor(1, step),
          (path, position, length) -> {
            int rowGroup = places.get(path).floorEntry(position).getValue();
            if (rowGroup >= 0) {
              read.add(rowGroup);
            }
          },
          Optional.empty());
      assertEquals(needed, read, "from step " + step);
    }
  }

  /**
   * Which row group the bytes of each file from a position on are of; -1 for its head and footer.
   */
  private static Map<String, NavigableMap<Long, Integer>> places(PreparedFeed feed)
      throws IOException {
    Map<String, NavigableMap<Long, Integer>> places = new TreeMap<>();
    for (int i = 0; i < feed.catalog().rowGroups().size(); i++) {
      String path = feed.catalog().ref(i).path().replaceFirst("^file:/*", "/");
      if (!places.containsKey(path)) {
        try (ParquetFileReader reader =
            ParquetFileReader.open(
                HadoopInputFile.fromPath(
                    new org.apache.hadoop.fs.Path(path), new Configuration(false)))) {
          int next = i;
          long end = 0;
          NavigableMap<Long, Integer> begins = new TreeMap<>();
          begins.put(0L, -1);
          for (BlockMetaData block : reader.getFooter().getBlocks()) {
            begins.put(block.getStartingPos(), next++);
            end = block.getStartingPos() + block.getCompressedSize();
          }
          begins.put(end, -1);
          places.put(path, begins);
        }
      }
    }
    assertEquals(FILES, places.size());
    return places;
  }

  @Test
  void readsThatHangInTheMiddleOfARunAreInterruptedAndTriedAgain() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Ended ended =
        run(
            feed("quarantine"),
            Cursor.START,
            (path, position, length) -> {
              if (reads.incrementAndGet() % 7 == 0) {
                hang();
              }
            },
            Optional.empty(),
            "penstock.fetch.deadline",
            "200ms",
            "penstock.fetch.backoff",
            "0s");
    assertSame(undisturbed, ended.sums());
    assertTrue(ended.progress().retries() > 0, "retries " + ended.progress().retries());
    assertEquals(List.of(), ended.progress().quarantined());
  }

  @Test
  void aRowGroupThatCanNeverBeReadEndsTheRankAndIsNoBadRowGroup() {
    UnreachableException e =
        assertThrows(
            UnreachableException.class,
            () ->
                run(
                    feed("quarantine"),
                    Cursor.START,
                    (path, position, length) -> {
                      if (path.endsWith("part-1.parquet") && steps.get() > 10) {
                        throw new IOException("no live node has the block");
                      }
                    },
                    Optional.empty(),
                    "penstock.fetch.attempts",
                    "2",
                    "penstock.fetch.backoff",
                    "0s",
                    "penstock.load.read-ahead",
                    "0"));
    assertTrue(e.getMessage().contains("part-1.parquet, row group "), e.getMessage());
    assertTrue(e.getMessage().contains("in 2 tries"), e.getMessage());
    assertTrue(e.getMessage().contains("no live node has the block"), e.getMessage());
    assertTrue(steps.get() > 10);
  }

  @Test
  void onADiskThatIsFullNothingIsCachedAndAllIsDelivered() throws Exception {
    try (CacheFolders folders = cache("penstock.cache.max-disk-share", "0.01")) {
      Ended ended = run(feed("fail"), folders);
      assertSame(undisturbed, ended.sums());
      assertEquals(0, folders.cache().size());
    }
  }

  @Test
  void aCacheWhoseFileIsOverwrittenWhileItIsOpenIsReadAnewFromStorage() throws Exception {
    PreparedFeed feed = feed("fail");
    try (CacheFolders folders = cache()) {
      assertSame(undisturbed, run(feed, folders).sums());
      assertEquals(feed.catalog().rowGroups().size(), folders.cache().size());
      overwrite(1, 9);
      Ended ended = run(feed, folders);
      assertSame(undisturbed, ended.sums());
      assertTrue(ended.sums().fromStorage() > 0, ended.sums()::toString);
    }
  }

  @Test
  void aCacheThatCanNotBeOpenedIsBegunAnew() throws Exception {
    PreparedFeed feed = feed("fail");
    try (CacheFolders folders = cache()) {
      run(feed, folders);
    }
    overwrite(0, 10);
    try (CacheFolders folders = cache()) {
      assertEquals(0, folders.cache().size());
      assertSame(undisturbed, run(feed, folders).sums());
      assertEquals(feed.catalog().rowGroups().size(), folders.cache().size());
    }
  }

  @Test
  void aCacheThatIsCutOffAsByAPowerCutHoldsWhatIsWhole() throws Exception {
    PreparedFeed feed = feed("fail");
    try (CacheFolders folders = cache()) {
      run(feed, folders);
    }
    for (Path file : logs()) {
      try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
        log.setLength(log.length() / 2);
      }
    }
    try (CacheFolders folders = cache()) {
      Ended ended = run(feed, folders);
      assertSame(undisturbed, ended.sums());
      assertEquals(feed.catalog().rowGroups().size(), folders.cache().size());
    }
  }

  private static void assertSame(Sums expected, Sums actual) {
    assertEquals(expected.rows(), actual.rows());
    assertEquals(expected.order(), actual.order());
    assertEquals(expected.values(), actual.values());
  }

  /** Writes zeros over a part of the cache's files, given in tenths. */
  private void overwrite(int fromTenths, int toTenths) throws IOException {
    for (Path file : logs()) {
      try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
        long from = log.length() * fromTenths / 10;
        log.seek(from);
        log.write(new byte[(int) (log.length() * toTenths / 10 - from)]);
      }
    }
  }

  private List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("cache"))) {
      List<Path> logs = files.filter(file -> file.toString().endsWith(".jdb")).toList();
      assertFalse(logs.isEmpty());
      return logs;
    }
  }

  private static void hang() throws InterruptedIOException {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  private CacheFolders cache(String... namesAndValues) throws IOException {
    List<String> all = new ArrayList<>(List.of(namesAndValues));
    all.addAll(0, List.of("penstock.cache.max-disk-share", "1"));
    all.addAll(List.of("penstock.cache.dirs", folder.resolve("cache").toString()));
    Settings settings = settings(all.toArray(String[]::new));
    return CacheFolders.open(settings.cache(), 0, "key", feed("fail").bound().specs(), 1 << 20);
  }

  private static PreparedFeed feed(String badRowGroup) throws IOException {
    Feed feed =
        FeedParser.parse(
            """
            penstock: 1
            dataset: {paths: ["%s"], bad_row_group: %s}
            order: {seed: 3, lanes: 2, batch: 20, window: 2, epochs: 2}
            tensors:
              id: {column: id, dtype: int64}
              x: {column: x, dtype: float32}
            """
                .formatted(dataset.toUri(), badRowGroup),
            "feed.yaml",
            path -> {
              throw new IOException("no file is named");
            });
    Catalog catalog =
        Catalog.read(
            feed.dataset(),
            schema -> BoundFeed.bind(feed, schema).fileColumns(),
            new Configuration(false),
            Settings.defaults().catalog());
    return PreparedFeed.of(feed, catalog);
  }

  private static Settings settings(String... namesAndValues) {
    Configuration configuration = new Configuration(false);
    configuration.set("penstock.load.memory", "64m");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      configuration.set(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Settings.read(configuration);
  }

  /** What a run left behind. */
  private record Ended(RankProgress progress) {
    Sums sums() {
      return progress.epochs().stream()
          .map(RankEpoch::sums)
          .reduce((first, last) -> last)
          .orElseThrow();
    }
  }

  private Ended run(PreparedFeed feed, CacheFolders folders) throws Exception {
    return run(
        feed, new Cursor(1, 0), (path, position, length) -> {}, Optional.of(folders.cache()));
  }

  private Ended run(
      PreparedFeed feed,
      Cursor start,
      WatchedFileSystem.Watcher watcher,
      Optional<TensorCache> cache,
      String... namesAndValues)
      throws Exception {
    Settings settings = settings(namesAndValues);
    try (Fetcher fetcher = new Fetcher(WatchedFileSystem.configuration(watcher), settings.fetch());
        StoredRowGroups source =
            new StoredRowGroups(
                feed,
                Path::of,
                fetcher,
                settings.decode(),
                settings.batch().valuesDigest(),
                cache,
                (rowGroup, reason) -> {},
                Duration.ofSeconds(30),
                SystemClock.INSTANCE)) {
      RankBooks books = new RankBooks(start, source, SystemClock.INSTANCE);
      RankSlice slice = new RankSlice(0, 1);
      new RankRun(
              feed,
              slice,
              start,
              source,
              MemoryNeed.of(feed, 1, 1L << 30, settings),
              new HostMemoryDevice(0),
              new Counting(),
              books,
              () -> {},
              settings,
              SystemClock.INSTANCE)
          .run();
      RankIdentity identity = new RankIdentity("app", "c", "h", "train", 0, 1, 1, 1, 1L << 30);
      return new Ended(
          books.progress(
              new RankName(identity, slice, "host:0"),
              Phase.DONE,
              Optional.empty(),
              Lately.GOES_ON));
    }
  }

  private final class Counting implements TrainingStep {
    @Override
    public void open(TrainingContext context) {}

    @Override
    public void step(Batch batch) {
      steps.incrementAndGet();
    }
  }
}
