package io.penstock.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.TestingZooKeeper;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.model.Cursor;
import io.penstock.plan.EpochSummary;
import io.penstock.yarn.ExitStatus;
import io.penstock.yarn.JobConfiguration;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.RankIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank as its container runs it, between a real ZooKeeper and the files of a job. */
class RankProcessTest {
  private static final String APP = "application_1700000000000_0001";
  private static final String FEED = "train";
  private static final int ROWS = 400;

  @TempDir Path folder;

  private TestingZooKeeper zooKeeper;
  private Coordination coordination;
  private JobStore job;
  private FencedJob am;
  private PreparedFeed feed;

  @BeforeEach
  void makeJob() throws Exception {
    zooKeeper = TestingZooKeeper.start();
    writeDataset();
    Path data = folder.resolve("data");
    String yaml =
        """
        penstock: 1
        dataset: {paths: ["%s"]}
        order: {seed: 5, lanes: 2, batch: 20, window: 2, epochs: 2}
        tensors:
          id: {column: id, dtype: int64}
        """
            .formatted(data.toUri());
    Files.writeString(folder.resolve(JobFiles.feed(FEED)), yaml);
    Feed parsed =
        FeedParser.parse(
            yaml,
            "feed.yaml",
            path -> {
              throw new IOException("no file is named");
            });
    Catalog catalog =
        Catalog.read(
            parsed.dataset(),
            schema -> BoundFeed.bind(parsed, schema).fileColumns(),
            new Configuration(false),
            Settings.defaults().catalog());
    try (OutputStream out = Files.newOutputStream(folder.resolve(JobFiles.catalog(FEED)))) {
      catalog.write(out);
    }
    feed = PreparedFeed.of(parsed, catalog);
    Configuration configuration = new Configuration(false);
    configuration.set("penstock.zookeeper.quorum", zooKeeper.quorum());
    configuration.set("penstock.zookeeper.root", "/test");
    configuration.set("penstock.cache.dirs", folder.resolve("cache").toString());
    configuration.set("penstock.cache.max-disk-share", "1");
    configuration.set("penstock.history.dir", folder.resolve("history").toUri().toString());
    configuration.set("penstock.load.memory", "32m");
    try (OutputStream out = Files.newOutputStream(folder.resolve(JobFiles.CONFIGURATION))) {
      JobConfiguration.write(configuration, out);
    }
    coordination =
        Coordination.connect(CoordinationSettings.of(Settings.read(configuration).zookeeper()));
    job = coordination.job(APP);
    am = job.takeOver(1, "am");
  }

  @AfterEach
  void stop() throws IOException {
    coordination.close();
    zooKeeper.close();
  }

  private void writeDataset() throws IOException {
    MessageType schema = MessageTypeParser.parseMessageType("message m { required int64 id; }");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(
                new org.apache.hadoop.fs.Path(folder.resolve("data/part.parquet").toUri()))
            .withType(schema)
            .withConf(new Configuration(false))
            .withRowGroupRowCountLimit(50)
            .build()) {
      for (long id = 0; id < ROWS; id++) {
        SimpleGroup group = new SimpleGroup(schema);
        group.add("id", id);
        writer.write(group);
      }
    }
  }

  private ExitStatus run(String feedDigest) {
    am.writeSpec(
        new JobSpec(
            APP,
            "name",
            "user",
            "queue",
            0,
            "0",
            "staging",
            Map.of(
                FEED,
                new FeedSpec(
                    feedDigest,
                    feed.catalog().digest(),
                    JobFiles.feed(FEED),
                    JobFiles.catalog(FEED),
                    1,
                    2,
                    20,
                    feed.plan().steps(),
                    2,
                    ROWS,
                    0,
                    "rows",
                    1))));
    am.writeAssignment(FEED, new Assignment(0, 1, 1, "c", "host", 0, Cursor.START));
    return new RankProcess(
            new RankIdentity(APP, "c", "host", FEED, 0, 1, am.fence(), 1, 1L << 30), folder)
        .run();
  }

  @Test
  void aRankDeliversWhatItIsAssignedAndLeavesItsSumsItsCertificateAndItsCache() throws IOException {
    assertEquals(ExitStatus.DONE, run(feed.feed().digest()));
    RankProgress progress = job.progress(FEED, 0).orElseThrow();
    assertEquals(Phase.DONE, progress.phase());
    assertEquals(new Cursor(2, 0), progress.committed().orElseThrow());
    assertEquals(
        List.of(
            EpochSummary.of(feed.plan().epoch(0)).orderDigest(),
            EpochSummary.of(feed.plan().epoch(1)).orderDigest()),
        progress.epochs().stream().map(RankEpoch::sums).map(sums -> sums.order()).toList());
    assertTrue(progress.cacheShare() > 0, progress::toString);
    assertEquals(List.of(), job.containers(), "what was registered is gone");
    try (var files = Files.list(folder.resolve("history/" + APP + "/certificates/" + FEED))) {
      assertTrue(files.anyMatch(file -> file.getFileName().toString().startsWith("g1-r0-")));
    }
    try (var slots = Files.list(folder.resolve("cache/slot-0"))) {
      String key =
          slots.filter(Files::isDirectory).findFirst().orElseThrow().getFileName().toString();
      assertEquals("host", coordination.caches(key).get(0).host());
    }
  }

  @Test
  void aRankThatHasAnotherFeedThanTheJobEndsAndSaysSo() {
    assertEquals(ExitStatus.INTERNAL, run("0".repeat(64)));
    RankProgress progress = job.progress(FEED, 0).orElseThrow();
    assertEquals(Phase.FAILED, progress.phase());
    String reason = progress.failure().orElseThrow().toString();
    assertTrue(reason.contains("the feed is not the job's"), reason);
  }
}
