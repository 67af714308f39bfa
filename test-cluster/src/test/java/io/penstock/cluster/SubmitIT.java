package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Jobs from their submission to their end: what they deliver, and what they leave behind. */
@ExtendWith(ClusterExtension.class)
class SubmitIT {
  private static final String ORDER = "seed: 7, lanes: 8, batch: 400, window: 3, epochs: 2";
  private static final long STEPS = Rides.ROWS / 400;

  @TempDir Path temporary;

  @Test
  void aWarmCacheDeliversWhatAColdOneDidAndYarnJarWhatTheScriptDid(PenstockCluster cluster)
      throws Exception {
    Rides rides = Rides.in(cluster);
    Path feed = rides.feed("cold-and-warm", ORDER);
    List<Digests> expected = expected(rides, feed, 2);
    JobAsk ask = JobAsk.of(feed, 2).with("penstock.cache.dirs", temporary.resolve("cache"));

    JobTold cold =
        JobTold.of(
            cluster.penstock().run(ask.with("penstock.load.workers", 1).option("--json").args()),
            0);
    assertEquals("SUCCEEDED", cold.state());
    assertEquals(expected, cold.digests());
    assertEquals(List.of(STEPS, STEPS), cold.ofEpochs("steps"));
    assertEquals(List.of((long) Rides.ROWS, (long) Rides.ROWS), cold.ofEpochs("rows"));
    // A row group that belongs to two lanes is in the cache when the second comes to it.
    long again = cold.epoch(0).path("rows_from_cache").asLong();
    assertTrue(again < Rides.ROWS / 2, cold.toString());
    assertEquals(List.of(Rides.ROWS - again, 0L), cold.ofEpochs("rows_from_storage"));
    assertEquals(List.of(again, (long) Rides.ROWS), cold.ofEpochs("rows_from_cache"));
    assertEquals(List.of("started"), cold.decisions());
    JobTraces.of(cluster, cold.application()).areThoseOfSuccess(2);

    CommandResult warm = cluster.yarnJar().run(ask.with("penstock.load.workers", 5).args());
    assertEquals(0, warm.exitCode(), warm.toString());
    List<String[]> summary =
        warm.stdout()
            .lines()
            .map(line -> line.strip().split(" {2,}"))
            .filter(cells -> cells.length == 9)
            .toList();
    assertEquals(
        List.of("epoch", "steps", "rows", "seconds", "waits", "from HDFS", "from cache"),
        Arrays.asList(summary.get(0)).subList(0, 7));
    List<Digests> printed = new ArrayList<>();
    for (String[] cells : summary.subList(1, summary.size())) {
      assertEquals(List.of("60", "24,000"), Arrays.asList(cells).subList(1, 3), warm.stdout());
      assertEquals(List.of("0", "24,000"), Arrays.asList(cells).subList(5, 7), warm.stdout());
      printed.add(new Digests(cells[7], cells[8]));
    }
    assertEquals(expected, printed, warm.stdout());
    assertTrue(warm.stderr().contains("submitted application_"), warm.stderr());
    assertTrue(warm.stderr().contains("epoch 2 of 2"), warm.stderr());
  }

  @Test
  void ranksWorkersAndSettingsChangeNothingThatIsDelivered(PenstockCluster cluster)
      throws Exception {
    Rides rides = Rides.in(cluster);
    Path feed = rides.feed("shapes", ORDER);
    List<Digests> expected = expected(rides, feed, 2);
    Random random = new Random(20_261_129);
    for (int ranks : new int[] {1, 4}) {
      JobAsk ask =
          drawn(random, JobAsk.of(feed, ranks))
              .with("penstock.load.workers", ranks == 1 ? 5 : 2)
              .with("penstock.cache.dirs", temporary.resolve("cache-" + ranks))
              .option("--json");
      JobTold told = JobTold.of(cluster.penstock().run(ask.args()), 0);
      assertEquals(expected, told.digests(), ask.toString());
      JobTraces.of(cluster, told.application()).areThoseOfSuccess(ranks);
    }
  }

  @Test
  void aCacheStaysBelowItsQuotaAndTheRestIsReadInEveryEpoch(PenstockCluster cluster)
      throws Exception {
    Rides rides = Rides.in(cluster);
    Path feed =
        rides.feed(
            "quota",
            "seed: 0, lanes: 6, batch: 1020, window: 2, shuffle: rows, deal: epoch, remainder: pad,"
                + " epochs: 3");
    long quota = 2 << 20;
    // Ranks that don't divide the lanes, so that some read half of one.
    JobAsk ask =
        drawn(new Random(7), JobAsk.of(feed, 4))
            .with("penstock.cache.dirs", temporary.resolve("cache"))
            .with("penstock.cache.quota", quota)
            .option("--json");
    JobTold told = JobTold.of(cluster.penstock().run(ask.args()), 0);
    assertEquals(expected(rides, feed, 3), told.digests(), ask.toString());
    // 24,000 rows in 6 lanes are 4,000 each, 170 of each are a step: 23.5 of them.
    assertEquals(List.of(24L, 24L, 24L), told.ofEpochs("steps"));
    assertEquals(List.of(480L, 480L, 480L), told.ofEpochs("padding"));
    for (JsonNode epoch : told.feed().path("epochs")) {
      assertTrue(epoch.path("rows_from_storage").asLong() > 0, told.toString());
    }
    assertTrue(told.epoch(2).path("rows_from_cache").asLong() > 0, told.toString());
    try (Stream<Path> slots = Files.list(temporary.resolve("cache"))) {
      List<Path> all = slots.toList();
      assertEquals(4, all.size());
      for (Path slot : all) {
        long bytes = bytes(slot);
        assertTrue(bytes > 0 && bytes <= quota, slot + " takes " + bytes);
      }
    }
  }

  @Test
  void peekWritesWhatPyArrowAndNumPyFindInTheSameFiles(PenstockCluster cluster) throws Exception {
    Rides rides = Rides.in(cluster);
    Path feed = rides.feed("peek", ORDER);
    Path peeked = temporary.resolve("peeked");
    Path found = temporary.resolve("found");
    CommandResult peek =
        cluster
            .penstock()
            .run(
                "peek",
                "--feed",
                feed.toString(),
                "--epoch",
                "1",
                "--step",
                "17:60",
                "--out",
                peeked.toString(),
                "--json");
    assertEquals(0, peek.exitCode(), peek.toString());
    JsonNode oracle = new Oracle(rides).batches(feed, 17, 60, 1, found);
    for (String field : new String[] {"steps", "tensors", "order_digest", "values_digest"}) {
      assertEquals(oracle.path(field), peek.json().path(field), field);
    }
    assertEquals(11, names(found).size());
    assertEquals(names(found), names(peeked));
    for (String name : names(found)) {
      assertEquals(-1, Files.mismatch(found.resolve(name), peeked.resolve(name)), name);
    }
  }

  /** By epoch. */
  private static List<Digests> expected(Rides rides, Path feed, int epochs)
      throws IOException, InterruptedException {
    Oracle oracle = new Oracle(rides);
    List<Digests> all = new ArrayList<>();
    for (int epoch : IntStream.range(0, epochs).toArray()) {
      all.add(oracle.epoch(feed, epoch));
    }
    return all;
  }

  private static JobAsk drawn(Random random, JobAsk ask) {
    return ask.with("penstock.load.queue", 1 + random.nextInt(4))
        .with("penstock.load.read-ahead", 1 + random.nextInt(8))
        .with("penstock.fetch.threads", 1 + random.nextInt(4))
        .with("penstock.fetch.max-read", (64 << random.nextInt(6)) + "k")
        .with("penstock.cache.record-size", (16 << random.nextInt(6)) + "k")
        .with("penstock.batch.workers", 1 + random.nextInt(3))
        .with("penstock.batch.slots", 1 + random.nextInt(5))
        .with("penstock.device.buffers", 2 + random.nextInt(3));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
