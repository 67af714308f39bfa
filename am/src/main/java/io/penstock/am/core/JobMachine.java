package io.penstock.am.core;

import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.RunState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A job from its first ask to its last line.
 *
 * <h2>Generations</h2>
 *
 * All ranks of a generation are asked for together and get their assignments together, once every
 * one of them lives. If one is lost, the whole generation ends and another begins at the agreed
 * cursors: ranks that train together can't go on without each other, and a certificate needs all of
 * them to begin at one place. How many ranks a generation has, where that may change, is chosen
 * while it starts, from the containers that have come ({@link Crew}); it grows back when the next
 * one begins for another reason, never by ending one that runs.
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

  private final Limits limits;
  private final History history;
  private final Outbox out;
  private final Restarts restarts;
  private final Preemption preemption;
  private final Accounts accounts;
  private final Crews crews;

  private Stage stage = Stage.NEW;
  private long stageSince;
  private int generation;
  private long startedMillis;
  private Outcome outcome;
  private boolean sealed;

  /** What was last recorded of ranks that are missing. */
  private String shortage = "";

  /**
   * A machine that has heard nothing yet.
   *
   * @param feeds by name
   * @param container the ApplicationMaster's own
   */
  public JobMachine(Map<String, FeedPlan> feeds, Limits limits, String container, History history) {
    this.limits = limits;
    this.history = history;
    this.out = new Outbox(history.decisions());
    this.restarts = new Restarts(limits.restarts());
    this.preemption = new Preemption(container);
    this.accounts = new Accounts(feeds, history.agreed(), out);
    this.crews = new Crews(feeds, out);
    history
        .state()
        .ifPresent(
            state -> {
              generation = state.generation();
              restarts.goOnFrom(state.restarts());
            });
  }

  /**
   * Hears an event.
   *
   * @param nowMillis time of a clock that never goes back
   * @return what to do, in this order
   */
  public List<Action> on(long nowMillis, Event event) {
    List<Action> actions = out.begin(nowMillis);
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
    } else if (event instanceof Event.PreemptionAhead ahead) {
      preemptionAhead(ahead);
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
    return accounts.feeds();
  }

  /** Generation of the containers now at work, from 1. */
  public int generation() {
    return generation;
  }

  /** Share of all feeds' steps that were delivered, 0 to 1. */
  public double share() {
    return accounts.share();
  }

  private void afterEnd(Event event) {
    if (event instanceof Event.Allocated allocated) {
      out.add(new Action.Release(allocated.container()));
    }
  }

  // ---- beginning

  private void registered() {
    if (stage != Stage.NEW) {
      return;
    }
    startedMillis = history.state().map(JobState::startedMillis).orElse(out.now());
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
      out.decide(
          "attempt",
          "attempt %d of the ApplicationMaster goes on from %s"
              .formatted(history.attempt(), accounts.cursors()));
    }
    if (accounts.allComplete()) {
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
    shortage = "";
    preemption.forget();
    writeState(why.state(), why.text(), 0);
    for (Crew crew : crews.begin(generation, accounts::isComplete)) {
      if (crew.plan().ranks().fixed()) {
        accounts.begin(crew.feed(), generation, crew.plan().ranks().max());
      } else {
        accounts.endGeneration(crew.feed());
      }
      crew.begin(generation);
    }
  }

  private void allocated(Event.Allocated granted) {
    crews
        .allocated(granted)
        .filter(crew -> !crew.isChosen() && crew.hasAll())
        .ifPresent(crew -> choose(crew, "all containers have come"));
    tellShortage();
  }

  private void choose(Crew crew, String why) {
    String feed = crew.feed();
    int before = accounts.ranks(feed);
    crew.choose()
        .ifPresent(
            ranks -> {
              accounts.begin(feed, generation, ranks);
              int usual = before == 0 ? crew.plan().ranks().max() : before;
              if (ranks != usual) {
                out.decide(
                    "ranks",
                    "feed %s: %d ranks of %s%s: %s"
                        .formatted(
                            feed,
                            ranks,
                            crew.plan().ranks(),
                            before == 0 ? "" : ", %d before".formatted(before),
                            why));
              }
            });
  }

  private void launchFailed(Event.LaunchFailed failed) {
    Member member = crews.member(failed.container()).orElse(null);
    if (member == null || member.stage != Member.Stage.LAUNCHED) {
      return;
    }
    gone(member);
    out.add(new Action.Release(member.container));
    if (stage == Stage.STOPPING) {
      goOnIfStopped();
    } else {
      restart(member, member.words() + " was not started: " + failed.reason());
    }
  }

  private void alive(Set<String> containers) {
    for (Member member : crews.members()) {
      if (!member.hasContainer()) {
        continue;
      }
      if (containers.contains(member.container)) {
        member.seen();
        if (member.stage == Member.Stage.LAUNCHED) {
          member.stage = Member.Stage.ALIVE;
          member.since = out.now();
        }
      } else if (member.stage == Member.Stage.ALIVE && !member.isMissing()) {
        member.missingSince = out.now();
      }
    }
    if (stage == Stage.STARTING && crews.allAlive()) {
      assign();
    }
  }

  private void assign() {
    enter(Stage.RUNNING);
    Map<String, Integer> slots = new HashMap<>();
    for (Member member : crews.members()) {
      int slot = slots.merge(member.host, 1, Integer::sum) - 1;
      String feed = member.slot.feed();
      out.add(
          new Action.WriteAssignment(
              feed,
              new Assignment(
                  member.slot.rank(),
                  crews.of(feed).ranks(),
                  generation,
                  member.container,
                  member.host,
                  slot,
                  accounts.cursor(feed))));
    }
    out.decide(
        "started",
        "generation %d: %d containers on %d hosts begin at %s"
            .formatted(generation, crews.members().size(), slots.size(), accounts.cursors()));
    shortage = crews.shortages();
    writeState(RunState.RUNNING, shortage, 0);
  }

  // ---- running

  private void progress(String feed, RankProgress progress) {
    if (!feeds().contains(feed)) {
      return;
    }
    crews
        .of(feed)
        .member(progress.rank())
        .filter(
            member ->
                progress.generation() == generation
                    && progress.container().equals(member.container))
        .ifPresent(
            member -> {
              progress.failure().ifPresent(failure -> member.failure = Optional.of(failure));
              if (progress.phase() == Phase.DONE && !member.done) {
                member.done = true;
                member.doneSince = out.now();
              }
            });
    accounts.progress(feed, progress).ifPresent(why -> stop(new Outcome(RunState.FAILED, 1, why)));
  }

  private void preemptionAhead(Event.PreemptionAhead ahead) {
    giveBack(ahead.strict());
    giveBack(ahead.negotiable());
    tellShortage();
    if (stage != Stage.STARTING && stage != Stage.RUNNING) {
      return;
    }
    String news = preemption.news(ahead, crews.members(), out.now());
    if (news.isEmpty()) {
      return;
    }
    if (stage == Stage.STARTING) {
      out.decide("preemption", news + ": no step has begun that could commit");
      return;
    }
    out.decide("preemption", news + ": the training steps are asked to commit");
    out.add(new Action.AskCommit(new CommitRequest(generation, news, out.now())));
  }

  /** What waits and is to be taken: nothing is lost with it, and a rank would be, were it used. */
  private void giveBack(Set<String> containers) {
    containers.stream()
        .sorted()
        .forEach(
            container ->
                crews
                    .lostSpare(container)
                    .ifPresent(
                        crew -> {
                          out.add(new Action.Release(container));
                          askAgain(crew);
                        }));
  }

  private void askAgain(Crew crew) {
    if (stage != Stage.STOPPING) {
      crew.askAgain();
    }
  }

  private void completed(Event.Completed completed) {
    Member member = crews.member(completed.container()).orElse(null);
    if (member == null) {
      crews.lostSpare(completed.container()).ifPresent(this::askAgain);
      tellShortage();
      return;
    }
    if (member.stage == Member.Stage.GONE) {
      return;
    }
    gone(member);
    String words = member.words() + ": " + completed.words();
    if (member.failure.isPresent()) {
      words += ": " + member.failure.get().message();
    }
    if (stage == Stage.STOPPING) {
      if (completed.ending() == Ending.FATAL) {
        stop(new Outcome(RunState.FAILED, 1, words));
      }
      goOnIfStopped();
      return;
    }
    if (member.done) {
      if (crews.allGone()) {
        allGone();
      }
      return;
    }
    switch (completed.ending()) {
      case DONE -> restart(member, words + ", but before its last step");
      case FAILED -> restart(member, words);
      case LOST -> stop(new Outcome(RunState.RESTARTING, 0, words));
      case FATAL -> stop(new Outcome(RunState.FAILED, 1, words));
    }
  }

  private void allGone() {
    if (accounts.allComplete()) {
      succeed();
    } else {
      end(
          new Outcome(
              RunState.FAILED,
              1,
              "all ranks say that they are done, but they have not committed all steps: "
                  + accounts.cursors()));
    }
  }

  // ---- time

  private void tick() {
    switch (stage) {
      case STARTING -> {
        checkRanks();
        checkAllocation();
        checkRegistration();
        checkSilence();
        renewSpares();
      }
      case RUNNING -> {
        checkSilence();
        checkLeaving();
        renewSpares();
      }
      case STOPPING -> pushOut();
      case NEW, ENDED -> {}
    }
  }

  private void checkRanks() {
    boolean isTime =
        isOver(stageSince, limits.elasticWait()) || isOver(stageSince, limits.allocation());
    for (Crew crew : crews.atWork()) {
      if (isTime && !crew.isChosen()) {
        long seconds = (out.now() - stageSince) / 1000;
        choose(crew, "%d containers have come in %d s".formatted(crew.held(), seconds));
      }
    }
  }

  private void checkAllocation() {
    if (crews.anyShort() && isOver(stageSince, limits.allocation())) {
      stop(
          new Outcome(
              RunState.FAILED,
              1,
              "%s containers were allocated within %d s"
                  .formatted(crews.heldOfNeeded(), limits.allocation().toSeconds())));
    }
  }

  private void checkRegistration() {
    for (Member member : crews.members()) {
      if (stage == Stage.STARTING
          && member.stage == Member.Stage.LAUNCHED
          && isOver(member.since, limits.registration())) {
        restart(
            member,
            "%s did not register in ZooKeeper within %d s"
                .formatted(member.words(), limits.registration().toSeconds()));
      }
    }
  }

  private void checkSilence() {
    for (Member member : crews.members()) {
      if (stage != Stage.STOPPING
          && member.stage == Member.Stage.ALIVE
          && !member.done
          && member.isMissing()
          && isOver(member.missingSince, limits.silence())) {
        restart(
            member,
            "%s was not seen in ZooKeeper for %d s"
                .formatted(member.words(), limits.silence().toSeconds()));
      }
    }
  }

  private void checkLeaving() {
    for (Member member : crews.members()) {
      if (member.done
          && member.hasContainer()
          && !member.stopSent
          && isOver(member.doneSince, limits.leaving().plus(limits.stopping()))) {
        sendStop(member);
      }
    }
  }

  private void renewSpares() {
    if (stage != Stage.STOPPING) {
      crews.renewSpares();
      tellShortage();
    }
  }

  // ---- stopping

  /** After a failure that counts. */
  private void restart(Member member, String reason) {
    if (stage == Stage.STOPPING) {
      return;
    }
    String feed = member.slot.feed();
    stop(
        restarts
            .refused(feed, member.failure, accounts.cursor(feed))
            .map(why -> new Outcome(RunState.FAILED, 1, reason + why))
            .orElseGet(() -> new Outcome(RunState.RESTARTING, 0, reason)));
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
    crews.stopAsking();
    out.add(new Action.Seal());
    if (next.isRestart()) {
      writeState(RunState.RESTARTING, next.text(), 0);
    }
  }

  private void pushOut() {
    if (isOver(stageSince, limits.leaving().plus(limits.stopping()))) {
      for (Member member : crews.members()) {
        if (member.hasContainer()) {
          out.decide("abandoned", member.words() + ": YARN did not say that it has ended");
          out.add(new Action.Release(member.container));
          gone(member);
        }
      }
      goOnIfStopped();
    } else if (isOver(stageSince, limits.leaving())) {
      for (Member member : crews.members()) {
        if (member.hasContainer() && !member.stopSent) {
          sendStop(member);
        }
      }
    }
  }

  private void goOnIfStopped() {
    if (stage != Stage.STOPPING || !sealed || crews.anyHasContainer()) {
      return;
    }
    if (!outcome.isRestart()) {
      end(outcome);
    } else if (accounts.allComplete()) {
      succeed();
    } else {
      out.decide("restart", "from %s: %s".formatted(accounts.cursors(), outcome.text()));
      beginGeneration(outcome);
    }
  }

  // ---- ending

  private void succeed() {
    end(new Outcome(RunState.SUCCEEDED, 0, crews.plans() + "; restarts: " + restarts.count()));
  }

  private void end(Outcome last) {
    outcome = last;
    enter(Stage.ENDED);
    crews.stopAsking();
    crews.releaseSpares();
    writeState(last.state(), last.text(), last.exitCode());
    out.add(new Action.Finish(last.state(), last.text()));
  }

  // ---- small parts

  private void enter(Stage next) {
    stage = next;
    stageSince = out.now();
  }

  private void gone(Member member) {
    member.stage = Member.Stage.GONE;
    out.add(new Action.FreeDevices(member.host, member.container));
  }

  private void sendStop(Member member) {
    member.stopSent = true;
    out.add(new Action.Stop(member.container));
  }

  private boolean isOver(long since, Duration limit) {
    return out.now() - since >= limit.toMillis();
  }

  /** Keeps the job's state true to what waits for its next restart. */
  private void tellShortage() {
    if (stage == Stage.RUNNING && !crews.shortages().equals(shortage)) {
      shortage = crews.shortages();
      writeState(RunState.RUNNING, shortage, 0);
    }
  }

  private void writeState(RunState state, String reason, int exitCode) {
    out.add(
        new Action.WriteState(
            new JobState(
                state,
                reason,
                exitCode,
                history.attempt(),
                generation,
                restarts.count(),
                startedMillis,
                out.now())));
  }
}
