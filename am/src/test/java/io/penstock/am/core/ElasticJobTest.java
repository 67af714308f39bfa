package io.penstock.am.core;

import static io.penstock.am.core.FeedLedgerTest.cursor;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.RunState;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankRange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two to four ranks; two epochs of four steps of 24 rows from 12 lanes. */
class ElasticJobTest {
  private static final FeedPlan TWO_TO_FOUR = plan(2, 4, 12);
  private static final Limits LIMITS =
      new Limits(
          10,
          Duration.ofSeconds(600),
          Duration.ofSeconds(30),
          Duration.ofSeconds(120),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5),
          Duration.ofSeconds(20));

  @Test
  void withAllContainersItBeginsAtOnceWithTheMostRanks() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 4);
    assertEquals(4, yarn.assignments.size());
    assertEquals(4, yarn.assignments.get(3).ranks());
    assertEquals(List.of("started"), kinds(yarn));
    assertEquals("", yarn.state.reason());
    yarn.deliverAll();
    assertEquals(RunState.SUCCEEDED, yarn.finish.state());
    assertEquals("feed train: 2 epochs of 4 steps to 2:4 ranks; restarts: 0", yarn.finish.text());
  }

  @Test
  void theFewestAreStartedAsTheyComeAndOthersWaitUntilTheNumberIsKnown() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 3);
    assertEquals(2, yarn.running.size());
    assertEquals(1, yarn.idle.size());
    assertEquals(1, yarn.asks.size());
    yarn.after(29);
    assertFalse(yarn.isRunning());
    yarn.after(1);
    assertTrue(yarn.isRunning());
    assertEquals(3, yarn.assignments.get(0).ranks());
    assertEquals(
        "feed train: 3 ranks of 2:4: 3 containers have come in 30 s", decision(yarn, "ranks"));
    assertEquals("feed train has 3 ranks of 2:4", yarn.state.reason());
    assertEquals(1, yarn.asks.size());
  }

  @Test
  void aGrantForAnyAskFillsTheRanksThatAreNeeded() {
    TestingYarn yarn = new TestingYarn(TWO_TO_FOUR, LIMITS, 0);
    yarn.on(new Event.Registered());
    List<Long> asks = List.copyOf(yarn.asks);
    yarn.idle.addAll(Set.of("x", "y"));
    yarn.on(new Event.Allocated("x", "h", asks.get(3)));
    yarn.on(new Event.Allocated("y", "h", asks.get(2)));
    assertEquals("x", yarn.container(0));
    assertEquals("y", yarn.container(1));
  }

  @Test
  void aLostRankThatIsNotReplacedLeavesFewer() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 4);
    yarn.commit(cursor("0:2"));
    yarn.deliver(cursor("0:3"));
    yarn.lose(yarn.container(3), Ending.LOST);
    yarn.grant();
    yarn.after(30);
    assertEquals(3, yarn.assignments.size());
    assertEquals(cursor("0:2"), yarn.assignments.get(2).start());
    assertEquals(
        "feed train: 3 ranks of 2:4, 4 before: 3 containers have come in 30 s",
        decision(yarn, "ranks"));
    assertEquals(0, yarn.state.restarts());
    yarn.deliverAll();
    EpochRecord first = yarn.epochs.get(0L);
    assertEquals(96, first.rows());
    assertEquals(new Digest128(96, 9600), first.order());
    assertEquals(24, first.deliveredAgain());
  }

  @Test
  void whatComesLaterWaitsAndIsUsedAtTheNextRestart() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 2);
    yarn.after(30);
    assertEquals(2, yarn.assignments.size());
    yarn.containers(2);
    yarn.grant();
    assertEquals(2, yarn.idle.size());
    assertEquals(Set.of(), yarn.asks);
    assertEquals(RunState.RUNNING, yarn.state.state());
    assertEquals("feed train has 2 ranks of 2:4, 2 more at the next restart", yarn.state.reason());
    assertEquals(2, yarn.assignments.size());
    yarn.commit(cursor("1:1"));

    yarn.lose(yarn.container(0), Ending.FAILED);
    yarn.containers(1);
    yarn.grant();
    assertEquals(4, yarn.assignments.size());
    assertEquals(cursor("1:1"), yarn.assignments.get(3).start());
    assertEquals(
        "feed train: 4 ranks of 2:4, 2 before: all containers have come", decision(yarn, "ranks"));
    assertEquals("", yarn.state.reason());
    yarn.deliverAll();
    assertEquals(new Digest128(96, 9600), yarn.epochs.get(1L).order());
    assertEquals(RunState.SUCCEEDED, yarn.finish.state());
  }

  @Test
  void aNumberThatDividesTheLanesComesFirst() {
    TestingYarn yarn = begun(plan(1, 4, 4), 3);
    yarn.after(30);
    assertEquals(2, yarn.assignments.size());
    assertEquals(1, yarn.idle.size());
  }

  @Test
  void fewerThanTheLeastWaitAndThenBeginAsSoonAsTheyCan() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 1);
    yarn.after(500);
    assertFalse(yarn.isRunning());
    yarn.containers(1);
    yarn.grant();
    assertFalse(yarn.isRunning());
    yarn.after(1);
    assertEquals(2, yarn.assignments.size());
  }

  @Test
  void fewerThanTheLeastEndTheJobAtTheAllocationsLimit() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 1);
    yarn.after(599);
    assertEquals(RunState.STARTING, yarn.state.state());
    yarn.after(1);
    assertEquals("1 of at least 2 containers were allocated within 600 s", yarn.finish.text());
    assertEquals(RunState.FAILED, yarn.finish.state());
  }

  @Test
  void whereTheLeastDoesNotDivideTheBatchTheLeastThatDoesIsNeeded() {
    // Of a batch of 24, 5 ranks are none: 6 are the fewest.
    TestingYarn yarn = begun(plan(5, 8, 24), 5);
    yarn.after(300);
    assertFalse(yarn.isRunning());
    yarn.after(300);
    assertEquals("5 of at least 6 containers were allocated within 600 s", yarn.finish.text());
  }

  @Test
  void aContainerThatWaitsAndIsLostIsAskedForAgainAndNothingElseHappens() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 2);
    yarn.after(30);
    yarn.containers(1);
    yarn.grant();
    yarn.lose(yarn.idle.iterator().next(), Ending.LOST);
    assertEquals(2, yarn.asks.size());
    assertEquals(RunState.RUNNING, yarn.state.state());
    assertEquals("feed train has 2 ranks of 2:4", yarn.state.reason());
  }

  @Test
  void aContainerThatHasWaitedForLongIsGivenBackAndAskedForAnew() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 2);
    yarn.after(30);
    yarn.containers(2);
    yarn.grant();
    yarn.after(TestingYarn.STARTABLE.toSeconds() / 2 - 1);
    assertEquals(2, yarn.idle.size());
    yarn.after(1);
    assertEquals(0, yarn.idle.size());
    assertEquals(2, yarn.free());
    assertEquals(2, yarn.asks.size());
    yarn.grant();
    assertEquals(2, yarn.idle.size());
    assertEquals("feed train has 2 ranks of 2:4, 2 more at the next restart", yarn.state.reason());
  }

  @Test
  void aFailureBeforeTheNumberIsKnownKeepsWhatWaits() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 3);
    yarn.lose(yarn.container(1), Ending.FAILED);
    assertEquals(1, yarn.running.size());
    yarn.grant();
    yarn.after(30);
    assertEquals(2, yarn.assignments.size());
    assertEquals(2, yarn.assignments.get(0).generation());
  }

  @Test
  void whatWaitsIsGivenBackAtTheEnd() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 2);
    yarn.after(30);
    yarn.containers(2);
    yarn.grant();
    yarn.on(new Event.KillRequested("killed by ann"));
    assertEquals(RunState.KILLED, yarn.finish.state());
    assertEquals(Set.of(), yarn.idle);
    assertEquals(4, yarn.free());
  }

  @Test
  void preemptionAheadIsADecisionAndAsksForACommit() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 4);
    String first = yarn.container(1);
    yarn.on(new Event.PreemptionAhead(Set.of(first, "of another"), Set.of()));
    assertEquals(1, yarn.commitRequest.orElseThrow().generation());
    String words = "the ResourceManager takes away rank 1 of feed train in " + first + " on h0";
    assertEquals(words, yarn.commitRequest.orElseThrow().reason());
    assertEquals(words + ": the training steps are asked to commit", decision(yarn, "preemption"));

    yarn.commitRequest = Optional.empty();
    yarn.on(new Event.PreemptionAhead(Set.of(first), Set.of(yarn.container(0))));
    assertEquals(
        "the ResourceManager may take away rank 0 of feed train in c1 on h1",
        yarn.commitRequest.orElseThrow().reason());
    assertEquals(List.of("started", "preemption", "preemption"), kinds(yarn));
  }

  /** As the FairScheduler does. */
  @Test
  void preemptionThatIsRepeatedWithEveryHeartbeatIsNewsOnce() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 4);
    Event ahead = new Event.PreemptionAhead(Set.of(yarn.container(1)), Set.of());
    yarn.on(ahead);
    for (int second = 0; second < 60; second++) {
      yarn.after(1);
      yarn.on(ahead);
    }
    assertEquals(List.of("started", "preemption"), kinds(yarn));
  }

  /** As the CapacityScheduler does when it has let a container go on. */
  @Test
  void preemptionThatIsSaidAnewMuchLaterIsNewsAgain() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 4);
    Event ahead = new Event.PreemptionAhead(Set.of(), Set.of(yarn.container(1)));
    yarn.on(ahead);
    yarn.commitRequest = Optional.empty();
    yarn.after(30);
    yarn.on(ahead);
    assertTrue(yarn.commitRequest.isPresent());
    assertEquals(List.of("started", "preemption", "preemption"), kinds(yarn));
  }

  @Test
  void preemptionOfTheApplicationMasterAsksForACommitToo() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 4);
    yarn.on(new Event.PreemptionAhead(Set.of(), Set.of(TestingYarn.OWN, yarn.container(3))));
    assertEquals(
        "the ResourceManager may take away the ApplicationMaster in c0, rank 3 of feed train in c4"
            + " on h0",
        yarn.commitRequest.orElseThrow().reason());
  }

  @Test
  void preemptionBeforeTheFirstStepIsADecisionAndThereIsNothingToCommit() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 3);
    yarn.on(new Event.PreemptionAhead(Set.of(), Set.of(yarn.container(0))));
    assertEquals(
        "the ResourceManager may take away rank 0 of feed train in c1 on h1: no step has begun that"
            + " could commit",
        decision(yarn, "preemption"));
    assertTrue(yarn.commitRequest.isEmpty());
  }

  @Test
  void aContainerThatWaitsAndIsToBePreemptedIsGivenBackAtOnceAndAskedForAnew() {
    TestingYarn yarn = begun(TWO_TO_FOUR, 2);
    yarn.after(30);
    yarn.containers(2);
    yarn.grant();
    List<String> waiting = List.copyOf(yarn.idle);
    assertEquals(2, waiting.size());
    yarn.on(new Event.PreemptionAhead(Set.of(waiting.get(0)), Set.of(waiting.get(1))));
    assertEquals(Set.of(), yarn.idle);
    assertEquals(2, yarn.free());
    assertEquals(2, yarn.asks.size());
    assertEquals("feed train has 2 ranks of 2:4", yarn.state.reason());
    assertTrue(yarn.commitRequest.isEmpty());
    assertEquals(List.of("ranks", "started"), kinds(yarn));
  }

  @Test
  void aStepThatFailsThreeTimesWithOneMessageAtOneCursorEndsTheJob() {
    TestingYarn yarn = begun(plan(2, 2, 2), 2);
    for (int i = 0; i < 3; i++) {
      yarn.commit(cursor("0:1"));
      yarn.fail(i % 2, "STEP_FAILED", "training step S failed in step 0:1: boom");
      yarn.grant();
    }
    assertEquals(RunState.FAILED, yarn.finish.state());
    assertTrue(
        yarn.finish
            .text()
            .endsWith(
                "exit status 11: training step S failed in step 0:1: boom (3 times in a row, and"
                    + " nothing was committed in between)"),
        yarn.finish.text());
  }

  @Test
  void aStepThatFailsAnewAfterProgressOrOtherwiseIsStartedAgain() {
    TestingYarn yarn = begun(plan(2, 2, 2), 2);
    for (int i = 0; i < 8; i++) {
      yarn.commit(new Cursor(i / 4, i % 4 / 2 + 1));
      String message = i % 2 == 0 ? "boom" : "bang";
      yarn.fail(0, i == 3 ? "INTERNAL" : "STEP_FAILED", message);
      yarn.grant();
    }
    assertTrue(yarn.isRunning());
    assertEquals(8, yarn.state.restarts());
  }

  @Test
  void storageThatFailsInTheSameWayUsesAllRestarts() {
    TestingYarn yarn = begun(plan(2, 2, 2), 2);
    for (int i = 0; i < 10; i++) {
      yarn.fail(0, "STORAGE_FAILED", "hdfs was not reached");
      yarn.grant();
    }
    assertTrue(yarn.isRunning());
    yarn.fail(0, "STORAGE_FAILED", "hdfs was not reached");
    assertTrue(yarn.finish.text().endsWith("(after 10 restarts)"), yarn.finish.text());
  }

  private static TestingYarn begun(FeedPlan plan, int containers) {
    TestingYarn yarn = new TestingYarn(plan, LIMITS, containers);
    yarn.on(new Event.Registered());
    yarn.grant();
    return yarn;
  }

  private static FeedPlan plan(int min, int max, int lanes) {
    return new FeedPlan(new RankRange(min, max), 24, lanes, 4, 2, 96, 0);
  }

  private static List<String> kinds(TestingYarn yarn) {
    return yarn.decisions.stream().map(Decision::kind).toList();
  }

  /** The last of its kind. */
  private static String decision(TestingYarn yarn, String kind) {
    return yarn.decisions.stream()
        .filter(decision -> decision.kind().equals(kind))
        .reduce((a, b) -> b)
        .orElseThrow()
        .detail();
  }
}
