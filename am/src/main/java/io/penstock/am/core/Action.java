package io.penstock.am.core;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RunState;

/** What the state machine wants done, in the order given. */
public sealed interface Action {
  /** Ask for a container; {@code ask} names the request. */
  record Ask(Slot slot, long ask) implements Action {}

  /** Take a request back, because it was granted or is not wanted any more. */
  record Withdraw(long ask) implements Action {}

  /** Give a container back to the ResourceManager, which ends it if it runs. */
  record Release(String container) implements Action {}

  /** Start a rank in a container. */
  record Launch(String container, Slot slot, int generation) implements Action {}

  /** Have YARN stop a container. */
  record Stop(String container) implements Action {}

  /**
   * Shut out the containers so far, tell what they last wrote as {@link Event.Progress}, and then
   * {@link Event.Sealed}.
   */
  record Seal() implements Action {}

  /** Free the devices that a container had claimed, because it is gone. */
  record FreeDevices(String host, String container) implements Action {}

  record WriteAssignment(String feed, Assignment assignment) implements Action {}

  /** Remove what ranks from {@code ranks} on left. */
  record RemoveRanks(String feed, int ranks) implements Action {}

  record WriteAgreed(String feed, Agreed agreed) implements Action {}

  record WriteEpoch(String feed, EpochRecord epoch) implements Action {}

  /** Ask all training steps to commit soon. */
  record AskCommit(CommitRequest request) implements Action {}

  record WriteDecision(Decision decision) implements Action {}

  record WriteState(JobState state) implements Action {}

  /** Unregister and end. */
  record Finish(RunState state, String text) implements Action {}
}
