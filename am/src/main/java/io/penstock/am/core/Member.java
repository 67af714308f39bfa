package io.penstock.am.core;

import io.penstock.coordination.records.Failure;
import java.util.Optional;

/** A slot of the present generation and the container that fills it. */
final class Member {
  enum Stage {
    ASKED,
    LAUNCHED,
    ALIVE,
    GONE
  }

  private static final long NEVER = Long.MIN_VALUE;

  final Slot slot;
  Stage stage = Stage.ASKED;
  String container = "";
  String host = "";
  Optional<Failure> failure = Optional.empty();

  /** When its stage began, or when it was last seen missing. */
  long since;

  long missingSince = NEVER;
  boolean done;
  long doneSince = NEVER;
  boolean stopSent;

  Member(Slot slot, long now) {
    this.slot = slot;
    this.since = now;
  }

  boolean hasContainer() {
    return stage == Stage.LAUNCHED || stage == Stage.ALIVE;
  }

  boolean isMissing() {
    return missingSince != NEVER;
  }

  void seen() {
    missingSince = NEVER;
  }

  /** {@code rank 1 of feed train in container_... on host}. */
  String words() {
    return "rank %d of feed %s in %s on %s".formatted(slot.rank(), slot.feed(), container, host);
  }
}
