package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What jobs leave in their history, and what it is good for: proofs, comparisons, batches made
 * again, and going on after a kill, with neither ZooKeeper's record nor, in the end, the dataset.
 */
@ExtendWith(ClusterExtension.class)
class HistoryIT {
  private static final Duration LONG = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** 6,000 rows, 60 steps an epoch. */
  private static final String ORDER =
      "seed: %d, lanes: 4, batch: 100, window: 3, deal: epoch, epochs: 3";

  @TempDir Path temporary;

  @Test
  void jobsAreProvedComparedAndGoneOnWithFromTheirHistoryAlone(PenstockCluster cluster)
      throws Exception {
    Rides rides = Rides.in(cluster, "history", 6_000, 450);
    Path feed = rides.feed("history", ORDER.formatted(31));
    Path otherSeed = rides.feed("history-other-seed", ORDER.formatted(32));
    Oracle oracle = new Oracle(rides);
    List<Digests> undisturbed = new ArrayList<>();
    for (int epoch = 0; epoch < 3; epoch++) {
      undisturbed.add(oracle.epoch(feed, epoch));
    }

    JobTold two = run(cluster, JobAsk.of(feed, 2).with("penstock.step.commit-every", 16));
    assertEquals(undisturbed, two.digests());
    JobTold other = run(cluster, JobAsk.of(otherSeed, 1).with("penstock.history.block-steps", 16));
    String a = two.application().toString();
    String c = other.application().toString();

    equal(verify(cluster, a), 3);
    equal(verify(cluster, a, "--deep", "--epoch", "1", "--steps", "10:20"), 4);
    partsAtItsFirstRow(verify(cluster, a, c), oracle, feed, otherSeed);
    peekIsThatOfTheFeed(cluster, a, feed);

    String killed = killedInMidEpoch(cluster, feed);
    cluster.zooKeeper().delete().deletingChildrenIfNeeded().forPath("/penstock");
    int applications = cluster.yarn().getApplications().size();
    refused(
        cluster,
        JobAsk.resume(killed).option("--feed", otherSeed.toString()),
        "order.seed: 31, now 32");
    org.apache.hadoop.fs.Path file = firstFile(cluster, rides);
    FileStatus was = cluster.hdfs().getFileStatus(file);
    cluster.hdfs().setTimes(file, 1_000, -1);
    refused(cluster, JobAsk.resume(killed), "1970-01-01T00:00:01Z", file.getName());
    cluster.hdfs().setTimes(file, was.getModificationTime(), -1);
    assertEquals(applications, cluster.yarn().getApplications().size());

    JobTold rest =
        run(
            cluster,
            JobAsk.resume(killed)
                .option("--from", "1:16", "--ranks", "4")
                .with("penstock.load.workers", 3)
                .with("penstock.history.block-steps", 20));
    String d = rest.application().toString();
    assertEquals(undisturbed.subList(1, 3), rest.digests());
    assertEquals(List.of(6_000L, 6_000L), rest.ofEpochs("rows"));
    // Epoch 0 is the killed job's own.
    equal(verify(cluster, a, d), 6);
    String told = cluster.penstock().run("inspect", d).stdout();
    assertTrue(told.contains("resumed from " + killed + " at 1:16"), told);
    JsonNode certificate = certificateIsProvedByNumPy(cluster, d);
    coversEachStepOnce(certificate.path("epochs").path(1), 60);

    assertTrue(cluster.hdfs().delete(new org.apache.hadoop.fs.Path(rides.path()), true));
    equal(verify(cluster, d), 3);
    CommandResult deep = verify(cluster, d, "--deep", "--epoch", "2", "--steps", "0:1");
    assertEquals(1, deep.exitCode(), deep.toString());
    assertTrue(deep.stdout().contains("is gone: file"), deep.toString());
  }

  /**
   * Twenty files of 30 rows: in one a value is missing, in another a byte is another. So many files
   * have known footers, and the ApplicationMaster reads none that submit has read.
   */
  @Test
  void rowGroupsThatAJobQuarantinedAreKnownToTheProofs(PenstockCluster cluster) throws Exception {
    Path spoilt = temporary.resolve("spoilt");
    for (int file = 10; file < 30; file++) {
      int missing = file == 12 ? 7 : -1;
      SmallParquet.write(
          spoilt.resolve("f" + file + ".parquet"),
          SmallParquet.SCHEMA,
          30,
          (group, row) -> {
            if (row != missing) {
              group.add("x", (long) row);
            }
            group.add("label", 0.5);
          });
    }
    Path flipped = spoilt.resolve("f14.parquet");
    byte[] bytes = Files.readAllBytes(flipped);
    bytes[100] ^= 1;
    Files.write(flipped, bytes);
    Files.delete(spoilt.resolve(".f14.parquet.crc"));
    cluster
        .hdfs()
        .copyFromLocalFile(
            new org.apache.hadoop.fs.Path(spoilt.toUri()),
            new org.apache.hadoop.fs.Path("/data/spoilt"));
    for (FileStatus file :
        cluster.hdfs().listStatus(new org.apache.hadoop.fs.Path("/data/spoilt"))) {
      cluster.hdfs().setTimes(file.getPath(), 1_000_000, -1);
    }
    Path feed =
        Files.writeString(
            temporary.resolve("spoilt.yaml"),
            """
            penstock: 1
            dataset: {paths: [/data/spoilt], bad_row_group: quarantine, max_bad_rows: 0.5}
            order: {seed: 5, lanes: 2, batch: 50, window: 2, epochs: 2}
            tensors:
              x: {column: x, dtype: int64}
              label: {column: label, dtype: float32}
            """);
    JobTold told = run(cluster, JobAsk.of(feed, 2));
    String application = told.application().toString();
    assertEquals(List.of(600L, 600L), told.ofEpochs("rows"));
    String log = cluster.containerLogText(told.application());
    assertTrue(log.contains("event=known-footers files=20 used=20 stale=0 new=0"), log);
    List<String> decided = new ArrayList<>();
    told.json()
        .path("decisions")
        .forEach(
            decision -> {
              if (decision.path("kind").asText().equals("quarantine")) {
                decided.add(decision.path("detail").asText());
              }
            });
    decided.sort(null);
    assertEquals(2, decided.size(), decided.toString());
    assertTrue(decided.get(0).contains("/data/spoilt/f12.parquet, row group 0, 30 rows: "));
    assertTrue(decided.get(1).contains("/data/spoilt/f14.parquet, row group 0, 30 rows: "));
    CommandResult peek =
        cluster
            .penstock()
            .run("peek", "--feed", feed.toString(), "--epoch", "1", "--step", "0:12", "--json");
    assertEquals(told.digests().get(1), Digests.of(peek.json()), peek.toString());

    CommandResult order = verify(cluster, application);
    assertEquals(0, order.exitCode(), order.toString());
    assertEquals(List.of(60L, 60L), counts(order));
    CommandResult deep = verify(cluster, application, "--deep", "--epoch", "1", "--steps", "0:12");
    assertEquals(0, deep.exitCode(), deep.toString());
    assertEquals(List.of(60L), counts(deep));
  }

  /** How many rows were not valid, of each stretch of steps that was checked. */
  private static List<Long> counts(CommandResult verify) {
    List<Long> counts = new ArrayList<>();
    for (JsonNode check : verify.json().path("checks")) {
      if (check.path("count").asText().equals("rows quarantined")) {
        assertEquals(check.path("expected"), check.path("found"), verify.toString());
        counts.add(check.path("found").asLong());
      }
    }
    return counts;
  }

  private JobTold run(PenstockCluster cluster, JobAsk ask) throws Exception {
    CommandResult result =
        cluster
            .penstock()
            .within(LONG)
            .run(
                ask.with("penstock.cache.dirs", temporary.resolve("cache"))
                    // A busy machine's HDFS may be late, and then blocks are missing.
                    .with("penstock.history.timeout", "1m")
                    .option("--json")
                    .args());
    return JobTold.of(result, 0);
  }

  private static CommandResult verify(PenstockCluster cluster, String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("verify", "--json"));
    all.addAll(List.of(words));
    return cluster.penstock().run(all.toArray(String[]::new));
  }

  private static void equal(CommandResult verify, int digests) {
    assertEquals(0, verify.exitCode(), verify.toString());
    assertTrue(verify.json().path("equal").asBoolean(), verify.toString());
    assertEquals(digests, verify.json().path("checks").size(), verify.toString());
    for (JsonNode check : verify.json().path("checks")) {
      assertTrue(check.path("found").asText().matches("[0-9a-f]{32}"), verify.toString());
    }
  }

  /** By the oracle both seeds differ in the first row already. */
  private void partsAtItsFirstRow(CommandResult verify, Oracle oracle, Path feed, Path otherSeed)
      throws Exception {
    assertEquals(1, verify.exitCode(), verify.toString());
    String told = verify.json().path("differences").toString();
    assertTrue(told.contains("they part in epoch 0, steps 0:16: another order"), told);
    long mine = firstRow(oracle, feed);
    long theirs = firstRow(oracle, otherSeed);
    assertTrue(mine != theirs, "the seeds are chosen so that the first rows differ");
    assertTrue(
        told.matches(
            ".*step 0, position 0: row %d \\(file [^)]*\\) and row %d \\(file .*"
                .formatted(mine, theirs)),
        told);
  }

  private long firstRow(Oracle oracle, Path feed) throws Exception {
    Path out = temporary.resolve("first-" + feed.getFileName());
    oracle.batches(feed, 0, 1, 0, out);
    byte[] npy = Files.readAllBytes(out.resolve("row.npy"));
    int header = 10 + (npy[8] & 0xff) + ((npy[9] & 0xff) << 8);
    return java.nio.ByteBuffer.wrap(npy).order(java.nio.ByteOrder.LITTLE_ENDIAN).getLong(header);
  }

  private static void peekIsThatOfTheFeed(PenstockCluster cluster, String job, Path feed)
      throws Exception {
    String[] what = {"--epoch", "1", "--step", "17", "--rank", "1", "--json"};
    List<String> past = new ArrayList<>(List.of("peek", job));
    past.addAll(List.of(what));
    List<String> now = new ArrayList<>(List.of("peek", "--feed", feed.toString(), "--ranks", "2"));
    now.addAll(List.of(what));
    CommandResult ofJob = cluster.penstock().run(past.toArray(String[]::new));
    CommandResult ofFeed = cluster.penstock().run(now.toArray(String[]::new));
    assertEquals(0, ofJob.exitCode(), ofJob.toString());
    assertEquals(ofFeed.json(), ofJob.json());
    assertTrue(ofJob.json().path("values_digest").asText().matches("[0-9a-f]{32}"));
  }

  private JsonNode certificateIsProvedByNumPy(PenstockCluster cluster, String job)
      throws Exception {
    Path file = temporary.resolve(job + ".json");
    equal(verify(cluster, job, "--certificate", file.toString()), 3);
    CommandResult proved = PythonPackage.run("-m", "penstock.order", "verify", file.toString());
    assertEquals(0, proved.exitCode(), proved.toString());
    assertTrue(proved.stdout().contains("equal: 3 of 3"), proved.toString());

    JsonNode certificate = JSON.readTree(file.toFile());
    JsonNode tampered = certificate.deepCopy();
    ObjectNode block = (ObjectNode) tampered.path("epochs").path(1).path("blocks").path(1);
    block.put("order", "0".repeat(32));
    Files.writeString(file, tampered.toString());
    CommandResult doubted = PythonPackage.run("-m", "penstock.order", "verify", file.toString());
    assertEquals(1, doubted.exitCode(), doubted.toString());
    String named =
        "the first block that differs: steps %d:%d"
            .formatted(block.path("from_step").asInt(), block.path("to_step").asInt());
    assertTrue(doubted.stdout().contains(named), doubted.toString());
    assertTrue(doubted.stdout().contains("the first is epoch 1"), doubted.toString());
    return certificate;
  }

  private static void coversEachStepOnce(JsonNode epoch, int steps) {
    int at = 0;
    for (JsonNode block : epoch.path("blocks")) {
      assertEquals(at, block.path("from_step").asInt(), epoch.toString());
      at = block.path("to_step").asInt();
    }
    assertEquals(steps, at, epoch.toString());
  }

  /** Ends a job that has committed 1:16 by Ctrl-C, and gives its id. */
  private String killedInMidEpoch(PenstockCluster cluster, Path feed) throws Exception {
    JobAsk ask =
        JobAsk.of(feed, 2)
            .with("penstock.cache.dirs", temporary.resolve("cache"))
            .with("penstock.history.timeout", "1m")
            .with("penstock.step.commit-every", 16)
            .with("penstock.step.milliseconds", 100);
    try (RunningCommand submit = cluster.penstock().start(ask.args())) {
      LiveJob live = LiveJob.of(cluster, submit);
      live.awaitAgreed(1, 16);
      submit.interrupt();
      assertEquals(4, submit.await(LONG).exitCode());
      JobTraces.of(cluster, live.application()).nothingIsLeft();
      return live.application().toString();
    }
  }

  private static void refused(PenstockCluster cluster, JobAsk ask, String... named)
      throws Exception {
    CommandResult result = cluster.penstock().run(ask.args());
    assertEquals(2, result.exitCode(), result.toString());
    assertEquals("", result.stdout());
    for (String name : named) {
      assertTrue(result.stderr().contains(name), name + ": " + result);
    }
  }

  private static org.apache.hadoop.fs.Path firstFile(PenstockCluster cluster, Rides rides)
      throws IOException {
    return cluster.hdfs().listStatus(new org.apache.hadoop.fs.Path(rides.path()))[0].getPath();
  }
}
