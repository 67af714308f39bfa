package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused: one clear message that names the place, the exit code, and nothing left. */
@ExtendWith(ClusterExtension.class)
class BadInputIT {
  /** "Within 60 s", and a busy machine's time to start two JVMs. */
  private static final Duration GIVES_UP = Duration.ofSeconds(90);

  @TempDir Path temporary;

  static Stream<BadFeed> badFeeds() {
    return Stream.of(
        BadFeed.ofText("not YAML", "penstock: 1\ndataset: {paths: [\n", "feed.yaml:3", "not YAML"),
        BadFeed.ofOrder(
            "an unknown key",
            "sead: 1, seed: 1, lanes: 2, batch: 10",
            "feed.yaml:3",
            "unknown key 'sead'",
            "did you mean 'seed'?"),
        BadFeed.ofOrder(
            "a batch that is no multiple of lanes",
            "seed: 1, lanes: 3, batch: 10",
            "feed.yaml:3",
            "order.batch=10 lanes=3"),
        BadFeed.ofOrder(
            "a seed of 2^63",
            "seed: 9223372036854775808, lanes: 2, batch: 10",
            "feed.yaml:3",
            "order.seed=9223372036854775808"),
        BadFeed.ofOrder(
            "fewer rows than a batch",
            "seed: 1, lanes: 2, batch: 102",
            "rows=100",
            "one batch takes 102"),
        BadFeed.ofOrder(
            "fewer rows than lanes",
            "seed: 1, lanes: 101, batch: 101, remainder: pad",
            "rows=100",
            "lanes=101"),
        BadFeed.ofTensor(
            "a column that is not there",
            "y: {column: lable, dtype: float32}",
            "feed.yaml:4",
            "tensor 'y'",
            "no column 'lable'",
            "did you mean 'label'?"),
        BadFeed.ofData(
            "a column of a type that is not supported",
            folder ->
                SmallParquet.write(
                    folder.resolve("a.parquet"),
                    "message m { optional group x (MAP) { repeated group key_value {"
                        + " required binary key (STRING); optional int64 value; } } }",
                    100,
                    (group, row) -> {}),
            "feed.yaml:4",
            "column 'x'",
            "MAP"),
        BadFeed.ofData("no row", SmallParquet.good(0), "at least one row", "/data"),
        BadFeed.ofData("a path that is not there", folder -> {}, "must exist", "/data"),
        BadFeed.ofData(
            "a folder with no file", Files::createDirectory, "must have a file", "/data"),
        BadFeed.ofData(
            "two files whose columns differ",
            folder -> {
              SmallParquet.good(100).write(folder);
              SmallParquet.write(
                  folder.resolve("b.parquet"),
                  "message m { optional binary x (STRING); }",
                  100,
                  (group, row) -> group.add("x", "a"));
            },
            "column 'x'",
            "a.parquet",
            "b.parquet",
            "int64",
            "STRING"),
        BadFeed.ofData(
            "an empty file",
            folder -> {
              SmallParquet.good(100).write(folder);
              Files.createFile(folder.resolve("b.parquet"));
            },
            "b.parquet",
            "empty"),
        BadFeed.ofData(
            "a file that is cut short",
            folder -> {
              SmallParquet.good(100).write(folder);
              byte[] whole = Files.readAllBytes(folder.resolve("a.parquet"));
              Files.write(folder.resolve("b.parquet"), Arrays.copyOf(whole, whole.length - 100));
            },
            "b.parquet",
            "cut short"),
        BadFeed.ofData(
            "a file that is not Parquet",
            folder -> {
              SmallParquet.good(100).write(folder);
              Files.writeString(folder.resolve("b.csv"), "fare,tip\n1.5,0.5\n".repeat(10));
            },
            "b.csv",
            "not a Parquet file"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badFeeds")
  void aBadFeedIsRefusedBeforeItIsSubmitted(BadFeed bad, PenstockCluster cluster) throws Exception {
    int before = cluster.yarn().getApplications().size();
    CommandResult result = submit(cluster.penstock(), bad.write(temporary));
    refused(result, 2, bad.named());
    assertEquals(before, cluster.yarn().getApplications().size());
    nothingIsLeft(cluster);
  }

  @Test
  void ranksThatDoNotDivideTheBatchAreRefused(PenstockCluster cluster) throws Exception {
    CommandResult result = cluster.penstock().run(JobAsk.of(goodFeed(), 3).args());
    refused(result, 2, List.of("ranks=3", "batch=10"));
  }

  @Test
  void aNullThatNoOpRemovesEndsTheJobAndItsPlaceIsNamed(PenstockCluster cluster) throws Exception {
    BadFeed bad =
        new BadFeed(
            "a null",
            BadFeed.feed("seed: 1, lanes: 2, batch: 10", "x: {column: x, dtype: int64}"),
            folder ->
                SmallParquet.write(
                    folder.resolve("a.parquet"),
                    SmallParquet.SCHEMA,
                    100,
                    (group, row) -> {
                      if (row != 77) {
                        group.add("x", (long) row);
                      }
                      group.add("label", 0.5);
                    }),
            List.of());
    CommandResult result =
        cluster.penstock().run(JobAsk.of(bad.write(temporary), 1).option("--json").args());
    JobTold told = JobTold.of(result, 1);
    assertEquals("FAILED", told.state());
    assertEquals(0, told.json().path("restarts").asInt(), told.toString());
    for (String name : List.of("a.parquet", "row group 0", "column x", "row 77", "null")) {
      assertTrue(told.json().path("reason").asText().contains(name), name + ": " + told);
      assertTrue(result.stderr().contains(name), name + ": " + result);
    }
    JobTraces traces = JobTraces.of(cluster, told.application());
    traces.yarnSays(FinalApplicationStatus.FAILED);
    traces.nothingIsLeft();
  }

  @Test
  void anAskForMoreGpusThanAnyNodeHasIsRefused(PenstockCluster cluster) throws Exception {
    CommandResult result = submit(cluster.penstock(), goodFeed(), "--gpus-per-rank", "3");
    refused(result, 2, List.of("yarn.io/gpu=3", "largest 2"));
    nothingIsLeft(cluster);
  }

  @Test
  void anUnknownQueueIsRefused(PenstockCluster cluster) throws Exception {
    List<String> known = cluster.znodes("/penstock/jobs");
    CommandResult result = submit(cluster.penstock(), goodFeed(), "--queue", "express");
    refused(result, 2, List.of("unknown queue: express"));
    assertEquals(known, cluster.znodes("/penstock/jobs"));
    nothingIsLeft(cluster);
  }

  @Test
  void anUnknownSettingIsRefused(PenstockCluster cluster) throws Exception {
    CommandResult result = submit(cluster.penstock(), goodFeed(), "-D", "penstock.load.wrokers=3");
    refused(result, 2, List.of("penstock.load.wrokers", "penstock.load.workers"));
  }

  @Test
  void aFolderThatTheUserMayNotReadIsNamed(PenstockCluster cluster) throws Exception {
    org.apache.hadoop.fs.Path closed = new org.apache.hadoop.fs.Path("/data/closed");
    cluster.hdfs().mkdirs(closed);
    cluster.hdfs().setPermission(closed, new FsPermission((short) 0));
    Path feed =
        Files.writeString(
            temporary.resolve("feed.yaml"),
            BadFeed.feed("seed: 1, lanes: 2, batch: 10", "x: {column: x, dtype: int64}")
                .replace("DATA", closed.toString()));
    CommandResult result = submit(cluster.penstock().with("HADOOP_USER_NAME", "nobody"), feed);
    refused(result, 3, List.of("ermission", "nobody", "/data/closed"));
    nothingIsLeft(cluster);
  }

  @ParameterizedTest(name = "{0} refuses connections")
  @ValueSource(strings = {"ZooKeeper", "HDFS", "YARN"})
  void aServerThatIsNotThereIsGivenUp(String server, PenstockCluster cluster) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    givenUp(cluster, server, port);
  }

  @ParameterizedTest(name = "{0} accepts connections and says nothing")
  @ValueSource(strings = {"ZooKeeper", "HDFS", "YARN"})
  void aServerThatIsSilentIsGivenUp(String server, PenstockCluster cluster) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      givenUp(cluster, server, silent.getLocalPort());
    }
  }

  private void givenUp(PenstockCluster cluster, String server, int port) throws Exception {
    String address = "127.0.0.1:" + port;
    String setting =
        switch (server) {
          case "ZooKeeper" -> "penstock.zookeeper.quorum=" + address;
          case "HDFS" -> "fs.defaultFS=hdfs://" + address;
          case "YARN" -> "yarn.resourcemanager.address=" + address;
          default -> throw new IllegalArgumentException(server);
        };
    // A unit test pins the defaults of these time-outs, all below 60 s.
    CommandResult result =
        submit(
            cluster.penstock().within(GIVES_UP),
            goodFeed(),
            "-D",
            setting,
            "-D",
            "penstock.zookeeper.connect-timeout=5s",
            "-D",
            "penstock.submit.connect-timeout=5s");
    refused(result, 3, List.of(address));
    nothingIsLeft(cluster);
  }

  private Path goodFeed() throws IOException {
    return BadFeed.ofOrder("nothing", "seed: 1, lanes: 2, batch: 10").write(temporary);
  }

  private static CommandResult submit(Penstock penstock, Path feed, String... options)
      throws IOException, InterruptedException {
    JobAsk ask = JobAsk.of(feed, 1).option(options);
    return penstock.run(ask.args());
  }

  /** Standard error is one line, and standard output nothing. */
  private static void refused(CommandResult result, int exitCode, List<String> named) {
    assertEquals(exitCode, result.exitCode(), result.toString());
    assertEquals("", result.stdout());
    List<String> lines = result.stderr().lines().toList();
    assertEquals(1, lines.size(), result.toString());
    assertTrue(lines.get(0).startsWith("penstock: "), result.toString());
    for (String name : named) {
      assertTrue(lines.get(0).contains(name), name + ": " + result);
    }
  }

  private static void nothingIsLeft(PenstockCluster cluster) throws IOException {
    assertEquals(List.of(), JobTraces.staged(cluster));
    assertEquals(List.of(), cluster.runningContainers());
  }
}
