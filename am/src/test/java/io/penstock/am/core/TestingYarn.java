package io.penstock.am.core;

import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.Commit;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Failure;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cluster with so many containers for the one job, and ranks that do as they are told: they come
 * alive at once, and end at once when the fence rises. A position's digest is that of {@link
 * FeedLedgerTest}.
 */
final class TestingYarn {
  /** How long a granted container can be started. */
  static final Duration STARTABLE = Duration.ofSeconds(600);

  /** The ApplicationMaster's container. */
  static final String OWN = "c0";

  private static final String FEED = "train";

  final Map<Long, EpochRecord> epochs = new TreeMap<>();
  final List<Decision> decisions = new ArrayList<>();
  final Map<Integer, Assignment> assignments = new TreeMap<>();
  final Set<Long> asks = new LinkedHashSet<>();

  /** Granted, and nothing runs in them. */
  final Set<String> idle = new LinkedHashSet<>();

  /** Rank by container. */
  final Map<String, Integer> running = new LinkedHashMap<>();

  JobState state;
  Action.Finish finish;
  Optional<CommitRequest> commitRequest = Optional.empty();

  private final FeedPlan plan;
  private final JobMachine machine;
  private final Deque<Event> next = new ArrayDeque<>();
  private int free;
  private int containers;
  private long now = 1_000_000;

  /**
   * @param free containers for the job
   */
  TestingYarn(FeedPlan plan, Limits limits, int free) {
    this.plan = plan;
    this.machine = new JobMachine(Map.of(FEED, plan), limits, OWN, History.none());
    this.free = free;
  }

  /** The machine hears it, and all that follows from it at once. */
  void on(Event event) {
    next.add(event);
    while (!next.isEmpty()) {
      for (Action action : machine.on(now, next.remove())) {
        act(action);
      }
    }
  }

  private void act(Action action) {
    if (action instanceof Action.Ask ask) {
      asks.add(ask.ask());
    } else if (action instanceof Action.Withdraw withdraw) {
      asks.remove(withdraw.ask());
    } else if (action instanceof Action.Release release) {
      if (!idle.remove(release.container())) {
        throw new AssertionError("not idle: " + release);
      }
      free++;
    } else if (action instanceof Action.Launch launch) {
      if (!idle.remove(launch.container())) {
        throw new AssertionError("not idle: " + launch);
      }
      running.put(launch.container(), launch.slot().rank());
    } else if (action instanceof Action.Seal) {
      next.add(new Event.Sealed());
      List.copyOf(running.keySet()).forEach(c -> end(c, Ending.FAILED, "fenced"));
    } else if (action instanceof Action.RemoveRanks) {
      assignments.clear();
    } else if (action instanceof Action.WriteAssignment write) {
      assignments.put(write.assignment().rank(), write.assignment());
    } else if (action instanceof Action.WriteEpoch write) {
      if (epochs.put(write.epoch().epoch(), write.epoch()) != null) {
        throw new AssertionError("twice: " + write);
      }
    } else if (action instanceof Action.WriteDecision write) {
      decisions.add(write.decision());
    } else if (action instanceof Action.WriteState write) {
      state = write.state();
    } else if (action instanceof Action.AskCommit ask) {
      commitRequest = Optional.of(ask.request());
    } else if (action instanceof Action.Finish last) {
      finish = last;
    }
  }

  private void end(String container, Ending ending, String words) {
    running.remove(container);
    idle.remove(container);
    free++;
    next.add(new Event.Completed(container, ending, words));
  }

  /** There are more containers for the job, or fewer. */
  void containers(int more) {
    free += more;
  }

  int free() {
    return free;
  }

  /** Grants what is asked for, as far as there are containers; those that run come alive. */
  void grant() {
    while (free > 0 && !asks.isEmpty()) {
      long ask = asks.iterator().next();
      free--;
      String container = "c" + ++containers;
      idle.add(container);
      on(new Event.Allocated(container, "h" + containers % 2, ask, STARTABLE));
    }
    alive();
  }

  private void alive() {
    on(new Event.Alive(running.keySet()));
  }

  /** So much time passes. */
  void after(long seconds) {
    now += 1000 * seconds;
    on(new Event.Tick());
    alive();
  }

  /** A container ends by itself, and does not come back. */
  void lose(String container, Ending ending) {
    end(container, ending, "lost");
    free--;
    on(new Event.Tick());
  }

  /** The container of a rank. */
  String container(int rank) {
    return running.entrySet().stream()
        .filter(entry -> entry.getValue() == rank)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  /** A rank says why it fails, and its container ends. */
  void fail(int rank, String kind, String message) {
    String container = container(rank);
    on(
        new Event.Progress(
            FEED,
            progress(
                assignments.get(rank),
                Phase.FAILED,
                assignments.get(rank).start(),
                List.of(),
                Optional.of(new Failure(kind, message)))));
    end(container, Ending.FAILED, "exit status 11");
    on(new Event.Tick());
  }

  /** Whether ranks have their assignments. */
  boolean isRunning() {
    return !assignments.isEmpty() && running.size() == assignments.size();
  }

  /** All ranks deliver up to a cursor. */
  void deliver(Cursor to) {
    for (Assignment assignment : List.copyOf(assignments.values())) {
      on(
          new Event.Progress(
              FEED, progress(assignment, Phase.RUNNING, to, List.of(), Optional.empty())));
    }
  }

  /** All ranks deliver up to a cursor and commit there. */
  void commit(Cursor to) {
    for (Assignment assignment : List.copyOf(assignments.values())) {
      Commit commit = new Commit(to, sums(assignment, to.epoch(), to));
      on(
          new Event.Progress(
              FEED, progress(assignment, Phase.RUNNING, to, List.of(commit), Optional.empty())));
    }
  }

  /** All ranks deliver and commit all that is left, and end. */
  void deliverAll() {
    Cursor to = new Cursor(plan.epochs(), 0);
    for (Assignment assignment : List.copyOf(assignments.values())) {
      Commit commit = new Commit(to, Sums.NONE);
      on(
          new Event.Progress(
              FEED, progress(assignment, Phase.DONE, to, List.of(commit), Optional.empty())));
    }
    for (String container : List.copyOf(running.keySet())) {
      end(container, Ending.DONE, "exit status 0");
    }
    on(new Event.Tick());
  }

  private RankProgress progress(
      Assignment assignment,
      Phase phase,
      Cursor to,
      List<Commit> commits,
      Optional<Failure> failure) {
    List<RankEpoch> parts = new ArrayList<>();
    for (long epoch = assignment.start().epoch(); epoch <= to.epoch(); epoch++) {
      Sums sums = sums(assignment, epoch, to);
      if (sums.rows() > 0) {
        parts.add(new RankEpoch(epoch, sums, 0, 1, 0, 0, Optional.empty()));
      }
    }
    return new RankProgress(
        assignment.rank(),
        assignment.ranks(),
        assignment.generation(),
        assignment.container(),
        assignment.host(),
        "host memory",
        phase,
        to,
        commits,
        parts,
        0,
        0,
        0,
        0,
        0,
        List.of(),
        0,
        failure,
        Optional.empty(),
        now);
  }

  /** What a rank delivers of an epoch from its start up to a cursor. */
  private Sums sums(Assignment assignment, long epoch, Cursor to) {
    long from = epoch == assignment.start().epoch() ? assignment.start().step() : 0;
    long until = epoch == to.epoch() ? to.step() : epoch < to.epoch() ? plan.steps() : 0;
    return FeedLedgerTest.sums(Math.max(0, until - from) * (plan.batch() / assignment.ranks()));
  }
}
