package io.penstock.am.core;

import static io.penstock.am.core.FeedLedgerTest.commits;
import static io.penstock.am.core.FeedLedgerTest.cursor;
import static io.penstock.am.core.FeedLedgerTest.done;
import static io.penstock.am.core.FeedLedgerTest.epochs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.Commit;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Failure;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.Quarantined;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.RunState;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Scenarios of one feed: two epochs of four steps, eight rows a step. */
class JobMachineTest {
  private static final FeedPlan TWO_RANKS = new FeedPlan(2, 8, 4, 2, 32, 0.25);
  private static final Limits LIMITS =
      new Limits(
          2,
          Duration.ofSeconds(600),
          Duration.ofSeconds(30),
          Duration.ofSeconds(120),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5),
          Duration.ofSeconds(20));

  @Test
  void anUndisturbedJobAsksStartsAssignsAndSucceeds() {
    Trial job = new Trial(TWO_RANKS);
    job.on(new Event.Registered());
    assertEquals(2, job.asks().size());
    assertEquals(RunState.STARTING, job.state().state());

    long first = job.asks().get(0).ask();
    job.on(new Event.Allocated("a", "h1", first));
    assertTrue(job.has(new Action.Withdraw(first)));
    assertTrue(job.has(new Action.Launch("a", new Slot("train", 0), 1)));
    job.allocate("b", "h1", 1);
    job.alive("a");
    assertEquals(List.of(), job.assignments());
    job.alive("a", "b");
    assertEquals(
        List.of(
            new Assignment(0, 2, 1, "a", "h1", 0, Cursor.START),
            new Assignment(1, 2, 1, "b", "h1", 1, Cursor.START)),
        job.assignments());
    assertEquals(RunState.RUNNING, job.state().state());

    job.wholeRun("a", 0);
    job.wholeRun("b", 1);
    assertEquals(2, job.epochs.size());
    assertEquals(new Digest128(32, 3200), job.epochs.get(0L).order());
    job.on(new Event.Completed("a", Ending.DONE, "exit 0"));
    assertFalse(job.machine.isEnded());
    job.on(new Event.Completed("b", Ending.DONE, "exit 0"));
    assertEquals(
        new Action.Finish(
            RunState.SUCCEEDED, "feed train: 2 epochs of 4 steps to 2 ranks; restarts: 0"),
        job.finish());
    assertEquals(RunState.SUCCEEDED, job.state().state());
    assertEquals(0, job.state().exitCode());
  }

  @Test
  void grantsAreMatchedByTheirRequestWhateverTheirOrder() {
    Trial job = new Trial(TWO_RANKS);
    job.on(new Event.Registered());
    long second = job.asks().get(1).ask();
    job.on(new Event.Allocated("x", "h", second));
    assertTrue(job.has(new Action.Launch("x", new Slot("train", 1), 1)));
  }

  @Test
  void aContainerThatNobodyAskedForIsReleased() {
    Trial job = new Trial(TWO_RANKS);
    job.on(new Event.Registered());
    long first = job.asks().get(0).ask();
    job.on(new Event.Allocated("a", "h", first));
    job.on(new Event.Allocated("more", "h", first));
    assertTrue(job.has(new Action.Release("more")));
    job.on(new Event.Allocated("other", "h", 77));
    assertTrue(job.has(new Action.Release("other")));
  }

  @Test
  void aFailedRankMakesAllBeginAgainAtTheAgreedCursor() {
    Trial job = Trial.running(TWO_RANKS);
    job.progress("a", 0, "0:3", commits("0:2", 8), epochs(0, 12));
    job.progress("b", 1, "0:2", commits("0:2", 8), epochs(0, 8));
    job.on(new Event.Completed("a", Ending.FAILED, "killed by signal 9"));
    assertTrue(job.has(new Action.Seal()));
    assertTrue(job.has(new Action.FreeDevices("h", "a")));
    assertEquals(RunState.RESTARTING, job.state().state());
    assertEquals("rank 0 of feed train in a on h: killed by signal 9", job.state().reason());

    job.on(new Event.Sealed());
    assertEquals(List.of(), job.asks());
    job.on(new Event.Completed("b", Ending.FAILED, "fenced"));
    assertEquals(2, job.asks().size());
    assertEquals("restart", job.lastDecision().kind());
    assertEquals(
        "from train=0:2: rank 0 of feed train in a on h: killed by signal 9",
        job.lastDecision().detail());

    job.allocate("c", "h", 0);
    job.allocate("d", "h", 1);
    job.alive("c", "d");
    assertEquals(
        List.of(
            new Assignment(0, 2, 2, "c", "h", 0, cursor("0:2")),
            new Assignment(1, 2, 2, "d", "h", 1, cursor("0:2"))),
        job.assignments());
    // Generation 2 counts from 0:2 on: 8 rows of epoch 0 a rank.
    job.progress("c", 0, "2:0", commits("2:0", 0), epochs(0, 8, 1, 16));
    job.progress("d", 1, "2:0", commits("2:0", 0), epochs(0, 8, 1, 16));
    assertEquals(32, job.epochs.get(0L).rows());
    assertEquals(new Digest128(32, 3200), job.epochs.get(0L).order());
    assertEquals(4, job.epochs.get(0L).deliveredAgain());
    assertEquals(new Digest128(64, 6400), job.epochs.get(1L).values());
    assertEquals(1, job.state().restarts());
  }

  @Test
  void aCommitThatWasWrittenBeforeTheFenceRoseIsNotLost() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(new Event.Completed("a", Ending.FAILED, "exit 1"));
    job.progress("a", 0, "0:1", commits("0:1", 4), epochs(0, 4));
    job.progress("b", 1, "0:1", commits("0:1", 4), epochs(0, 4));
    job.on(new Event.Sealed());
    job.on(new Event.Completed("b", Ending.FAILED, "fenced"));
    job.allocate("c", "h", 0);
    job.allocate("d", "h", 1);
    job.alive("c", "d");
    assertEquals(cursor("0:1"), job.assignments().get(0).start());
  }

  @Test
  void twoFailuresAtOnceAreOneRestart() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(new Event.Completed("a", Ending.FAILED, "exit 1"));
    job.on(new Event.Completed("b", Ending.FAILED, "exit 1"));
    job.on(new Event.Sealed());
    assertEquals(2, job.asks().size());
    assertEquals(1, job.state().restarts());
    assertEquals(2, job.machine.generation());
  }

  @Test
  void theLossOfANodeDoesNotCountAsARestart() {
    Trial job = Trial.running(TWO_RANKS);
    for (int i = 0; i < 5; i++) {
      job.on(new Event.Completed(job.containers.get(0), Ending.LOST, "node lost"));
      job.on(new Event.Sealed());
      job.on(new Event.Completed(job.containers.get(1), Ending.LOST, "node lost"));
      job.allocate("a" + i, "h", 0);
      job.allocate("b" + i, "h", 1);
      job.alive("a" + i, "b" + i);
    }
    assertEquals(6, job.machine.generation());
    assertEquals(0, job.state().restarts());
    assertEquals(RunState.RUNNING, job.state().state());
  }

  @Test
  void afterTheLastRestartTheJobFailsWithTheReason() {
    Trial job = Trial.running(TWO_RANKS);
    for (int i = 0; i < 3; i++) {
      job.on(new Event.Completed(job.containers.get(0), Ending.FAILED, "exit 1"));
      job.on(new Event.Sealed());
      job.on(new Event.Completed(job.containers.get(1), Ending.FAILED, "fenced"));
      if (i < 2) {
        job.allocate("a" + i, "h", 0);
        job.allocate("b" + i, "h", 1);
        job.alive("a" + i, "b" + i);
      }
    }
    assertEquals(
        new Action.Finish(
            RunState.FAILED, "rank 0 of feed train in a1 on h: exit 1 (after 2 restarts)"),
        job.finish());
    assertEquals(1, job.state().exitCode());
  }

  @Test
  void aDataErrorEndsTheJobAtOnceWithWhatTheRankSaid() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(
        new Event.Progress(
            "train",
            job.failing("a", 0, new Failure("DATA_ERROR", "file f, row group 3: bad page"))));
    job.on(new Event.Completed("a", Ending.FATAL, "bad data"));
    job.on(new Event.Sealed());
    job.on(new Event.Completed("b", Ending.FAILED, "fenced"));
    assertEquals(
        new Action.Finish(
            RunState.FAILED,
            "rank 0 of feed train in a on h: bad data: file f, row group 3: bad page"),
        job.finish());
  }

  @Test
  void aDataErrorWhileTheOthersAreBeingStoppedEndsTheJobToo() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(new Event.Completed("a", Ending.FAILED, "exit 1"));
    job.on(new Event.Completed("b", Ending.FATAL, "bad data"));
    job.on(new Event.Sealed());
    assertEquals(RunState.FAILED, job.finish().state());
    assertEquals("rank 1 of feed train in b on h: bad data", job.finish().text());
  }

  @Test
  void anExitWithoutTheLastStepIsAFailure() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(new Event.Completed("a", Ending.DONE, "exit 0"));
    assertEquals(
        "rank 0 of feed train in a on h: exit 0, but before its last step", job.state().reason());
  }

  @Test
  void aRankThatIsDoneMayEndAsItLikes() {
    Trial job = Trial.running(TWO_RANKS);
    job.wholeRun("a", 0);
    job.wholeRun("b", 1);
    job.on(new Event.Completed("a", Ending.LOST, "node lost"));
    job.on(new Event.Completed("b", Ending.FAILED, "exit 143"));
    assertEquals(RunState.SUCCEEDED, job.finish().state());
  }

  @Test
  void aRankThatIsDoneBeginsAgainWithTheOthersIfOneFails() {
    Trial job = Trial.running(TWO_RANKS);
    job.wholeRun("a", 0);
    job.progress("b", 1, "1:2", commits("1:0", 0), epochs(0, 16, 1, 8));
    job.on(new Event.Completed("a", Ending.DONE, "exit 0"));
    job.on(new Event.Completed("b", Ending.FAILED, "exit 1"));
    job.on(new Event.Sealed());
    job.allocate("c", "h", 0);
    job.allocate("d", "h", 1);
    job.alive("c", "d");
    // Rank 0 keeps only its last commit in this script, so nothing is agreed on before the end.
    assertEquals(Cursor.START, job.assignments().get(0).start());
    assertEquals(2, job.assignments().size());
  }

  @Test
  void aRankThatSaysDoneAndStaysIsStopped() {
    Trial job = Trial.running(TWO_RANKS);
    job.wholeRun("a", 0);
    job.wholeRun("b", 1);
    job.on(new Event.Completed("b", Ending.DONE, "exit 0"));
    job.after(24, new Event.Tick());
    assertFalse(job.has(new Action.Stop("a")));
    job.after(1, new Event.Tick());
    assertTrue(job.has(new Action.Stop("a")));
    job.on(new Event.Completed("a", Ending.FAILED, "exit 143"));
    assertEquals(RunState.SUCCEEDED, job.finish().state());
  }

  @Test
  void anAskThatIsRefusedEndsTheJobWithTheReason() {
    Trial job = new Trial(TWO_RANKS);
    job.on(new Event.Registered());
    job.on(new Event.AskRefused("yarn.io/gpu 64 > 2"));
    job.on(new Event.Sealed());
    assertEquals(
        new Action.Finish(RunState.FAILED, "the ask was refused: yarn.io/gpu 64 > 2"),
        job.finish());
    assertEquals(2, job.state().exitCode());
    assertEquals(2, job.withdrawn);
  }

  @Test
  void containersThatDoNotComeEndTheJob() {
    Trial job = new Trial(TWO_RANKS);
    job.on(new Event.Registered());
    job.allocate("a", "h", 0);
    job.alive("a");
    job.after(599, new Event.Tick());
    assertEquals(RunState.STARTING, job.state().state());
    job.after(1, new Event.Tick());
    job.on(new Event.Sealed());
    job.on(new Event.Completed("a", Ending.FAILED, "fenced"));
    assertEquals("1 of 2 containers were allocated within 600 s", job.finish().text());
  }

  @Test
  void aContainerThatDoesNotRegisterIsReplaced() {
    Trial job = new Trial(TWO_RANKS);
    job.on(new Event.Registered());
    job.allocate("a", "h", 0);
    job.allocate("b", "h", 1);
    job.alive("a");
    job.after(120, new Event.Tick());
    assertEquals(
        "rank 1 of feed train in b on h did not register in ZooKeeper within 120 s",
        job.state().reason());
    job.on(new Event.Sealed());
    job.on(new Event.Completed("a", Ending.FAILED, "fenced"));
    job.after(5, new Event.Tick());
    assertTrue(job.has(new Action.Stop("b")));
    assertEquals(List.of(), job.asks());
    job.on(new Event.Completed("b", Ending.FAILED, "exit 143"));
    assertEquals(2, job.asks().size());
  }

  @Test
  void aContainerOfWhichYarnSaysNothingIsLeftBehindTheFence() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(new Event.Completed("a", Ending.FAILED, "exit 1"));
    job.on(new Event.Sealed());
    job.after(24, new Event.Tick());
    assertTrue(job.has(new Action.Stop("b")));
    assertEquals(List.of(), job.asks());
    job.after(1, new Event.Tick());
    assertTrue(job.has(new Action.Release("b")));
    assertEquals(2, job.asks().size());
    // Its late completion concerns nobody any more.
    job.on(new Event.Completed("b", Ending.FAILED, "exit 143"));
    assertEquals(List.of(), job.last);
  }

  @Test
  void aContainerThatComesForAnOldGenerationIsReleased() {
    Trial job = new Trial(TWO_RANKS);
    job.on(new Event.Registered());
    long late = job.asks().get(1).ask();
    job.allocate("a", "h", 0);
    job.on(new Event.LaunchFailed("a", "token expired"));
    assertTrue(job.has(new Action.Release("a")));
    assertTrue(job.has(new Action.Withdraw(late)));
    job.on(new Event.Allocated("late", "h", late));
    assertTrue(job.has(new Action.Release("late")));
    job.on(new Event.Sealed());
    assertEquals(2, job.machine.generation());
    job.on(new Event.Allocated("later", "h", late));
    assertTrue(job.has(new Action.Release("later")));
  }

  @Test
  void aContainerThatIsAwayFromZooKeeperForLongIsReplaced() {
    Trial job = Trial.running(TWO_RANKS);
    job.alive("a");
    job.after(59, new Event.Tick());
    job.alive("a", "b");
    job.after(10, new Event.Tick());
    assertEquals(RunState.RUNNING, job.state().state());
    job.alive("a");
    job.after(60, new Event.Tick());
    assertEquals(RunState.RESTARTING, job.state().state());
    assertEquals(
        "rank 1 of feed train in b on h was not seen in ZooKeeper for 60 s", job.state().reason());
  }

  @Test
  void aKillStopsTheContainersAndEndsAsKilled() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(new Event.KillRequested("killed by ann"));
    job.on(new Event.Sealed());
    job.on(new Event.Completed("a", Ending.FAILED, "fenced"));
    job.on(new Event.Completed("b", Ending.FAILED, "fenced"));
    assertEquals(new Action.Finish(RunState.KILLED, "killed by ann"), job.finish());
    assertEquals(4, job.state().exitCode());
  }

  @Test
  void aKillDuringARestartIsFinal() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(new Event.Completed("a", Ending.FAILED, "exit 1"));
    job.on(new Event.KillRequested("killed by ann"));
    job.on(new Event.Completed("b", Ending.FAILED, "fenced"));
    job.on(new Event.Sealed());
    assertEquals(RunState.KILLED, job.finish().state());
  }

  @Test
  void quarantinedRowGroupsAreDecisionsAndCountOnce() {
    Trial job = Trial.running(TWO_RANKS);
    job.on(new Event.Progress("train", job.quarantining("a", 0, bad(3, 5))));
    assertEquals("quarantine", job.lastDecision().kind());
    assertEquals("feed train: file f3, row group 1, 5 rows: bad page", job.lastDecision().detail());
    job.on(new Event.Progress("train", job.quarantining("b", 1, bad(3, 5))));
    assertEquals(List.of(), job.last);
    // 5 + 3 rows of 32 are the quarter that is allowed.
    job.on(new Event.Progress("train", job.quarantining("b", 1, bad(3, 5), bad(4, 3))));
    assertEquals(RunState.RUNNING, job.state().state());
    job.on(new Event.Progress("train", job.quarantining("a", 0, bad(3, 5), bad(5, 1))));
    job.on(new Event.Sealed());
    job.on(new Event.Completed("a", Ending.FAILED, "fenced"));
    job.on(new Event.Completed("b", Ending.FAILED, "fenced"));
    assertEquals(
        "feed train: quarantined rows must be <= max_bad_rows=0.25 of 32: rows=9; the first is file"
            + " f3, row group 1: bad page",
        job.finish().text());
  }

  @Test
  void sumsThatCannotBeTrueEndTheJob() {
    Trial job = Trial.running(TWO_RANKS);
    job.progress("a", 0, "0:1", commits("0:1", 4), epochs(0, 4));
    job.progress("b", 1, "0:1", commits("0:1", 3), epochs(0, 3));
    assertTrue(job.has(new Action.Seal()));
    job.on(new Event.Completed("a", Ending.FAILED, "fenced"));
    job.on(new Event.Completed("b", Ending.FAILED, "fenced"));
    job.on(new Event.Sealed());
    assertEquals(
        "feed train: the ranks' sums over 1 steps of epoch 0 must have 8 rows: rows=7",
        job.finish().text());
  }

  @Test
  void anotherAttemptGoesOnFromWhatTheFirstLeftWithAnotherNumberOfRanks() {
    Trial first = Trial.running(TWO_RANKS);
    first.progress("a", 0, "0:2", commits("0:1", 4), epochs(0, 8));
    first.progress("b", 1, "0:2", commits("0:1", 4), epochs(0, 8));
    // Written, but the first attempt died before it saw it.
    RankProgress a = first.rank("a", 0, "0:4", commits("0:1", 4, "0:3", 12), epochs(0, 12));
    RankProgress b = first.rank("b", 1, "0:3", commits("0:1", 4, "0:3", 12), epochs(0, 12));

    Trial second =
        new Trial(
            new FeedPlan(1, 8, 4, 2, 32, 0.25),
            new History(
                2,
                Optional.of(first.state()),
                Map.of("train", first.agreed.get("train")),
                Map.of("train", List.of(a, b)),
                first.lastDecision().n()));
    second.on(new Event.Registered());
    assertEquals(1, second.asks().size());
    assertEquals(2, second.machine.generation());
    assertTrue(second.has(new Action.RemoveRanks("train", 1)));
    assertEquals("attempt", second.lastDecision().kind());
    assertEquals(first.lastDecision().n() + 1, second.lastDecision().n());
    second.allocate("c", "h", 0);
    second.alive("c");
    assertEquals(
        List.of(new Assignment(0, 1, 2, "c", "h", 0, cursor("0:3"))), second.assignments());
    second.progress("c", 0, "2:0", commits("2:0", 0), epochs(0, 8, 1, 32));
    assertEquals(new Digest128(32, 3200), second.epochs.get(0L).order());
    assertEquals(new Digest128(32, 3200), second.epochs.get(1L).order());
  }

  @Test
  void anotherAttemptOfAJobThatHasEndedOnlyEndsIt() {
    JobState ended = new JobState(RunState.FAILED, "bad page", 1, 1, 1, 0, 5, 6);
    Trial job = new Trial(TWO_RANKS, new History(2, Optional.of(ended), Map.of(), Map.of(), 3));
    job.on(new Event.Registered());
    assertEquals(List.of(), job.asks());
    assertEquals(new Action.Finish(RunState.FAILED, "bad page"), job.finish());
  }

  @Test
  void anotherAttemptOfAJobWhoseRanksAreAllDoneSucceeds() {
    Trial first = Trial.running(TWO_RANKS);
    first.wholeRun("a", 0);
    first.wholeRun("b", 1);
    Trial second =
        new Trial(
            TWO_RANKS,
            new History(
                2,
                Optional.of(first.state()),
                Map.of("train", first.agreed.get("train")),
                Map.of("train", List.copyOf(first.written.values())),
                1));
    second.on(new Event.Registered());
    assertEquals(RunState.SUCCEEDED, second.finish().state());
  }

  @Test
  void aContainerThatIsGrantedAfterTheEndIsReleased() {
    Trial job = new Trial(TWO_RANKS);
    job.on(new Event.Registered());
    job.on(new Event.KillRequested("killed"));
    job.on(new Event.Sealed());
    assertTrue(job.machine.isEnded());
    job.on(new Event.Allocated("late", "h", 1));
    assertEquals(List.of(new Action.Release("late")), job.last);
  }

  @Test
  void feedsAreCountedApartAndEndTogether() {
    Trial job =
        new Trial(
            Map.of(
                "train", new FeedPlan(1, 8, 4, 1, 32, 0), "valid", new FeedPlan(1, 4, 2, 1, 8, 0)),
            History.none());
    job.on(new Event.Registered());
    job.allocate("t", "h", 0);
    job.allocate("v", "h", 1);
    job.alive("t", "v");
    assertEquals(2, job.assignments().size());
    job.on(
        new Event.Progress(
            "valid", done(job.rank("v", 0, 1, "1:0", commits("1:0", 0), epochs(0, 8)))));
    job.on(new Event.Completed("v", Ending.DONE, "exit 0"));
    // Only the feed that is not complete begins again.
    job.on(new Event.Completed("t", Ending.FAILED, "exit 1"));
    job.on(new Event.Sealed());
    assertEquals(List.of("train"), job.asks().stream().map(a -> a.slot().feed()).toList());
    job.allocate("u", "h", 0);
    job.alive("u");
    job.on(
        new Event.Progress(
            "train", done(job.rank("u", 0, 1, "1:0", commits("1:0", 0), epochs(0, 32)))));
    job.on(new Event.Completed("u", Ending.DONE, "exit 0"));
    assertEquals(RunState.SUCCEEDED, job.finish().state());
    assertEquals(1.0, job.machine.share());
  }

  private static Quarantined bad(int rowGroup, long rows) {
    return new Quarantined(rowGroup, "f" + rowGroup, 1, rows, "bad page");
  }

  /** A machine, its clock, and what it wanted done. */
  private static final class Trial {
    final JobMachine machine;
    final List<String> containers = new ArrayList<>();
    final Map<Long, EpochRecord> epochs = new TreeMap<>();
    final Map<String, Agreed> agreed = new TreeMap<>();
    final Map<Integer, RankProgress> written = new TreeMap<>();
    List<Action> last = List.of();
    int withdrawn;
    private final Map<String, FeedPlan> feeds;
    private long now = 1_000_000;
    private List<Action.Ask> asks = List.of();
    private List<Assignment> assignments = List.of();
    private JobState state;
    private Decision decision;
    private Action.Finish finish;

    Trial(FeedPlan plan) {
      this(plan, History.none());
    }

    Trial(FeedPlan plan, History history) {
      this(Map.of("train", plan), history);
    }

    Trial(Map<String, FeedPlan> feeds, History history) {
      this.feeds = feeds;
      this.machine = new JobMachine(feeds, LIMITS, "am", history);
    }

    /** Containers a and b run ranks 0 and 1 on h. */
    static Trial running(FeedPlan plan) {
      Trial job = new Trial(plan);
      job.on(new Event.Registered());
      job.allocate("a", "h", 0);
      job.allocate("b", "h", 1);
      job.alive("a", "b");
      return job;
    }

    void on(Event event) {
      last = machine.on(now, event);
      List<Action.Ask> newAsks = all(Action.Ask.class);
      if (has(new Action.Seal())) {
        asks = List.of();
      }
      if (!newAsks.isEmpty()) {
        asks = newAsks;
        containers.clear();
        assignments = List.of();
      }
      List<Assignment> assigned =
          all(Action.WriteAssignment.class).stream()
              .map(Action.WriteAssignment::assignment)
              .toList();
      if (!assigned.isEmpty()) {
        assignments = assigned;
      }
      withdrawn += all(Action.Withdraw.class).size();
      all(Action.WriteState.class).forEach(write -> state = write.state());
      all(Action.WriteDecision.class).forEach(write -> decision = write.decision());
      all(Action.WriteAgreed.class).forEach(write -> agreed.put(write.feed(), write.agreed()));
      all(Action.WriteEpoch.class).stream()
          .filter(write -> write.feed().equals("train"))
          .forEach(write -> assertEquals(null, epochs.put(write.epoch().epoch(), write.epoch())));
      all(Action.Finish.class).forEach(wanted -> finish = wanted);
    }

    void after(long seconds, Event event) {
      now += 1000 * seconds;
      on(event);
    }

    void allocate(String container, String host, int index) {
      on(new Event.Allocated(container, host, asks.get(index).ask()));
      assertTrue(has(new Action.Launch(container, asks.get(index).slot(), machine.generation())));
      containers.add(container);
    }

    void alive(String... names) {
      on(new Event.Alive(new TreeSet<>(Set.of(names))));
    }

    void progress(
        String container, int rank, String cursor, List<Commit> commits, List<RankEpoch> epochs) {
      on(new Event.Progress("train", rank(container, rank, cursor, commits, epochs)));
    }

    /** The rank's half of both epochs, committed at the end. */
    void wholeRun(String container, int rank) {
      RankProgress whole =
          done(
              rank(container, rank, "2:0", commits("2:0", 0), FeedLedgerTest.epochs(0, 16, 1, 16)));
      written.put(rank, whole);
      on(new Event.Progress("train", whole));
    }

    RankProgress rank(
        String container, int rank, String cursor, List<Commit> commits, List<RankEpoch> epochs) {
      return rank(container, rank, feeds.get("train").ranks().max(), cursor, commits, epochs);
    }

    RankProgress rank(
        String container,
        int rank,
        int ranks,
        String cursor,
        List<Commit> commits,
        List<RankEpoch> epochs) {
      return record(
          container,
          rank,
          ranks,
          Phase.RUNNING,
          cursor,
          commits,
          epochs,
          List.of(),
          Optional.empty());
    }

    RankProgress failing(String container, int rank, Failure failure) {
      return record(
          container,
          rank,
          2,
          Phase.FAILED,
          "0:0",
          List.of(),
          List.of(),
          List.of(),
          Optional.of(failure));
    }

    RankProgress quarantining(String container, int rank, Quarantined... bad) {
      return record(
          container,
          rank,
          2,
          Phase.RUNNING,
          "0:0",
          List.of(),
          List.of(),
          List.of(bad),
          Optional.empty());
    }

    private RankProgress record(
        String container,
        int rank,
        int ranks,
        Phase phase,
        String cursor,
        List<Commit> commits,
        List<RankEpoch> epochs,
        List<Quarantined> bad,
        Optional<Failure> failure) {
      return new RankProgress(
          rank,
          ranks,
          machine.generation(),
          container,
          "h",
          "host memory",
          phase,
          cursor(cursor),
          commits,
          epochs,
          0,
          0,
          0,
          0,
          0,
          bad,
          bad.stream().mapToLong(Quarantined::rows).sum(),
          failure,
          Optional.empty(),
          now);
    }

    boolean has(Action action) {
      return last.contains(action);
    }

    /** The asks of the present generation. */
    List<Action.Ask> asks() {
      return asks;
    }

    List<Assignment> assignments() {
      return assignments;
    }

    JobState state() {
      return state;
    }

    Decision lastDecision() {
      return decision;
    }

    Action.Finish finish() {
      return finish;
    }

    private <T extends Action> List<T> all(Class<T> type) {
      return last.stream().filter(type::isInstance).map(type::cast).toList();
    }
  }
}
