package io.penstock.am.core;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.Quarantined;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A job from its first ask to its last line.
 *
 * <h2>Generations</h2>
 *
 * All ranks of a generation are asked for together and get their assignments together, once every
 * one of them lives. If one is lost, the whole generation ends and another begins at the agreed
 * cursors: ranks that train together can't go on without each other, and a certificate needs all of
 * them to begin at one place.
 *
 * <pre>
 *   NEW ──registered──▶ STARTING ──all alive──▶ RUNNING ──all done──▶ ENDED
 *                          ▲  │                   │                     ▲
 *                          │  └───── failure ─────┤                     │
 *                          │                      ▼                     │
 *                          └────── restart ── STOPPING ── for good ─────┘
 * </pre>
 *
 * <h2>Stopping</h2>
 *
 * First the fence is raised ({@link Action.Seal}): from then on nothing that the old containers do
 * counts, and they end by themselves when they see it. What they wrote until then is read once
 * more, so that no commit that a rank was told of is lost. Those that have not ended in time are
 * stopped by YARN; those of which YARN says nothing are left behind the fence.
 *
 * <h2>Purity</h2>
 *
 * The machine's state is a function of the events and times that it was given: it does no input or
 * output, reads no clock and has no threads. It belongs to the thread that calls it.
 */
public final class JobMachine {
  private static final int LISTED_QUARANTINES = 100;

  private enum Stage {
    NEW,
    STARTING,
    RUNNING,
    STOPPING,
    ENDED
  }

  /** What stopping leads to. */
  private record Outcome(RunState state, int exitCode, String text) {
    boolean isRestart() {
      return state == RunState.RESTARTING;
    }
  }

  private final Map<String, FeedPlan> feeds;
  private final Limits limits;
  private final History history;
  private final Map<String, FeedLedger> ledgers = new TreeMap<>();
  private final Map<String, Quarantine> quarantines = new TreeMap<>();

  private Stage stage = Stage.NEW;
  private long stageSince;
  private int generation;
  private int restarts;
  private long startedMillis;
  private long decisions;
  private final Map<Slot, Member> members = new TreeMap<>();
  private final Map<String, Member> byContainer = new HashMap<>();
  private final Map<Long, Member> byAsk = new HashMap<>();
  private Outcome outcome;
  private boolean sealed;

  /** Of the event in work. */
  private long now;

  private List<Action> actions = new ArrayList<>();

  /**
   * A machine that has heard nothing yet.
   *
   * @param feeds by name
   */
  public JobMachine(Map<String, FeedPlan> feeds, Limits limits, History history) {
    this.feeds = Map.copyOf(feeds);
    this.limits = limits;
    this.history = history;
    this.decisions = history.decisions();
    feeds.forEach(
        (name, plan) -> {
          ledgers.put(
              name, new FeedLedger(plan, history.agreed().getOrDefault(name, Agreed.NOTHING)));
          quarantines.put(name, new Quarantine(plan));
        });
    history
        .state()
        .ifPresent(
            state -> {
              generation = state.generation();
              restarts = state.restarts();
            });
  }

  /**
   * Hears an event.
   *
   * @param nowMillis time of a clock that never goes back
   * @return what to do, in this order
   */
  public List<Action> on(long nowMillis, Event event) {
    now = nowMillis;
    actions = new ArrayList<>();
    if (stage == Stage.ENDED) {
      afterEnd(event);
    } else if (event instanceof Event.Registered) {
      registered();
    } else if (event instanceof Event.Allocated allocated) {
      allocated(allocated);
    } else if (event instanceof Event.LaunchFailed failed) {
      launchFailed(failed);
    } else if (event instanceof Event.Completed completed) {
      completed(completed);
    } else if (event instanceof Event.Alive alive) {
      alive(alive.containers());
    } else if (event instanceof Event.Progress progress) {
      progress(progress.feed(), progress.progress());
    } else if (event instanceof Event.Sealed) {
      sealed = true;
      goOnIfStopped();
    } else if (event instanceof Event.Tick) {
      tick();
    } else if (event instanceof Event.AskRefused refused) {
      stop(new Outcome(RunState.FAILED, 2, "the ask was refused: " + refused.reason()));
    } else if (event instanceof Event.KillRequested kill) {
      stop(new Outcome(RunState.KILLED, 4, kill.reason()));
    } else {
      throw new IllegalArgumentException("unknown event: " + event);
    }
    return actions;
  }

  /** Whether {@link Action.Finish} was given. */
  public boolean isEnded() {
    return stage == Stage.ENDED;
  }

  /** Names of the job's feeds. */
  public Set<String> feeds() {
    return ledgers.keySet();
  }

  /** Generation of the containers now at work, from 1. */
  public int generation() {
    return generation;
  }

  /** Share of all feeds' steps that were delivered, 0 to 1. */
  public double share() {
    return ledgers.values().stream().mapToDouble(FeedLedger::share).average().orElse(0);
  }

  private void afterEnd(Event event) {
    if (event instanceof Event.Allocated allocated) {
      actions.add(new Action.Release(allocated.container()));
    }
  }

  // ---- beginning

  private void registered() {
    if (stage != Stage.NEW) {
      return;
    }
    startedMillis = history.state().map(JobState::startedMillis).orElse(now);
    if (history.state().filter(state -> state.state().isFinal()).isPresent()) {
      JobState last = history.state().get();
      end(new Outcome(last.state(), last.exitCode(), last.reason()));
      return;
    }
    if (history.attempt() > 1) {
      history.progress().forEach((feed, all) -> all.forEach(progress -> progress(feed, progress)));
      if (outcome != null) {
        return;
      }
      decide(
          "attempt",
          "attempt %d of the ApplicationMaster goes on from %s"
              .formatted(history.attempt(), cursors()));
    }
    if (allComplete()) {
      succeed();
      return;
    }
    beginGeneration(
        history.attempt() > 1
            ? new Outcome(RunState.RESTARTING, 0, "the ApplicationMaster was started again")
            : new Outcome(RunState.STARTING, 0, ""));
  }

  private void beginGeneration(Outcome why) {
    generation++;
    enter(Stage.STARTING);
    outcome = null;
    members.clear();
    byContainer.clear();
    byAsk.clear();
    writeState(why.state(), why.text(), 0);
    int index = 0;
    for (Map.Entry<String, FeedLedger> entry : ledgers.entrySet()) {
      String feed = entry.getKey();
      if (entry.getValue().isComplete()) {
        continue;
      }
      int ranks = feeds.get(feed).ranks();
      actions.add(new Action.RemoveRanks(feed, ranks));
      actions.add(new Action.WriteAgreed(feed, entry.getValue().begin(generation, ranks)));
      for (int rank = 0; rank < ranks; rank++) {
        long ask = ((long) generation << 20) + ++index;
        Member member = new Member(new Slot(feed, rank), ask, now);
        members.put(member.slot, member);
        byAsk.put(ask, member);
        actions.add(new Action.Ask(member.slot, ask));
      }
    }
  }

  private void allocated(Event.Allocated allocated) {
    Member member = byAsk.get(allocated.ask());
    if (stage != Stage.STARTING || member == null || member.stage != Member.Stage.ASKED) {
      actions.add(new Action.Release(allocated.container()));
      return;
    }
    member.stage = Member.Stage.LAUNCHED;
    member.since = now;
    member.container = allocated.container();
    member.host = allocated.host();
    byContainer.put(member.container, member);
    actions.add(new Action.Withdraw(member.ask));
    actions.add(new Action.Launch(member.container, member.slot, generation));
  }

  private void launchFailed(Event.LaunchFailed failed) {
    Member member = byContainer.get(failed.container());
    if (member == null || member.stage != Member.Stage.LAUNCHED) {
      return;
    }
    gone(member);
    actions.add(new Action.Release(member.container));
    if (stage == Stage.STOPPING) {
      goOnIfStopped();
    } else {
      restart(Counting.COUNTS, member.words() + " was not started: " + failed.reason());
    }
  }

  private void alive(Set<String> containers) {
    for (Member member : members.values()) {
      if (!member.hasContainer()) {
        continue;
      }
      if (containers.contains(member.container)) {
        member.seen();
        if (member.stage == Member.Stage.LAUNCHED) {
          member.stage = Member.Stage.ALIVE;
          member.since = now;
        }
      } else if (member.stage == Member.Stage.ALIVE && !member.isMissing()) {
        member.missingSince = now;
      }
    }
    if (stage == Stage.STARTING
        && members.values().stream().allMatch(m -> m.stage == Member.Stage.ALIVE)) {
      assign();
    }
  }

  private void assign() {
    enter(Stage.RUNNING);
    Map<String, Integer> slots = new HashMap<>();
    for (Member member : members.values()) {
      int slot = slots.merge(member.host, 1, Integer::sum) - 1;
      String feed = member.slot.feed();
      actions.add(
          new Action.WriteAssignment(
              feed,
              new Assignment(
                  member.slot.rank(),
                  feeds.get(feed).ranks(),
                  generation,
                  member.container,
                  member.host,
                  slot,
                  ledgers.get(feed).agreed().cursor())));
    }
    decide(
        "started",
        "generation %d: %d containers on %d hosts begin at %s"
            .formatted(generation, members.size(), slots.size(), cursors()));
    writeState(RunState.RUNNING, "", 0);
  }

  // ---- running

  private void progress(String feed, RankProgress progress) {
    FeedLedger ledger = ledgers.get(feed);
    if (ledger == null) {
      return;
    }
    Member member = members.get(new Slot(feed, progress.rank()));
    if (member != null
        && progress.generation() == generation
        && progress.container().equals(member.container)) {
      progress.failure().ifPresent(failure -> member.failure = failure.message());
      if (progress.phase() == Phase.DONE && !member.done) {
        member.done = true;
        member.doneSince = now;
      }
    }
    try {
      ledger
          .progress(progress)
          .ifPresent(
              advance -> {
                advance
                    .finished()
                    .forEach(epoch -> actions.add(new Action.WriteEpoch(feed, epoch)));
                actions.add(new Action.WriteAgreed(feed, advance.agreed()));
              });
    } catch (IllegalStateException e) {
      stop(new Outcome(RunState.FAILED, 1, "feed " + feed + ": " + e.getMessage()));
      return;
    }
    quarantined(feed, progress);
  }

  private void quarantined(String feed, RankProgress progress) {
    Quarantine quarantine = quarantines.get(feed);
    List<Quarantined> fresh = quarantine.add(progress);
    int number = quarantine.rowGroups() - fresh.size();
    for (Quarantined bad : fresh) {
      if (++number <= LISTED_QUARANTINES) {
        decide(Quarantined.DECISION, bad.told(feed));
      } else if (number == LISTED_QUARANTINES + 1) {
        decide(Quarantined.DECISION, "feed " + feed + ": further row groups are not listed here");
      }
    }
    if (!fresh.isEmpty() && quarantine.isTooMuch()) {
      stop(new Outcome(RunState.FAILED, 1, quarantine.tooMuch(feed)));
    }
  }

  private void completed(Event.Completed completed) {
    Member member = byContainer.get(completed.container());
    if (member == null || member.stage == Member.Stage.GONE) {
      return;
    }
    gone(member);
    String words = member.words() + ": " + completed.words();
    if (!member.failure.isEmpty()) {
      words += ": " + member.failure;
    }
    if (stage == Stage.STOPPING) {
      if (completed.ending() == Ending.FATAL) {
        stop(new Outcome(RunState.FAILED, 1, words));
      }
      goOnIfStopped();
      return;
    }
    if (member.done) {
      if (members.values().stream().allMatch(m -> m.stage == Member.Stage.GONE)) {
        allGone();
      }
      return;
    }
    switch (completed.ending()) {
      case DONE -> restart(Counting.COUNTS, words + ", but before its last step");
      case FAILED -> restart(Counting.COUNTS, words);
      case LOST -> restart(Counting.DOES_NOT_COUNT, words);
      case FATAL -> stop(new Outcome(RunState.FAILED, 1, words));
    }
  }

  private void allGone() {
    if (allComplete()) {
      succeed();
    } else {
      end(
          new Outcome(
              RunState.FAILED,
              1,
              "all ranks say that they are done, but they have not committed all steps: "
                  + cursors()));
    }
  }

  private void tick() {
    switch (stage) {
      case STARTING -> {
        checkAllocation();
        checkRegistration();
        checkSilence();
      }
      case RUNNING -> {
        checkSilence();
        checkLeaving();
      }
      case STOPPING -> pushOut();
      case NEW, ENDED -> {}
    }
  }

  private void checkAllocation() {
    long asked = count(Member.Stage.ASKED);
    if (asked > 0 && isOver(stageSince, limits.allocation())) {
      stop(
          new Outcome(
              RunState.FAILED,
              1,
              "%d of %d containers were allocated within %d s"
                  .formatted(
                      members.size() - asked, members.size(), limits.allocation().toSeconds())));
    }
  }

  private void checkRegistration() {
    for (Member member : List.copyOf(members.values())) {
      if (stage == Stage.STARTING
          && member.stage == Member.Stage.LAUNCHED
          && isOver(member.since, limits.registration())) {
        restart(
            Counting.COUNTS,
            "%s did not register in ZooKeeper within %d s"
                .formatted(member.words(), limits.registration().toSeconds()));
      }
    }
  }

  private void checkSilence() {
    for (Member member : List.copyOf(members.values())) {
      if (stage != Stage.STOPPING
          && member.stage == Member.Stage.ALIVE
          && !member.done
          && member.isMissing()
          && isOver(member.missingSince, limits.silence())) {
        restart(
            Counting.COUNTS,
            "%s was not seen in ZooKeeper for %d s"
                .formatted(member.words(), limits.silence().toSeconds()));
      }
    }
  }

  private void checkLeaving() {
    for (Member member : members.values()) {
      if (member.done
          && member.hasContainer()
          && !member.stopSent
          && isOver(member.doneSince, limits.leaving().plus(limits.stopping()))) {
        sendStop(member);
      }
    }
  }

  // ---- stopping

  private enum Counting {
    COUNTS,
    DOES_NOT_COUNT
  }

  private void restart(Counting counting, String reason) {
    if (stage == Stage.STOPPING) {
      return;
    }
    if (counting == Counting.COUNTS) {
      if (restarts == limits.restarts()) {
        stop(
            new Outcome(
                RunState.FAILED,
                1,
                restarts == 0 ? reason : reason + " (after %d restarts)".formatted(restarts)));
        return;
      }
      restarts++;
    }
    stop(new Outcome(RunState.RESTARTING, 0, reason));
  }

  private void stop(Outcome next) {
    if (stage == Stage.STOPPING) {
      if (outcome.isRestart() && !next.isRestart()) {
        outcome = next;
      }
      return;
    }
    outcome = next;
    sealed = false;
    enter(Stage.STOPPING);
    for (Member member : members.values()) {
      if (member.stage == Member.Stage.ASKED) {
        member.stage = Member.Stage.GONE;
        actions.add(new Action.Withdraw(member.ask));
      }
    }
    actions.add(new Action.Seal());
    if (next.isRestart()) {
      writeState(RunState.RESTARTING, next.text(), 0);
    }
  }

  private void pushOut() {
    if (isOver(stageSince, limits.leaving().plus(limits.stopping()))) {
      for (Member member : members.values()) {
        if (member.hasContainer()) {
          decide("abandoned", member.words() + ": YARN did not say that it has ended");
          actions.add(new Action.Release(member.container));
          gone(member);
        }
      }
      goOnIfStopped();
    } else if (isOver(stageSince, limits.leaving())) {
      for (Member member : members.values()) {
        if (member.hasContainer() && !member.stopSent) {
          sendStop(member);
        }
      }
    }
  }

  private void goOnIfStopped() {
    if (stage != Stage.STOPPING
        || !sealed
        || members.values().stream().anyMatch(Member::hasContainer)) {
      return;
    }
    if (!outcome.isRestart()) {
      end(outcome);
    } else if (allComplete()) {
      succeed();
    } else {
      decide("restart", "from %s: %s".formatted(cursors(), outcome.text()));
      beginGeneration(outcome);
    }
  }

  // ---- ending

  private void succeed() {
    String text =
        ledgers.entrySet().stream()
            .map(
                entry -> {
                  FeedPlan plan = feeds.get(entry.getKey());
                  return "feed %s: %d epochs of %d steps to %d ranks"
                      .formatted(entry.getKey(), plan.epochs(), plan.steps(), plan.ranks());
                })
            .collect(Collectors.joining("; "));
    end(new Outcome(RunState.SUCCEEDED, 0, text + "; restarts: " + restarts));
  }

  private void end(Outcome last) {
    outcome = last;
    enter(Stage.ENDED);
    writeState(last.state(), last.text(), last.exitCode());
    actions.add(new Action.Finish(last.state(), last.text()));
  }

  // ---- small parts

  private void enter(Stage next) {
    stage = next;
    stageSince = now;
  }

  private void gone(Member member) {
    member.stage = Member.Stage.GONE;
    actions.add(new Action.FreeDevices(member.host, member.container));
  }

  private void sendStop(Member member) {
    member.stopSent = true;
    actions.add(new Action.Stop(member.container));
  }

  private boolean allComplete() {
    Collection<FeedLedger> all = ledgers.values();
    return all.stream().allMatch(FeedLedger::isComplete);
  }

  private long count(Member.Stage wanted) {
    return members.values().stream().filter(m -> m.stage == wanted).count();
  }

  private boolean isOver(long since, Duration limit) {
    return now - since >= limit.toMillis();
  }

  private String cursors() {
    return ledgers.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue().agreed().cursor())
        .collect(Collectors.joining(" "));
  }

  private void decide(String kind, String detail) {
    actions.add(new Action.WriteDecision(new Decision(++decisions, now, kind, detail)));
  }

  private void writeState(RunState state, String reason, int exitCode) {
    actions.add(
        new Action.WriteState(
            new JobState(
                state,
                reason,
                exitCode,
                history.attempt(),
                generation,
                restarts,
                startedMillis,
                now)));
  }
}
