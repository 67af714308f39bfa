package io.penstock.am.core;

import io.penstock.coordination.records.Decision;
import java.util.ArrayList;
import java.util.List;

/** What the event in work leads to, and when it came. */
final class Outbox {
  private long decisions;
  private long now;
  private List<Action> actions = new ArrayList<>();

  /**
   * @param decisions number of the last decision so far
   */
  Outbox(long decisions) {
    this.decisions = decisions;
  }

  /** Begins an event; returns where its actions come. */
  List<Action> begin(long nowMillis) {
    now = nowMillis;
    actions = new ArrayList<>();
    return actions;
  }

  /** Of the event in work, milliseconds. */
  long now() {
    return now;
  }

  void add(Action action) {
    actions.add(action);
  }

  /** Records something that holds for all ranks. */
  void decide(String kind, String detail) {
    add(new Action.WriteDecision(new Decision(++decisions, now, kind, detail)));
  }
}
