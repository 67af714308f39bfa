package io.penstock.am;

import io.penstock.am.cluster.Cluster;
import io.penstock.am.core.Action;
import io.penstock.am.core.Event;
import io.penstock.am.core.JobMachine;
import io.penstock.am.core.Slot;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.FencedException;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.Registration;
import io.penstock.coordination.Watched;
import io.penstock.coordination.records.AmRecord;
import io.penstock.coordination.records.RankProgress;
import io.penstock.history.HistoryKeeper;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.Resources;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import io.penstock.yarn.ExitStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one loop of the ApplicationMaster: takes events in the order that they came, asks the state
 * machine, and does what it wants.
 *
 * <p>Everything else that runs here (YARN's clients, ZooKeeper's thread, the status page) only puts
 * events into the queue or reads. So the machine and the writes to ZooKeeper have one thread.
 */
final class JobLoop {
  private static final Logger LOG = LoggerFactory.getLogger(JobLoop.class);
  private static final long TICK_MILLIS = 1000;

  private final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
  private final Clock clock;
  private final long startMillis;
  private final long startNanos;
  private final Resources watches = new Resources();
  private final Set<Slot> watched = new HashSet<>();
  private final Map<String, Slot> launched = new HashMap<>();
  private volatile double share;
  private volatile String fatal;

  private Coordination coordination;
  private JobStore store;
  private Cluster cluster;
  private JobMachine machine;
  private volatile FencedJob job;
  private Optional<HistoryKeeper> history = Optional.empty();
  private Registration<AmRecord> alive;
  private Action.Finish finish;

  JobLoop(Clock clock) {
    this.clock = clock;
    this.startMillis = clock.currentTimeMillis();
    this.startNanos = clock.nanoTime();
  }

  /** Tells the loop something; from any thread. */
  void post(Event event) {
    queue.add(event);
  }

  /** Ends the loop because this attempt can't go on; from any thread. */
  void fatal(String reason) {
    fatal = reason;
    queue.add(new Event.Tick());
  }

  /** Share of the steps that is delivered, 0 to 1; from any thread. */
  double share() {
    return share;
  }

  /** Keeps a history of what is written from now on; before {@link #run}. */
  void keep(HistoryKeeper keeper) {
    history = Optional.of(keeper);
  }

  /** The writes as they are fenced now; from any thread. */
  FencedJob job() {
    return job;
  }

  /**
   * Runs a job until it has ended.
   *
   * @param taken the job, taken over by this attempt
   * @param registered this ApplicationMaster's own sign of life
   * @throws AttemptOverException if this attempt can't go on, though the job may
   */
  Action.Finish run(
      Coordination zookeeper,
      FencedJob taken,
      String application,
      Registration<AmRecord> registered,
      Cluster yarn,
      JobMachine decides)
      throws InterruptedException {
    coordination = zookeeper;
    store = zookeeper.job(application);
    job = taken;
    alive = registered;
    cluster = yarn;
    machine = decides;
    try {
      watches.add(store.watchContainers(names -> post(new Event.Alive(names.orElse(Set.of())))));
      watches.add(
          store.watchKill(
              request -> request.ifPresent(kill -> post(new Event.KillRequested(kill.reason())))));
      handle(new Event.Registered());
      long tickAt = clock.nanoTime();
      while (!machine.isEnded()) {
        Event event = queue.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        if (fatal != null) {
          throw new AttemptOverException(ExitStatus.FENCED, fatal, null);
        }
        if (event != null) {
          hear(event);
        }
        if (clock.nanoTime() - tickAt >= TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)) {
          tickAt = clock.nanoTime();
          handle(new Event.Tick());
        }
      }
      return finish;
    } catch (FencedException e) {
      throw new AttemptOverException(ExitStatus.FENCED, e.getMessage(), e);
    } catch (UnreachableException e) {
      throw new AttemptOverException(ExitStatus.ZOOKEEPER_LOST, e.getMessage(), e);
    } finally {
      watches.close();
    }
  }

  private void hear(Event event) {
    if (event instanceof Event.Completed completed) {
      // What it wrote last may not have come by its watch yet.
      Slot slot = launched.remove(completed.container());
      if (slot != null) {
        store
            .progress(slot.feed(), slot.rank())
            .ifPresent(progress -> handle(new Event.Progress(slot.feed(), progress)));
      }
    }
    handle(event);
  }

  private void handle(Event first) {
    Deque<Event> events = new ArrayDeque<>();
    events.add(first);
    while (!events.isEmpty()) {
      Event event = events.remove();
      long now = startMillis + TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - startNanos);
      for (Action action : machine.on(now, event)) {
        act(action, events);
      }
    }
    share = machine.share();
  }

  private void act(Action action, Deque<Event> events) {
    if (action instanceof Action.Ask ask) {
      try {
        cluster.ask(ask.ask());
      } catch (UsageException e) {
        events.add(new Event.AskRefused(e.getMessage()));
      }
    } else if (action instanceof Action.Withdraw withdraw) {
      cluster.withdraw(withdraw.ask());
    } else if (action instanceof Action.Release release) {
      cluster.release(release.container());
    } else if (action instanceof Action.Launch launch) {
      watch(launch.slot());
      launched.put(launch.container(), launch.slot());
      cluster.launch(launch.container(), launch.slot(), launch.generation());
    } else if (action instanceof Action.Stop stop) {
      cluster.stop(stop.container());
    } else if (action instanceof Action.Seal) {
      seal(events);
    } else if (action instanceof Action.FreeDevices free) {
      coordination.freeDevices(free.host(), free.container());
    } else if (action instanceof Action.AskCommit ask) {
      LOG.info("event=commit-asked reason=\"{}\"", ask.request().reason());
      job.writeCommitRequest(ask.request());
    } else if (action instanceof Action.WriteAssignment write) {
      LOG.info("event=assignment feed={} {}", write.feed(), write.assignment());
      job.writeAssignment(write.feed(), write.assignment());
    } else if (action instanceof Action.RemoveRanks remove) {
      job.removeRanks(remove.feed(), remove.ranks());
    } else if (action instanceof Action.WriteAgreed write) {
      LOG.debug("event=agreed feed={} cursor={}", write.feed(), write.agreed().cursor());
      job.writeAgreed(write.feed(), write.agreed());
      history.ifPresent(keeper -> keeper.agreed(write.feed(), write.agreed()));
    } else if (action instanceof Action.WriteEpoch write) {
      LOG.info(
          "event=epoch feed={} epoch={} rows={} seconds={} order={} values={}",
          write.feed(),
          write.epoch().epoch(),
          write.epoch().rows(),
          write.epoch().seconds(),
          write.epoch().order(),
          write.epoch().values());
      job.writeEpoch(write.feed(), write.epoch());
      history.ifPresent(keeper -> keeper.epoch(write.feed(), write.epoch()));
    } else if (action instanceof Action.WriteDecision write) {
      LOG.info(
          "event=decision kind={} detail=\"{}\"",
          write.decision().kind(),
          write.decision().detail());
      job.writeDecision(write.decision());
      history.ifPresent(keeper -> keeper.decision(write.decision()));
    } else if (action instanceof Action.WriteState write) {
      LOG.info(
          "event=state state={} generation={} restarts={} reason=\"{}\"",
          write.state().state(),
          write.state().generation(),
          write.state().restarts(),
          write.state().reason());
      job.writeState(write.state());
      history.ifPresent(keeper -> keeper.state(write.state()));
    } else if (action instanceof Action.Finish last) {
      finish = last;
    } else {
      throw new IllegalArgumentException("unknown action: " + action);
    }
  }

  private void seal(Deque<Event> events) {
    job = job.raise();
    alive.fencedBy(job);
    LOG.info("event=fence-raised fence={}", job.fence());
    for (String feed : machine.feeds()) {
      for (RankProgress progress : store.progress(feed)) {
        events.add(new Event.Progress(feed, progress));
      }
    }
    events.add(new Event.Sealed());
  }

  private void watch(Slot slot) {
    if (watched.add(slot)) {
      Watched<RankProgress> watch =
          store.watchProgress(
              slot.feed(),
              slot.rank(),
              progress -> progress.ifPresent(p -> post(new Event.Progress(slot.feed(), p))));
      watches.add(watch);
    }
  }
}
