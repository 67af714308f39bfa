package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.cli.Datasets;
import io.penstock.cli.Invocation;
import io.penstock.cli.PastJobs;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.TestingZooKeeper;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Failure;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Resumption;
import io.penstock.coordination.records.RunState;
import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobCommandsTest {
  private static final String ENDED = "application_1700000000000_0001";
  private static final String AT_WORK = "application_1700000000000_0002";
  private static final String FEED_DIGEST = "0123456789abcdef".repeat(4);

  @TempDir static Path folder;
  private static TestingZooKeeper zooKeeper;
  private static CoordinationSettings settings;
  private static Coordination coordination;

  @BeforeAll
  static void writeJobs() throws Exception {
    zooKeeper = TestingZooKeeper.start();
    settings = zooKeeper.settings();
    coordination = Coordination.connect(settings);
    FencedJob ended = begin(ENDED, "first");
    ended.writeState(state(RunState.FAILED, "rank 1: STEP_FAILED: the step said no", 1));
    ended.writeProgress("train", progress(1, 2, Optional.of("the step said no")));
    ended.writeProgress("train", progress(0, 1, Optional.empty()));
    ended.writeEpoch(
        "train",
        new EpochRecord(
            0,
            10,
            80,
            0,
            2.5,
            0.25,
            80,
            0,
            new Digest128(1, 2),
            new Digest128(3, 4),
            0,
            List.of()));
    ended.writeDecision(new Decision(1, 1_700_000_000_000L, "started", "generation 1"));
    begin(AT_WORK, "second", Optional.of(resumption())).writeState(state(RunState.RUNNING, "", 0));
  }

  @AfterAll
  static void close() throws Exception {
    coordination.close();
    zooKeeper.close();
  }

  private static Resumption resumption() {
    Resumption.Start start =
        new Resumption.Start(new Cursor(1, 6), Sums.NONE, FEED_DIGEST, FEED_DIGEST);
    return new Resumption(ENDED, Map.of("train", start));
  }

  private static FencedJob begin(String application, String name) {
    return begin(application, name, Optional.empty());
  }

  private static FencedJob begin(String application, String name, Optional<Resumption> resumed) {
    FencedJob job = coordination.job(application).takeOver(1, "test");
    FeedSpec feed =
        new FeedSpec(FEED_DIGEST, FEED_DIGEST, "f", "c", 2, 4, 8, 10, 3, 80, 0, "rows", 2);
    job.writeSpec(
        new JobSpec(
            application,
            name,
            "ann",
            "default",
            1_700_000_000_000L,
            "0.1.0",
            "hdfs://nn/staging",
            Map.of("train", feed),
            resumed));
    return job;
  }

  private static JobState state(RunState state, String reason, int code) {
    return new JobState(state, reason, code, 1, 1, 0, 1_700_000_000_000L, 1_700_000_060_000L);
  }

  private static RankProgress progress(int rank, long step, Optional<String> failure) {
    return new RankProgress(
        rank,
        2,
        1,
        "container_0" + rank,
        "host" + rank,
        "host:" + rank,
        failure.isPresent() ? Phase.FAILED : Phase.RUNNING,
        new Cursor(1, step),
        List.of(),
        List.of(),
        1000,
        0.5,
        0.25,
        3,
        4,
        List.of(),
        0,
        failure.map(message -> new Failure("STEP_FAILED", message)),
        Optional.empty(),
        1_700_000_060_000L);
  }

  private static Invocation run(String... arguments) {
    return Invocation.of(
        Stream.concat(
                Stream.of(arguments),
                Stream.of(
                    "-Dpenstock.zookeeper.quorum=" + settings.quorum(),
                    "-Dpenstock.zookeeper.root=" + settings.root(),
                    "-Dyarn.resourcemanager.connect.max-wait.ms=10",
                    "-Dyarn.resourcemanager.connect.retry-interval.ms=10",
                    "-Dpenstock.submit.staging-dir=" + folder.toUri() + "staging"))
            .toArray(String[]::new));
  }

  @Test
  void jobsAreListedWhetherTheyHaveEndedOrNot() {
    Invocation jobs = run("jobs");
    assertEquals(0, jobs.code(), jobs.err());
    List<String> lines = jobs.out().lines().toList();
    assertEquals(3, lines.size(), jobs.out());
    assertTrue(lines.get(1).contains(ENDED) && lines.get(1).contains("FAILED"), jobs.out());
    assertTrue(lines.get(2).contains(AT_WORK) && lines.get(2).contains("RUNNING"), jobs.out());
    JsonNode json = run("jobs", "--json").json().get("jobs");
    assertEquals(2, json.size());
    assertEquals("first", json.get(0).get("name").textValue());
    assertEquals("2023-11-14T22:13:20Z", json.get(0).get("submitted").textValue());
  }

  @Test
  void aJobThatWentOnFromAnotherSaysWhere() {
    String told = "resumed from " + ENDED + " at 1:6";
    assertTrue(run("inspect", AT_WORK).out().contains(told));
    Invocation jobs = run("jobs");
    assertTrue(jobs.out().lines().anyMatch(l -> l.startsWith(AT_WORK) && l.endsWith(told)));
    assertTrue(jobs.out().lines().noneMatch(l -> l.startsWith(ENDED) && l.contains("resumed")));
    JsonNode json = run("inspect", AT_WORK, "--json").json().get("resumed");
    assertEquals(ENDED, json.get("application").textValue());
    assertEquals("{\"train\":{\"epoch\":1,\"step\":6}}", json.get("from").toString());
    assertTrue(run("inspect", ENDED, "--json").json().get("resumed").isNull());
  }

  @Test
  void aJobThatZooKeeperDoesNotKnowIsShownFromItsHistory(@TempDir Path data) throws Exception {
    String forgotten = "application_1600000000000_0007";
    PastJobs jobs = new PastJobs(data.resolve("history"));
    Path feed =
        Datasets.feed(
            data.resolve("feed.yaml"),
            Datasets.numbers(data.resolve("data")),
            "seed: 7, lanes: 2, batch: 8, epochs: 2");
    jobs.run(forgotten, feed, 2, 64, new Cursor(2, 0), 0);
    Invocation inspect = run("inspect", forgotten, "--json", jobs.option());
    assertEquals(0, inspect.code(), inspect.err());
    assertTrue(inspect.err().contains("from its history"), inspect.err());
    JsonNode told = inspect.json().get("feeds").get("train");
    assertEquals(2, told.get("epochs").size());
    assertEquals("{\"epoch\":2,\"step\":0}", told.get("agreed").toString());
    Invocation watched = run("inspect", forgotten, "--watch", jobs.option());
    assertTrue(watched.out().contains("at epoch 2 of 2, done"), watched.out());
  }

  @Test
  void inspectTellsEverythingOfAJobThatHasEnded() {
    JsonNode job = run("inspect", ENDED, "--json").json();
    assertEquals("FAILED", job.get("state").textValue());
    assertEquals("rank 1: STEP_FAILED: the step said no", job.get("reason").textValue());
    JsonNode feed = job.get("feeds").get("train");
    assertEquals(FEED_DIGEST, feed.get("feed_digest").textValue());
    assertEquals("{\"epoch\":1,\"step\":1}", feed.get("cursor").toString());
    assertEquals(2, feed.get("ranks").size());
    JsonNode rank = feed.get("ranks").get(1);
    assertEquals("host1", rank.get("host").textValue());
    assertEquals("the step said no", rank.get("failure").get("message").textValue());
    assertEquals(3, rank.get("retries").intValue());
    JsonNode epoch = feed.get("epochs").get(0);
    assertEquals("00000000000000010000000000000002", epoch.get("order_digest").textValue());
    assertEquals("00000000000000030000000000000004", epoch.get("values_digest").textValue());
    assertEquals("started", job.get("decisions").get(0).get("kind").textValue());
  }

  @Test
  void inTextOnlyTheDigestsOfEpochsHave32HexDigits() {
    Invocation inspect = run("inspect", ENDED);
    assertEquals(0, inspect.code(), inspect.err());
    List<String> long32 =
        Pattern.compile("[0-9a-f]{32,}")
            .matcher(inspect.out())
            .results()
            .map(found -> found.group())
            .toList();
    assertEquals(
        List.of("00000000000000010000000000000002", "00000000000000030000000000000004"), long32);
    assertTrue(inspect.out().contains("rank 1: STEP_FAILED: the step said no"), inspect.out());
    assertFalse(inspect.out().contains("no ApplicationMaster"), inspect.out());
  }

  @Test
  void aJobThatIsNotThereNamesTheNearest() {
    Invocation none = run("inspect", "application_1700000000000_0009");
    assertEquals(2, none.code());
    assertTrue(none.err().contains("; did you mean 'application_17"), none.err());
  }

  @Test
  void killOfAJobThatHasEndedSaysSo() {
    Invocation kill = run("kill", ENDED);
    assertEquals(0, kill.code(), kill.err());
    assertEquals(ENDED + " had ended before: FAILED\n", kill.out());
    assertEquals(2, run("kill", "first").code());
  }

  /** The watch sees RUNNING first, and then the end, which another thread writes. */
  @Test
  void watchShowsChangesUntilTheEnd() throws Exception {
    String application = "application_1600000000000_0001";
    FencedJob job = begin(application, "watched");
    job.writeState(state(RunState.RUNNING, "", 0));
    FutureTask<Invocation> watching =
        new FutureTask<>(() -> run("inspect", application, "--watch"));
    Thread thread = new Thread(watching, "watch");
    thread.start();
    try {
      job.writeProgress("train", progress(0, 5, Optional.empty()));
      job.writeState(state(RunState.SUCCEEDED, "", 0));
      Invocation watched = watching.get(30, TimeUnit.SECONDS);
      assertEquals(0, watched.code(), watched.err());
      List<String> headlines = new ArrayList<>();
      watched.out().lines().filter(l -> l.startsWith("application_")).forEach(headlines::add);
      assertTrue(headlines.get(headlines.size() - 1).contains("SUCCEEDED"), headlines.toString());
    } finally {
      thread.interrupt();
      thread.join(Duration.ofSeconds(10).toMillis());
      coordination.removeJob(application);
    }
  }

  @Test
  void aZooKeeperThatIsNotThereIsNamedInTime() {
    long begin = System.nanoTime();
    Invocation jobs =
        Invocation.of(
            "jobs",
            "-Dpenstock.zookeeper.quorum=localhost:1",
            "-Dpenstock.zookeeper.connect-timeout=1s");
    assertEquals(3, jobs.code());
    assertTrue(
        jobs.err().contains("ZooKeeper was not reached within 1 s: quorum=localhost:1"),
        jobs.err());
    assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(30));
  }

  @Test
  void withoutAQuorumItSaysWhatToSet() {
    Invocation jobs = Invocation.of("jobs");
    assertEquals(2, jobs.code());
    assertTrue(jobs.err().contains("penstock.zookeeper.quorum"), jobs.err());
    assertTrue(jobs.err().contains("hadoop.zk.address"), jobs.err());
  }

  @Test
  void aJobWithoutAnyRecordYetIsSubmitted() {
    String application = "application_1500000000000_0001";
    JobStore store = coordination.job(application);
    store.takeOver(0, "submit");
    try {
      Invocation inspect = run("inspect", application);
      assertEquals(0, inspect.code(), inspect.err());
      assertTrue(inspect.out().startsWith(application + "  SUBMITTED"), inspect.out());
    } finally {
      coordination.removeJob(application);
    }
  }
}
