package io.penstock.am;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.am.core.FeedPlan;
import io.penstock.am.core.History;
import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.Json;
import io.penstock.coordination.TestingZooKeeper;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.Resumption;
import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankRange;
import io.penstock.model.UsageException;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.JobRequest;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two files of 40 and 24 rows, batches of 16 rows from 4 lanes. */
class PreparationTest {
  private static final String APP = "application_1700000000000_0001";
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType("message m { required int64 id; required float x; }");

  @TempDir private Path folder;
  private Path data;
  private Path staging;
  private TestingZooKeeper zooKeeper;
  private Coordination coordination;
  private JobStore store;
  private FencedJob job;

  @BeforeEach
  void begin() throws Exception {
    data = Files.createDirectory(folder.resolve("data"));
    staging = Files.createDirectory(folder.resolve("staging"));
    write("a.parquet", 40);
    write("b.parquet", 24);
    zooKeeper = TestingZooKeeper.start();
    coordination = Coordination.connect(zooKeeper.settings());
    store = coordination.job(APP);
    job = store.takeOver(1, "am-1");
  }

  @AfterEach
  void end() throws Exception {
    coordination.close();
    zooKeeper.close();
  }

  @Test
  void theFirstAttemptMakesTheCatalogAndTheSpec() throws Exception {
    feed("fail");
    JobSpec spec = preparation(2).spec(store, job);
    FeedSpec feed = spec.feeds().get("train");
    assertEquals(64, feed.rows());
    // Four lanes of 16 rows, of which a step takes 4 each.
    assertEquals(4, feed.steps());
    assertEquals(5, feed.epochs());
    assertEquals(0, feed.maxBadRows());
    assertEquals(Optional.of(spec), store.spec());
    assertEquals(
        Map.of("train", new FeedPlan(RankRange.of(2), 16, 4, 4, 5, 64, 0)),
        Preparation.plans(spec));
    try (InputStream in = Files.newInputStream(staging.resolve(feed.catalogFile()))) {
      Catalog catalog = Catalog.read(in);
      assertEquals(feed.catalogDigest(), catalog.digest());
      assertEquals(2, catalog.files().size());
    }
  }

  @Test
  void aLaterAttemptTakesTheSpecAsItIsWhateverBecameOfTheData() throws Exception {
    feed("quarantine");
    JobSpec spec = preparation(2).spec(store, job);
    assertEquals(0.25, spec.feeds().get("train").maxBadRows());
    Files.delete(data.resolve("b.parquet"));
    FencedJob second = store.takeOver(2, "am-2");
    second.writeDecision(new Decision(7, 1, "started", "generation 1"));
    assertEquals(spec, preparation(2).spec(store, second));
    History history = Preparation.history(store, spec, 2);
    assertEquals(2, history.attempt());
    assertEquals(7, history.decisions());
    assertFalse(history.state().isPresent());
  }

  @Test
  void aJobThatGoesOnTakesTheEarlierJobsCatalogCursorAndSums() throws Exception {
    feed("fail");
    JobSpec earlier = preparation(2).spec(store, job);
    FeedSpec was = earlier.feeds().get("train");
    Path recorded = folder.resolve(JobFiles.catalog("train"));
    Files.copy(staging.resolve(was.catalogFile()), recorded);
    FileTime written = FileTime.fromMillis(1_000);
    Files.setLastModifiedTime(staging.resolve(was.catalogFile()), written);
    Sums sums = new Sums(48, 0, 48, 0, new Digest128(1, 2), new Digest128(3, 4));
    Resumption resumption = resumption(new Cursor(1, 3), sums, was.feedDigest());
    write("c.parquet", 24);

    JobStore next = coordination.job("application_1700000000000_0002");
    FencedJob taken = next.takeOver(1, "am-1");
    JobSpec spec = preparation(4).spec(next, taken);
    assertEquals(was.catalogDigest(), spec.feeds().get("train").catalogDigest());
    assertEquals(written, Files.getLastModifiedTime(staging.resolve(was.catalogFile())));
    assertEquals(Optional.of(resumption), Preparation.resumption(folder));
    assertEquals(Optional.of(resumption), next.spec().orElseThrow().resumed());
    Agreed begin =
        Preparation.history(next, spec, 1, Optional.of(resumption)).agreed().get("train");
    assertEquals(new Cursor(1, 3), begin.cursor());
    assertEquals(sums, begin.sums());
    Agreed later = new Agreed(1, 4, begin.cursor(), sums, new Cursor(2, 0), Sums.NONE, List.of());
    taken.writeAgreed("train", later);
    assertEquals(
        later, Preparation.history(next, spec, 2, Optional.of(resumption)).agreed().get("train"));
  }

  @Test
  void aJobThatGoesOnWithAnotherFeedIsRefused() throws Exception {
    feed("fail");
    FeedSpec was = preparation(2).spec(store, job).feeds().get("train");
    Files.copy(staging.resolve(was.catalogFile()), folder.resolve(JobFiles.catalog("train")));
    resumption(Cursor.START, Sums.NONE, "ab".repeat(32));
    JobStore next = coordination.job("application_1700000000000_0002");
    FencedJob taken = next.takeOver(1, "am-1");
    String message =
        assertThrows(UsageException.class, () -> preparation(2).spec(next, taken)).getMessage();
    assertTrue(message.contains("was " + "ab".repeat(32)), message);
  }

  private Resumption resumption(Cursor cursor, Sums sums, String feedDigest) throws Exception {
    Resumption resumption =
        new Resumption(
            APP,
            Map.of(
                "train",
                new Resumption.Start(
                    cursor,
                    sums,
                    feedDigest,
                    store.spec().orElseThrow().feeds().get("train").catalogDigest())));
    Files.writeString(folder.resolve(JobFiles.RESUMPTION), Json.text(resumption));
    return resumption;
  }

  @Test
  void ranksThatDoNotDivideTheBatchAreRefused() throws Exception {
    feed("fail");
    UsageException error =
        assertThrows(UsageException.class, () -> preparation(3).spec(store, job));
    assertEquals("ranks must divide batch: ranks=3 batch=16", error.getMessage());
    assertEquals(Optional.empty(), store.spec());
  }

  @Test
  void dataThatIsMissingIsRefused() throws Exception {
    feed("fail");
    Files.delete(data.resolve("a.parquet"));
    Files.delete(data.resolve("b.parquet"));
    Files.delete(data);
    UsageException error =
        assertThrows(UsageException.class, () -> preparation(2).spec(store, job));
    assertTrue(error.getMessage().contains(data.toString()), error.getMessage());
  }

  private Preparation preparation(int ranks) throws Exception {
    Configuration configuration = new Configuration();
    JobRequest request =
        new JobRequest(
            APP,
            "rides",
            "ann",
            "default",
            1,
            "0.1.0",
            staging.toUri().toString(),
            "file:///penstock.tar.gz",
            "penstock.jar",
            Map.of("train", RankRange.of(ranks)));
    return new Preparation(
        request,
        folder,
        configuration,
        Settings.defaults().catalog(),
        FileSystem.getLocal(configuration));
  }

  private void feed(String badRowGroup) throws Exception {
    String limit = badRowGroup.equals("quarantine") ? "\n  max_bad_rows: 0.25" : "";
    Files.writeString(
        folder.resolve(JobFiles.feed("train")),
        """
        penstock: 1
        dataset:
          paths: [%s]
          bad_row_group: %s%s
        order: {seed: 1, lanes: 4, batch: 16, epochs: 5}
        tensors:
          id: {column: id, dtype: int64}
          x: {column: x, dtype: float32}
        """
            .formatted(data.toUri(), badRowGroup, limit));
  }

  private void write(String name, int rows) throws Exception {
    SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(data.resolve(name)))
            .withType(SCHEMA)
            .build()) {
      for (int row = 0; row < rows; row++) {
        writer.write(groups.newGroup().append("id", (long) row).append("x", (float) row));
      }
    }
  }
}
