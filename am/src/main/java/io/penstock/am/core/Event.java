package io.penstock.am.core;

import io.penstock.coordination.records.RankProgress;
import java.time.Duration;
import java.util.Set;

/** What the state machine hears. */
public sealed interface Event {
  /** The ResourceManager knows this ApplicationMaster. */
  record Registered() implements Event {}

  /**
   * A container was granted for an earlier ask.
   *
   * @param startable how long YARN lets it be started
   */
  record Allocated(String container, String host, long ask, Duration startable) implements Event {
    private static final Duration USUAL = Duration.ofMinutes(10);

    /** One that can be started for as long as YARN's default says. */
    public Allocated(String container, String host, long ask) {
      this(container, host, ask, USUAL);
    }
  }

  /** The NodeManager did not start a container. */
  record LaunchFailed(String container, String reason) implements Event {}

  /**
   * YARN says that a container has ended. What it last wrote was told before.
   *
   * @param words the exit status, and what is known besides, for people
   */
  record Completed(String container, Ending ending, String words) implements Event {}

  /** The containers that have an ephemeral node now. */
  record Alive(Set<String> containers) implements Event {
    public Alive {
      containers = Set.copyOf(containers);
    }
  }

  /** A rank wrote its progress. */
  record Progress(String feed, RankProgress progress) implements Event {}

  /** The fence was raised, and what the fenced ranks last wrote was told. */
  record Sealed() implements Event {}

  /**
   * The ResourceManager is about to take containers away.
   *
   * @param strict those that it takes whatever happens
   * @param negotiable those that it takes unless it gets as much otherwise
   */
  record PreemptionAhead(Set<String> strict, Set<String> negotiable) implements Event {
    public PreemptionAhead {
      strict = Set.copyOf(strict);
      negotiable = Set.copyOf(negotiable);
    }
  }

  /** Time has passed. */
  record Tick() implements Event {}

  /** No node can meet the ask, or the ResourceManager refused it. */
  record AskRefused(String reason) implements Event {}

  /** A person wants the job to end. */
  record KillRequested(String reason) implements Event {}
}
