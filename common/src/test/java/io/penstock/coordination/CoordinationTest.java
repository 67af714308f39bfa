package io.penstock.coordination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.AmRecord;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.CacheRecord;
import io.penstock.coordination.records.Commit;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.ContainerRecord;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.DeviceRecord;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Failure;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.KillRequest;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.Quarantined;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.RunState;
import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankRange;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a ZooKeeper server in this JVM; every test has a root of its own. */
class CoordinationTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String APP = "application_1700000000000_0001";
  private static TestingZooKeeper zooKeeper;

  private final List<Coordination> open = new ArrayList<>();
  private CoordinationSettings settings;
  private Coordination coordination;
  private JobStore job;

  @BeforeAll
  static void startServer() throws Exception {
    zooKeeper = TestingZooKeeper.start();
  }

  @AfterAll
  static void stopServer() throws Exception {
    zooKeeper.close();
  }

  @BeforeEach
  void connect() {
    settings = zooKeeper.settings();
    coordination = another();
    job = coordination.job(APP);
  }

  @AfterEach
  void disconnect() {
    open.forEach(Coordination::close);
  }

  @Test
  void everyRecordIsReadBackAsItWasWritten() {
    FencedJob writer = job.takeOver(1, "am-1");
    writer.writeSpec(spec());
    JobState state = new JobState(RunState.RUNNING, "", 0, 1, 1, 0, 5, 6);
    writer.writeState(state);
    Agreed agreed =
        new Agreed(
            1,
            2,
            Cursor.START,
            Sums.NONE,
            new Cursor(0, 3),
            sums(7),
            List.of(new Agreed.Carried(0, 1.5, 3, 0.5, 9)));
    writer.writeAgreed("train", agreed);
    Assignment assignment = new Assignment(1, 2, 1, "c1", "h", 0, Cursor.START);
    writer.writeAssignment("train", assignment);
    RankProgress progress = progress(1, "c1");
    writer.writeProgress("train", progress);
    EpochRecord epoch =
        new EpochRecord(
            0, 4, 32, 1, 2.5, 0.25, 30, 2, sums(1).order(), sums(1).values(), 3, List.of(0.5));
    writer.writeEpoch("train", epoch);
    Decision decision = new Decision(1, 7, "started", "generation 1");
    writer.writeDecision(decision);
    AmRecord am = new AmRecord(1, "h", 77, "h:80", "http://h:80");
    ContainerRecord container =
        new ContainerRecord("c1", "h", 78, "host memory", Phase.RUNNING, "train", 1, 1);

    Registration<AmRecord> amAlive = writer.register(am);
    Registration<ContainerRecord> containerAlive = writer.register(container);
    assertEquals(Optional.of(spec()), job.spec());
    assertEquals(Optional.of(state), job.state());
    assertEquals(Optional.of(agreed), job.agreed("train"));
    assertEquals(List.of(assignment), job.assignments("train"));
    assertEquals(List.of(progress), job.progress("train"));
    assertEquals(List.of(epoch), job.epochs("train"));
    assertEquals(List.of(decision), job.decisions());
    assertEquals(Optional.of(am), job.am());
    assertEquals(List.of(container), job.containers());
    assertEquals(epoch, job.report().feeds().get("train").epochs().get(0));
    amAlive.close();
    containerAlive.close();
    assertEquals(Optional.empty(), job.am());
    assertEquals(List.of(), job.containers());
  }

  @Test
  void digestsAreHexAndFieldsThatAreNotKnownAreIgnored() throws Exception {
    FencedJob writer = job.takeOver(1, "am-1");
    writer.writeSpec(spec());
    writer.writeAgreed(
        "train", new Agreed(1, 1, Cursor.START, Sums.NONE, new Cursor(0, 1), sums(10), List.of()));
    String path = coordination.layout().agreed(APP, "train");
    String text = new String(coordination.client().getData().forPath(path), StandardCharsets.UTF_8);
    assertTrue(text.contains("\"order\":\"000000000000000a0000000000000064\""), text);
    assertTrue(text.contains("\"cursor\":{\"epoch\":0,\"step\":1}"), text);
    coordination
        .client()
        .setData()
        .forPath(
            path, text.replaceFirst("\\{", "{\"later\":[1],").getBytes(StandardCharsets.UTF_8));
    assertEquals(sums(10), job.agreed("train").orElseThrow().sums());
  }

  @Test
  void whatAJobHasNotIsEmpty() {
    assertEquals(List.of(), coordination.jobs());
    assertEquals(Optional.empty(), job.spec());
    assertEquals(Optional.empty(), job.progress("train", 0));
    assertEquals(List.of(), job.epochs("train"));
    assertFalse(job.requestKill(new KillRequest("by ann", 1)));
  }

  @Test
  void aLaterAttemptShutsOutTheEarlierAndItsContainers() {
    FencedJob first = job.takeOver(1, "am-1");
    first.writeSpec(spec());
    FencedJob container = another().job(APP).fencedBy(first.fence());
    container.writeProgress("train", progress(0, "c0"));

    FencedJob second = another().job(APP).takeOver(2, "am-2");
    JobState state = new JobState(RunState.RUNNING, "", 0, 2, 1, 0, 5, 6);
    second.writeState(state);
    assertThrows(FencedException.class, () -> container.writeProgress("train", progress(0, "c1")));
    assertThrows(FencedException.class, () -> first.writeDecision(new Decision(1, 2, "a", "b")));
    assertThrows(FencedException.class, first::raise);
    assertThrows(FencedException.class, container::check);
    assertThrows(FencedException.class, () -> job.takeOver(1, "am-1"));
    assertEquals("c0", job.progress("train", 0).orElseThrow().container());
    assertEquals(Optional.of(state), job.state());
  }

  @Test
  void aNewGenerationShutsOutTheContainersOfTheOld() {
    FencedJob am = job.takeOver(1, "am-1");
    am.writeSpec(spec());
    FencedJob old = job.fencedBy(am.fence());
    FencedJob raised = am.raise();
    assertEquals(am.fence() + 1, raised.fence());
    FencedException refused =
        assertThrows(FencedException.class, () -> old.writeProgress("train", progress(0, "c0")));
    assertTrue(refused.getMessage().contains("fence=" + am.fence()), refused.getMessage());
    job.fencedBy(raised.fence()).writeProgress("train", progress(0, "c1"));
    assertEquals("c1", job.progress("train", 0).orElseThrow().container());
    assertThrows(
        FencedException.class,
        () -> old.register(new ContainerRecord("c0", "h", 1, "", Phase.REGISTERED, "train", 0, 1)));
  }

  @Test
  void aContainerSeesThatTheFenceWasRaised() throws Exception {
    FencedJob am = job.takeOver(1, "am-1");
    try (Watched<Integer> fence = another().job(APP).watchFence(value -> {})) {
      fence.await(version -> version == am.fence(), SOON, "the fence");
      FencedJob raised = am.raise();
      fence.await(version -> version == raised.fence(), SOON, "the fence to rise");
    }
  }

  @Test
  void aWatchFollowsANodeThroughCreationChangeDeletionAndCreation() throws Exception {
    FencedJob writer = job.takeOver(1, "am-1");
    writer.writeSpec(spec());
    List<Optional<Assignment>> seen = Collections.synchronizedList(new ArrayList<>());
    try (Watched<Assignment> watched = another().job(APP).watchAssignment("train", 0, seen::add)) {
      assertEquals(Optional.empty(), watched.latest());
      for (int generation = 1; generation <= 3; generation++) {
        int wanted = generation;
        writer.writeAssignment("train", assignment(generation));
        watched.await(a -> a.generation() == wanted, SOON, "generation " + wanted);
        writer.removeRanks("train", 0);
        awaitEmpty(watched);
      }
    }
    assertEquals(Optional.empty(), seen.get(0));
    assertEquals(Optional.of(assignment(1)), seen.get(1));
  }

  @Test
  void aWatchReadsAgainAfterItsSessionWasLost() throws Exception {
    FencedJob writer = job.takeOver(1, "am-1");
    writer.writeSpec(spec());
    writer.writeAssignment("train", assignment(1));
    Coordination other = another();
    try (Watched<Assignment> watched = other.job(APP).watchAssignment("train", 0, value -> {})) {
      watched.await(a -> a.generation() == 1, SOON, "generation 1");
      for (int generation = 2; generation <= 4; generation++) {
        int wanted = generation;
        expire(other);
        writer.removeRanks("train", 0);
        writer.writeAssignment("train", assignment(generation));
        watched.await(a -> a.generation() == wanted, SOON, "generation " + wanted);
      }
    }
  }

  @Test
  void theLossOfASessionIsToldAndItsRegistrationMadeAgain() throws Exception {
    FencedJob am = job.takeOver(1, "am-1");
    Coordination other = another();
    ContainerRecord record =
        new ContainerRecord("c0", "h", 1, "host memory", Phase.REGISTERED, "train", 0, 1);
    List<Connection> told = Collections.synchronizedList(new ArrayList<>());
    other.onConnection(told::add);
    other.job(APP).fencedBy(am.fence()).register(record);
    String node = new Layout(settings.root()).container(APP, "c0");
    long before = other.session();
    assertEquals(before, owner(other, node));
    // Behind the registration's own: who waits for it finds the node made again.
    CountDownLatch madeAgain = new CountDownLatch(1);
    other.afterReconnect(madeAgain::countDown);
    expire(other);
    assertTrue(madeAgain.await(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(before != other.session());
    assertEquals(other.session(), owner(other, node));
    assertEquals(List.of(record), job.containers());
    assertTrue(told.contains(Connection.LOST), told.toString());
    assertEquals(Connection.CONNECTED, other.connection());
  }

  @Test
  void aNewApplicationMasterTakesThePlaceOfOneWhoseSessionStillLives() {
    FencedJob first = job.takeOver(1, "am-1");
    AmRecord old = new AmRecord(1, "h1", 1, "h1:1", "");
    AmRecord now = new AmRecord(2, "h2", 2, "h2:2", "");
    Registration<AmRecord> one = first.register(old);
    FencedJob second = another().job(APP).takeOver(2, "am-2");
    Registration<AmRecord> two = second.register(now);
    assertEquals(Optional.of(now), job.am());
    assertThrows(FencedException.class, () -> one.update(old));
    one.close();
    assertEquals(Optional.of(now), job.am());
    FencedJob raised = second.raise();
    two.fencedBy(raised);
    two.update(new AmRecord(2, "h2", 3, "h2:2", ""));
    assertEquals(3, job.am().orElseThrow().pid());
  }

  @Test
  void twoSessionsClaimDifferentDevicesAndTheLowestThatIsFree() {
    Coordination other = another();
    DeviceClaim first = coordination.claimDevice("h", 3, owner("c0")).orElseThrow();
    DeviceClaim second = other.claimDevice("h", 3, owner("c1")).orElseThrow();
    DeviceClaim third = coordination.claimDevice("h", 3, owner("c2")).orElseThrow();
    assertEquals(List.of(0, 1, 2), List.of(first.ordinal(), second.ordinal(), third.ordinal()));
    assertEquals(Optional.empty(), other.claimDevice("h", 3, owner("c3")));
    assertEquals(0, other.claimDevice("h2", 3, owner("c3")).orElseThrow().ordinal());

    second.close();
    assertEquals(1, coordination.claimDevice("h", 3, owner("c4")).orElseThrow().ordinal());
    // A claim that is another's by now is not freed by its old owner.
    second.close();
    assertEquals(Optional.empty(), other.claimDevice("h", 3, owner("c5")));
    coordination.freeDevices("h", "c0");
    assertEquals(0, other.claimDevice("h", 3, owner("c5")).orElseThrow().ordinal());
  }

  @Test
  void aDeviceIsFreeWhenItsSessionHasEnded() {
    Coordination other = another();
    assertEquals(0, other.claimDevice("h", 1, owner("c0")).orElseThrow().ordinal());
    other.close();
    assertEquals(0, coordination.claimDevice("h", 1, owner("c1")).orElseThrow().ordinal());
  }

  @Test
  void aRecordThatIsTooLargeIsRefusedByNameAndSize() {
    FencedJob writer = job.takeOver(1, "am-1");
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () -> writer.writeDecision(new Decision(1, 1, "x".repeat(256 * 1024), "big")));
    assertTrue(error.getMessage().startsWith("must be <= 262144 bytes: node="), error.getMessage());
    assertTrue(error.getMessage().contains("/decisions/1"), error.getMessage());
    assertEquals(List.of(), job.decisions());
  }

  @Test
  void ofEpochsAndDecisionsTheNewest500AreKept() {
    FencedJob writer = job.takeOver(1, "am-1");
    writer.writeSpec(spec());
    for (long n = 1; n <= 503; n++) {
      writer.writeDecision(new Decision(n, 1, "k", "d"));
    }
    List<Decision> kept = job.decisions();
    assertEquals(500, kept.size());
    assertEquals(4, kept.get(0).n());
    assertEquals(503, kept.get(499).n());
  }

  @Test
  void jobsAreListedInTheOrderOfTheirSubmissionAndOldOnesRemoved() {
    for (int n : new int[] {9999, 10000, 2}) {
      String application = "application_1700000000000_%04d".formatted(n);
      FencedJob writer = coordination.job(application).takeOver(1, "am");
      writer.writeState(
          new JobState(n == 2 ? RunState.RUNNING : RunState.FAILED, "", 1, 1, 1, 0, 1, 1));
    }
    assertEquals(
        List.of(
            "application_1700000000000_0002",
            "application_1700000000000_9999",
            "application_1700000000000_10000"),
        coordination.jobs());
    coordination.removeOldJobs(1);
    assertEquals(
        List.of("application_1700000000000_0002", "application_1700000000000_10000"),
        coordination.jobs());
  }

  @Test
  void aKillRequestReachesTheApplicationMaster() throws Exception {
    job.takeOver(1, "am-1");
    try (Watched<KillRequest> watched = job.watchKill(value -> {})) {
      assertTrue(another().job(APP).requestKill(new KillRequest("by ann", 1)));
      assertEquals("by ann", watched.await(k -> true, SOON, "the request").reason());
    }
  }

  @Test
  void aCommitThatIsAskedForReachesTheRanksAndTheNewestAskCounts() throws Exception {
    FencedJob am = job.takeOver(1, "am-1");
    am.writeCommitRequest(new CommitRequest(1, "rank 0 is taken away", 1));
    try (Watched<CommitRequest> watched = another().job(APP).watchCommitRequest(value -> {})) {
      assertEquals("rank 0 is taken away", watched.await(r -> true, SOON, "the request").reason());
      am.writeCommitRequest(new CommitRequest(2, "rank 1 is taken away", 2));
      assertEquals(
          new CommitRequest(2, "rank 1 is taken away", 2),
          watched.await(r -> r.generation() == 2, SOON, "the request"));
    }
  }

  @Test
  void aRecordOfAFeedFromBeforeRanksCouldChangeHasOneNumberOfRanks() {
    byte[] old =
        """
        {"feedDigest":"f","catalogDigest":"c","feedFile":"","catalogFile":"","ranks":4,"lanes":8,
         "batch":16,"steps":1,"epochs":1,"rows":16,"maxBadRows":0,"shuffle":"rows"}
        """
            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    FeedSpec spec = Json.read("spec", old, FeedSpec.class);
    assertEquals(RankRange.of(4), spec.rankRange());
    FeedSpec elastic = new FeedSpec("f", "c", "", "", 4, 8, 16, 1, 1, 16, 0, "rows", 2);
    assertEquals(
        new RankRange(2, 4),
        Json.read("spec", Json.bytes("spec", elastic), FeedSpec.class).rankRange());
  }

  @Test
  void textOfOthersInARecordIsShortened() {
    String text = "x".repeat(300_000);
    assertEquals(200, new Quarantined(1, "f", 1, 1, text).reason().length());
    assertEquals(2000, new Failure("STEP_FAILED", text).message().length());
    assertEquals(4000, new Decision(1, 1, "k", text).detail().length());
    assertEquals("short", new Decision(1, 1, "k", "short").detail());
  }

  @Test
  void cachesOfAKeyAreFoundOnAllHosts() {
    CacheRecord one = new CacheRecord("k", "h1", 0, "/d", 3, 100, 1000, APP, 1);
    CacheRecord two = new CacheRecord("k", "h2", 1, "/d", 4, 200, 1000, APP, 2);
    coordination.putCache(two);
    coordination.putCache(one);
    coordination.putCache(new CacheRecord("other", "h1", 0, "/d", 1, 1, 1, APP, 1));
    assertEquals(List.of(one, two), coordination.caches("k"));
  }

  @Test
  void awaitingSaysWhatItWaitedFor() {
    TimeoutException error =
        assertThrows(
            TimeoutException.class,
            () -> {
              try (Watched<JobState> watched = job.watchState(value -> {})) {
                watched.await(s -> true, Duration.ofMillis(50), "the job to begin");
              }
            });
    assertTrue(error.getMessage().contains("for the job to begin"), error.getMessage());
    assertTrue(error.getMessage().contains(APP + "/state"), error.getMessage());
  }

  @Test
  void aQuorumThatDoesNotAnswerIsNamed() throws Exception {
    int port;
    try (ServerSocket closedAgain = new ServerSocket(0)) {
      port = closedAgain.getLocalPort();
    }
    CoordinationSettings nobody =
        new CoordinationSettings(
            "127.0.0.1:" + port,
            "/penstock",
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
    UnreachableException error =
        assertThrows(UnreachableException.class, () -> Coordination.connect(nobody));
    assertEquals(
        "ZooKeeper was not reached within 1 s: quorum=127.0.0.1:" + port, error.getMessage());
  }

  @Test
  void aQuorumThatIsNoneIsAUsageError() {
    CoordinationSettings wrong =
        new CoordinationSettings("host:port:more", "/penstock", SOON, SOON, SOON, SOON);
    UsageException error = assertThrows(UsageException.class, () -> Coordination.connect(wrong));
    assertEquals(
        "must be host:port, comma-separated: ZooKeeper quorum=host:port:more", error.getMessage());
  }

  @Test
  void missingPermissionIsNamed() throws Exception {
    coordination
        .client()
        .create()
        .creatingParentsIfNeeded()
        .withACL(ZooDefs.Ids.READ_ACL_UNSAFE)
        .forPath(settings.root() + "/jobs", new byte[0]);
    UnreachableException error =
        assertThrows(UnreachableException.class, () -> job.takeOver(1, "am-1"));
    assertTrue(error.getMessage().startsWith("no permission in ZooKeeper: node="));
    assertTrue(error.getMessage().contains(settings.quorum()));
  }

  @Test
  void theSessionTimeoutIsTheOneThatTheServersGave() {
    CoordinationSettings tooLong =
        new CoordinationSettings(
            settings.quorum(),
            settings.root(),
            Duration.ofHours(1),
            settings.connectTimeout(),
            settings.requestTimeout(),
            settings.patience());
    try (Coordination other = Coordination.connect(tooLong)) {
      assertTrue(other.sessionTimeout().toMinutes() < 60, other.sessionTimeout().toString());
    }
  }

  private Coordination another() {
    Coordination another = Coordination.connect(settings);
    open.add(another);
    return another;
  }

  /** Ends the session as if the servers had. */
  private static void expire(Coordination of) throws Exception {
    of.client().getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
  }

  /** The session that an ephemeral node is of. */
  private static long owner(Coordination through, String node) throws Exception {
    return through.client().checkExists().forPath(node).getEphemeralOwner();
  }

  private static void awaitEmpty(Watched<Assignment> watched) throws InterruptedException {
    long end = System.nanoTime() + SOON.toNanos();
    synchronized (watched) {
      while (watched.latest().isPresent()) {
        assertTrue(System.nanoTime() < end, "the node was not seen to go");
        watched.wait(100);
      }
    }
  }

  private static DeviceRecord owner(String container) {
    return new DeviceRecord(APP, container, 1);
  }

  private static Assignment assignment(int generation) {
    return new Assignment(0, 1, generation, "c" + generation, "h", 0, Cursor.START);
  }

  private static Sums sums(long n) {
    return new Sums(
        n, 1, n - 1, 0, new Digest128(n, 10 * n), new Digest128(-n, Long.MIN_VALUE + n));
  }

  private static JobSpec spec() {
    return new JobSpec(
        APP,
        "rides",
        "ann",
        "default",
        1,
        "0.1.0",
        "hdfs:///staging",
        Map.of(
            "train",
            new FeedSpec(
                "f".repeat(64),
                "c".repeat(64),
                "train.feed.yaml",
                "train.catalog.json.gz",
                2,
                4,
                32,
                10,
                3,
                320,
                0.001,
                "rows",
                2)));
  }

  private static RankProgress progress(int rank, String container) {
    return new RankProgress(
        rank,
        2,
        1,
        container,
        "h",
        "host memory",
        Phase.RUNNING,
        new Cursor(1, 2),
        List.of(new Commit(new Cursor(1, 1), sums(5))),
        List.of(new RankEpoch(1, sums(6), 100, 1.5, 0.25, 1, Optional.of(0.5))),
        1000,
        0.1,
        0.5,
        1,
        2,
        List.of(new Quarantined(3, "f", 1, 9, "bad page")),
        9,
        Optional.empty(),
        Optional.of("0123456789abcdef"),
        1);
  }
}
