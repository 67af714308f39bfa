package io.penstock.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.Catalog;
import io.penstock.catalog.RowGroupInfo;
import io.penstock.config.Settings;
import io.penstock.container.RankBooks.Lately;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.device.HostMemoryDevice;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.trainer.Batch;
import io.penstock.container.trainer.StepFailedException;
import io.penstock.container.trainer.Synthetic;
import io.penstock.container.trainer.TrainingContext;
import io.penstock.container.trainer.TrainingStep;
import io.penstock.coordination.records.Commit;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Sums;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankSlice;
import io.penstock.model.UsageException;
import io.penstock.plan.EpochSummary;
import io.penstock.yarn.RankIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rank's whole chain over real Parquet files, cache and training step, without YARN and
 * ZooKeeper.
 */
class RankRunTest {
  private static final int ROWS = 1_000;
  private static final int FILES = 3;
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir static Path dataset;

  @TempDir Path caches;

  /** Of the run at work. */
  private RankBooks books;

  @BeforeAll
  static void writeDataset() throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required int64 id; optional float half; required float label; }");
    for (int file = 0; file < FILES; file++) {
      org.apache.hadoop.fs.Path path =
          new org.apache.hadoop.fs.Path(dataset.resolve("part-" + file + ".parquet").toUri());
      try (ParquetWriter<org.apache.parquet.example.data.Group> writer =
          ExampleParquetWriter.builder(path)
              .withType(schema)
              .withConf(new Configuration(false))
              .withRowGroupRowCountLimit(130)
              .build()) {
        for (int row = 0; row < ROWS; row++) {
          long id = (long) file * ROWS + row;
          SimpleGroup group = new SimpleGroup(schema);
          group.add("id", id);
          if (id % 7 != 0) {
            group.add("half", id / 2f);
          }
          group.add("label", (float) (id % 2));
          writer.write(group);
        }
      }
    }
  }

  private static PreparedFeed feed(int epochs) {
    String yaml =
        """
        penstock: 1
        dataset: {paths: ["%s"]}
        order: {seed: 11, lanes: 4, batch: 40, window: 3, epochs: %d}
        tensors:
          id: {column: id, dtype: int64}
          features: {columns: [half], dtype: float32, ops: [{fill: -1}]}
          label: {column: label, dtype: float32}
        """
            .formatted(dataset.toUri(), epochs);
    Feed feed =
        FeedParser.parse(
            yaml,
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
  private record Ended(RankProgress progress, long bytesFetched) {
    Digest128 values(int epoch) {
      return sums(epoch).values();
    }

    Sums sums(int epoch) {
      return progress.epochs().stream()
          .filter(e -> e.epoch() == epoch)
          .map(RankEpoch::sums)
          .findFirst()
          .orElseThrow();
    }
  }

  private Ended run(
      PreparedFeed feed,
      RankSlice slice,
      Cursor start,
      Optional<TensorCache> cache,
      TrainingStep step,
      Settings settings)
      throws Exception {
    try (Fetcher fetcher = new Fetcher(new Configuration(false), settings.fetch());
        StoredRowGroups source =
            new StoredRowGroups(
                feed,
                Path::of,
                fetcher,
                settings.decode(),
                settings.batch().valuesDigest(),
                cache,
                (rowGroup, reason) -> {},
                SOON,
                SystemClock.INSTANCE)) {
      books = new RankBooks(start, source, SystemClock.INSTANCE);
      new RankRun(
              feed,
              slice,
              start,
              source,
              MemoryNeed.of(feed, slice.ranks(), 1L << 30, settings),
              new HostMemoryDevice(0),
              step,
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
              Lately.GOES_ON),
          source.bytes());
    }
  }

  @Test
  void everyRowIsFetchedOnceAndLaterEpochsComeFromTheCache() throws Exception {
    PreparedFeed feed = feed(3);
    Settings settings = settings("penstock.load.workers", "3");
    try (TensorCache cache = cache("one", feed, settings, 64 << 20)) {
      CheckingStep step = new CheckingStep();
      Ended ended =
          run(feed, new RankSlice(0, 1), Cursor.START, Optional.of(cache), step, settings);
      assertEquals(
          feed.catalog().rowGroups().stream().mapToLong(RowGroupInfo::compressedBytes).sum(),
          ended.bytesFetched());
      assertEquals(0, ended.sums(1).fromStorage());
      assertEquals(0, ended.sums(2).fromStorage());
      assertEquals(3_000, ended.sums(1).fromCache());
      assertEquals(3 * 75, step.steps);
      for (int epoch = 0; epoch < 3; epoch++) {
        assertEquals(
            EpochSummary.of(feed.plan().epoch(epoch)).orderDigest(), ended.sums(epoch).order());
      }
    }
  }

  @Test
  void ranksThreadsAndTheCacheDoNotChangeTheDigests() throws Exception {
    PreparedFeed feed = feed(2);
    Settings one = settings("penstock.load.workers", "1");
    Ended whole =
        run(feed, new RankSlice(0, 1), Cursor.START, Optional.empty(), new CheckingStep(), one);
    Settings many =
        settings(
            "penstock.load.workers",
            "4",
            "penstock.batch.workers",
            "3",
            "penstock.load.read-ahead",
            "0",
            "penstock.batch.slots",
            "1");
    for (int ranks : new int[] {2, 5, 8}) {
      List<Ended> parts = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        // A quota for a few row groups only: the others are read from storage in each epoch.
        try (TensorCache cache = cache(ranks + "-" + rank, feed, many, 300 << 10)) {
          parts.add(
              run(
                  feed,
                  new RankSlice(rank, ranks),
                  Cursor.START,
                  Optional.of(cache),
                  new CheckingStep(),
                  many));
        }
      }
      for (int epoch = 0; epoch < 2; epoch++) {
        int e = epoch;
        Sums sum = parts.stream().map(part -> part.sums(e)).reduce(Sums.NONE, Sums::plus);
        assertEquals(whole.sums(epoch).order(), sum.order(), "ranks " + ranks);
        assertEquals(whole.values(epoch), sum.values(), "ranks " + ranks);
        assertEquals(3_000, sum.rows());
      }
    }
  }

  @Test
  void aRunThatBeginsInTheMiddleDeliversTheRestAndWithoutCommitsCommitsAtEpochEnds()
      throws Exception {
    PreparedFeed feed = feed(2);
    Settings settings = settings();
    Ended whole =
        run(
            feed,
            new RankSlice(1, 2),
            Cursor.START,
            Optional.empty(),
            new CheckingStep(),
            settings);
    assertEquals(
        List.of(new Cursor(1, 0), new Cursor(2, 0)),
        whole.progress().commits().stream().map(Commit::cursor).toList());
    CheckingStep step = new CheckingStep();
    Ended rest =
        run(feed, new RankSlice(1, 2), new Cursor(1, 30), Optional.empty(), step, settings);
    assertEquals(45, step.steps);
    assertEquals(new Cursor(1, 30), step.first);
    assertEquals(45 * 20, rest.sums(1).rows());
    Ended nothing =
        run(
            feed,
            new RankSlice(1, 2),
            new Cursor(2, 0),
            Optional.empty(),
            new CheckingStep(),
            settings);
    assertEquals(List.of(), nothing.progress().epochs());
  }

  @Test
  void aStepThatCommitsIsCommittedWhereItSaysAndAtTheEnd() throws Exception {
    PreparedFeed feed = feed(1);
    CheckingStep step =
        new CheckingStep() {
          @Override
          public void step(Batch batch) {
            super.step(batch);
            if (batch.step() == 9 || batch.step() == 40) {
              context.commits().commit();
            }
          }
        };
    Ended ended = run(feed, new RankSlice(0, 1), Cursor.START, Optional.empty(), step, settings());
    List<Commit> commits = ended.progress().commits();
    assertEquals(
        List.of(new Cursor(0, 10), new Cursor(0, 41), new Cursor(1, 0)),
        commits.stream().map(Commit::cursor).toList());
    assertEquals(400, commits.get(0).sums().rows());
    assertEquals(41 * 40, commits.get(1).sums().rows());
  }

  @Test
  void theSyntheticStepCommitsEachSoManyStepsOfAnEpochAndAtTheEnd() throws Exception {
    PreparedFeed feed = feed(2);
    Settings settings = settings("penstock.step.commit-every", "30");
    Ended ended =
        run(feed, new RankSlice(0, 1), Cursor.START, Optional.empty(), new Synthetic(), settings);
    assertEquals(
        List.of(
            new Cursor(0, 30),
            new Cursor(0, 60),
            new Cursor(1, 30),
            new Cursor(1, 60),
            new Cursor(2, 0)),
        ended.progress().commits().stream().map(Commit::cursor).toList());
    UsageException e =
        assertThrows(
            UsageException.class,
            () ->
                run(
                    feed,
                    new RankSlice(0, 1),
                    Cursor.START,
                    Optional.empty(),
                    new Synthetic(),
                    settings("penstock.step.commit-every", "-1")));
    assertTrue(e.getMessage().contains("must be a whole number >= 0"), e.getMessage());
  }

  @Test
  void aStepIsToldThatACommitIsWantedUntilTheRanksHaveAgreed() throws Exception {
    CheckingStep step =
        new CheckingStep() {
          @Override
          public void step(Batch batch) {
            super.step(batch);
            if (batch.step() == 5) {
              books.wantCommit();
            } else if (batch.step() == 8) {
              books.agreed(new Cursor(0, 7));
            }
            if (context.commits().isWanted()) {
              context.commits().commit();
            }
          }
        };
    Ended ended =
        run(feed(1), new RankSlice(0, 1), Cursor.START, Optional.empty(), step, settings());
    // Of those at steps 5, 6 and 7 what was agreed on is left out; then comes the end.
    assertEquals(
        List.of(new Cursor(0, 7), new Cursor(0, 8), new Cursor(1, 0)),
        ended.progress().commits().stream().map(Commit::cursor).toList());
  }

  @Test
  void whatAStepThrowsIsNamedAndNothingIsLeftRunning() {
    PreparedFeed feed = feed(1);
    CheckingStep step =
        new CheckingStep() {
          @Override
          public void step(Batch batch) {
            if (batch.step() == 3) {
              throw new IllegalStateException("loss is NaN");
            }
          }
        };
    StepFailedException e =
        assertThrows(
            StepFailedException.class,
            () -> run(feed, new RankSlice(0, 1), Cursor.START, Optional.empty(), step, settings()));
    assertTrue(e.getMessage().contains("failed in step 0:3"), e.getMessage());
    assertTrue(e.getMessage().contains("loss is NaN"), e.getMessage());
    assertTrue(step.closed);
  }

  private TensorCache cache(String name, PreparedFeed feed, Settings settings, long quota)
      throws IOException {
    Configuration configuration = new Configuration(false);
    configuration.set("penstock.cache.dirs", caches.resolve(name).toString());
    configuration.set("penstock.cache.quota", Long.toString(quota));
    configuration.set("penstock.cache.max-disk-share", "1");
    return CacheFolders.open(
            Settings.read(configuration).cache(), 0, "key", feed.bound().specs(), quota)
        .cache();
  }

  /** Checks that every value is the row's: {@code half} is id / 2, or -1 where it was null. */
  private static class CheckingStep implements TrainingStep {
    TrainingContext context;
    Cursor first;
    int steps;
    boolean closed;

    @Override
    public void open(TrainingContext given) {
      context = given;
    }

    @Override
    public void step(Batch batch) {
      if (first == null) {
        first = new Cursor(batch.epoch(), batch.step());
      }
      ByteBuffer ids = batch.tensor("id");
      ByteBuffer rows = batch.tensor("row");
      ByteBuffer halves = batch.tensor("features");
      ByteBuffer labels = batch.tensor("label");
      for (int i = 0; i < batch.rows(); i++) {
        long id = ids.getLong(i * 8);
        assertEquals(rows.getLong(i * 8), id);
        assertEquals(id % 7 == 0 ? -1 : id / 2f, halves.getFloat(i * 4));
        assertEquals(id % 2, labels.getFloat(i * 4));
      }
      steps++;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
