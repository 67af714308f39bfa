package io.penstock.am;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.am.TestingCluster.Call;
import io.penstock.am.core.Action;
import io.penstock.am.core.Ending;
import io.penstock.am.core.Event;
import io.penstock.am.core.JobMachine;
import io.penstock.am.core.Limits;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.coordination.FencedException;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.Registration;
import io.penstock.coordination.TestingZooKeeper;
import io.penstock.coordination.Watched;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.AmRecord;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.Commit;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.ContainerRecord;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.DeviceRecord;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.KillRequest;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.RunState;
import io.penstock.coordination.records.Sums;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.yarn.ExitStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The loop between a real ZooKeeper and a cluster that the test plays: one feed of one epoch of
 * four steps of eight rows, to two ranks. A row's digest is taken to be 1 : 1.
 */
class JobLoopTest {
  private static final String APP = "application_1700000000000_0001";
  private static final Duration SOON = Duration.ofSeconds(20);
  private static TestingZooKeeper zooKeeper;

  private final List<Coordination> open = new ArrayList<>();
  private CoordinationSettings settings;
  private JobStore store;
  private TestingCluster cluster;
  private JobLoop loop;
  private CompletableFuture<Action.Finish> result;

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
    store = another().job(APP);
  }

  @AfterEach
  void disconnect() {
    open.forEach(Coordination::close);
  }

  @Test
  void aJobRunsFromTheFirstAskToTheLastLine() throws Exception {
    begin(1);
    Rank first = launch("c0", 0);
    Rank second = launch("c1", 1);
    assertEquals(Cursor.START, first.assignment(1).start());
    assertEquals(RunState.RUNNING, stateOf(RunState.RUNNING));
    first.done(16);
    second.done(16);
    end("c0", Ending.DONE);
    end("c1", Ending.DONE);
    assertEquals(
        new Action.Finish(
            RunState.SUCCEEDED, "feed train: 1 epochs of 4 steps to 2 ranks; restarts: 0"),
        result.get(20, TimeUnit.SECONDS));
    EpochRecord epoch = store.epochs("train").get(0);
    assertEquals(32, epoch.rows());
    assertEquals(new Digest128(32, 32), epoch.order());
    assertEquals(RunState.SUCCEEDED, store.state().orElseThrow().state());
    assertEquals(1.0, loop.share());
  }

  @Test
  void afterAFailureTheOldContainersAreShutOutAndNewOnesGoOnAtTheAgreedCursor() throws Exception {
    begin(1);
    Rank first = launch("c0", 0);
    Rank second = launch("c1", 1);
    first.assignment(1);
    first.commit(new Cursor(0, 2), 8);
    second.commit(new Cursor(0, 2), 8);
    open.get(0).claimDevice("h", 4, new DeviceRecord(APP, "c0", 1)).orElseThrow();
    end("c0", Ending.FAILED);
    try (Watched<Integer> fence = store.watchFence(version -> {})) {
      fence.await(version -> version > first.job.fence(), SOON, "the fence to rise");
    }
    assertThrows(FencedException.class, () -> second.commit(new Cursor(0, 3), 12));
    end("c1", Ending.FAILED);

    Rank third = launch("c2", 0);
    Rank fourth = launch("c3", 1);
    assertEquals(new Cursor(0, 2), third.assignment(2).start());
    // The device that the dead container had claimed is free.
    assertEquals(
        0, another().claimDevice("h", 4, new DeviceRecord(APP, "c2", 1)).orElseThrow().ordinal());
    third.done(8);
    fourth.done(8);
    end("c2", Ending.DONE);
    end("c3", Ending.DONE);
    assertEquals(RunState.SUCCEEDED, result.get(20, TimeUnit.SECONDS).state());
    assertEquals(new Digest128(32, 32), store.epochs("train").get(0).order());
    assertEquals(
        List.of("started", "restart", "started"),
        store.decisions().stream().map(Decision::kind).toList());
  }

  @Test
  void anotherAttemptTakesTheJobOverAndTheFirstEndsAsFenced() throws Exception {
    begin(1);
    JobLoop old = loop;
    CompletableFuture<Action.Finish> oldResult = result;
    Rank first = launch("c0", 0);
    Rank second = launch("c1", 1);
    first.assignment(1);
    first.commit(new Cursor(0, 1), 4);
    second.commit(new Cursor(0, 1), 4);

    begin(2);
    // Whatever makes the first attempt write finds the fence.
    old.post(new Event.Completed("c0", Ending.FAILED, "killed"));
    ExecutionException fenced =
        assertThrows(ExecutionException.class, () -> oldResult.get(20, TimeUnit.SECONDS));
    assertEquals(ExitStatus.FENCED, ((AttemptOverException) fenced.getCause()).status());

    Rank third = launch("d0", 0);
    Rank fourth = launch("d1", 1);
    assertEquals(new Cursor(0, 1), third.assignment(2).start());
    third.done(12);
    fourth.done(12);
    end("d0", Ending.DONE);
    end("d1", Ending.DONE);
    assertEquals(RunState.SUCCEEDED, result.get(20, TimeUnit.SECONDS).state());
    assertEquals(new Digest128(32, 32), store.epochs("train").get(0).order());
    assertEquals(2, store.state().orElseThrow().attempts());
  }

  @Test
  void aKillThatACommandAsksForEndsTheJobAsKilled() throws Exception {
    begin(1);
    launch("c0", 0);
    launch("c1", 1).assignment(1);
    store.requestKill(new KillRequest("killed by ann", 1));
    end("c0", Ending.FAILED);
    end("c1", Ending.FAILED);
    assertEquals(
        new Action.Finish(RunState.KILLED, "killed by ann"), result.get(20, TimeUnit.SECONDS));
    assertEquals(4, store.state().orElseThrow().exitCode());
  }

  @Test
  void whatEndsTheAttemptEndsTheLoopAndLeavesTheJobAsItIs() throws Exception {
    begin(1);
    launch("c0", 0);
    launch("c1", 1).assignment(1);
    stateOf(RunState.RUNNING);
    loop.fatal("the ResourceManager asks this attempt to shut down");
    ExecutionException over =
        assertThrows(ExecutionException.class, () -> result.get(20, TimeUnit.SECONDS));
    assertEquals(
        "the ResourceManager asks this attempt to shut down", over.getCause().getMessage());
    assertEquals(RunState.RUNNING, store.state().orElseThrow().state());
  }

  @Test
  void preemptionAheadAsksTheRanksToCommit() throws Exception {
    begin(1);
    Rank first = launch("c0", 0);
    launch("c1", 1).assignment(1);
    stateOf(RunState.RUNNING);
    loop.post(new Event.PreemptionAhead(Set.of("c1"), Set.of()));
    try (Watched<CommitRequest> asked = store.watchCommitRequest(request -> {})) {
      CommitRequest request = asked.await(r -> r.generation() == 1, SOON, "the request");
      assertEquals(
          "the ResourceManager takes away rank 1 of feed train in c1 on h", request.reason());
    }
    assertEquals(
        List.of("started", "preemption"), store.decisions().stream().map(Decision::kind).toList());
    assertEquals(Cursor.START, first.assignment(1).start());
  }

  private Coordination another() {
    Coordination another = Coordination.connect(settings);
    open.add(another);
    return another;
  }

  private void begin(int attempt) {
    Coordination own = another();
    FencedJob job = own.job(APP).takeOver(attempt, "am-" + attempt);
    Registration<AmRecord> alive =
        job.register(new AmRecord(attempt, "h", 1, "h:1", "http://h:1/"));
    JobSpec spec = own.job(APP).spec().orElseGet(JobLoopTest::spec);
    job.writeSpec(spec);
    JobMachine machine =
        new JobMachine(
            Preparation.plans(spec),
            new Limits(
                3,
                Duration.ofMinutes(5),
                Duration.ofMinutes(5),
                Duration.ofMinutes(5),
                Duration.ofMinutes(5),
                Duration.ofMinutes(5),
                Duration.ofMinutes(5)),
            "am-" + attempt,
            Preparation.history(own.job(APP), spec, attempt));
    JobLoop begun = new JobLoop(SystemClock.INSTANCE);
    TestingCluster yarn = new TestingCluster();
    CompletableFuture<Action.Finish> ends = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                ends.complete(begun.run(own, job, APP, alive, yarn, machine));
              } catch (Throwable failure) {
                ends.completeExceptionally(failure);
              }
            },
            "loop-" + attempt);
    thread.setDaemon(true);
    thread.start();
    loop = begun;
    cluster = yarn;
    result = ends;
  }

  /** Grants the next ask, and registers the container as it would itself. */
  private Rank launch(String container, int rank) throws InterruptedException {
    long ask = cluster.next(Call.Ask.class).ask();
    loop.post(new Event.Allocated(container, "h", ask));
    Call.Launch launched = cluster.next(Call.Launch.class);
    assertEquals(container, launched.container());
    assertEquals(rank, launched.slot().rank());
    FencedJob job = another().job(APP).fencedBy(loop.job().fence());
    job.register(
        new ContainerRecord(
            container,
            "h",
            1,
            "host memory",
            Phase.REGISTERED,
            "train",
            rank,
            launched.generation()));
    return new Rank(container, rank, launched.generation(), job);
  }

  private void end(String container, Ending ending) {
    loop.post(new Event.Completed(container, ending, "it ended"));
  }

  private RunState stateOf(RunState wanted) throws Exception {
    try (Watched<JobState> state = store.watchState(s -> {})) {
      return state.await(s -> s.state() == wanted, SOON, "state " + wanted).state();
    }
  }

  /** A container, as far as ZooKeeper sees it. */
  private final class Rank {
    private final String container;
    private final int rank;
    private final int generation;
    private final FencedJob job;

    Rank(String container, int rank, int generation, FencedJob job) {
      this.container = container;
      this.rank = rank;
      this.generation = generation;
      this.job = job;
    }

    Assignment assignment(int wanted) throws Exception {
      try (Watched<Assignment> watched = store.watchAssignment("train", rank, a -> {})) {
        return watched.await(a -> a.generation() == wanted, SOON, "an assignment");
      }
    }

    void commit(Cursor cursor, long rows) throws Exception {
      write(Phase.RUNNING, cursor, new Commit(cursor, sums(rows)), rows);
      if (rank == 1) {
        try (Watched<Agreed> agreed = store.watchAgreed("train", a -> {})) {
          agreed.await(a -> a.cursor().equals(cursor), SOON, "the agreed cursor");
        }
      }
    }

    void done(long rows) {
      Cursor end = new Cursor(1, 0);
      write(Phase.DONE, end, new Commit(end, Sums.NONE), rows);
    }

    private void write(Phase phase, Cursor cursor, Commit commit, long rows) {
      job.writeProgress(
          "train",
          new RankProgress(
              rank,
              2,
              generation,
              container,
              "h",
              "host memory",
              phase,
              cursor,
              List.of(commit),
              List.of(new RankEpoch(0, sums(rows), 0, 1, 0, 0, Optional.empty())),
              0,
              0,
              0,
              0,
              0,
              List.of(),
              0,
              Optional.empty(),
              Optional.empty(),
              1));
    }
  }

  private static Sums sums(long rows) {
    return new Sums(rows, 0, rows, 0, new Digest128(rows, rows), new Digest128(rows, rows));
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
                "f",
                "c",
                "train.feed.yaml",
                "train.catalog.json.gz",
                2,
                4,
                8,
                4,
                1,
                32,
                0,
                "rows",
                2)));
  }
}
