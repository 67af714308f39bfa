package io.penstock.coordination.records;

/** Where a job is in its life. */
public enum RunState {
  /** Asking for containers, or waiting for them to register. */
  STARTING,
  /** All ranks have their assignment. */
  RUNNING,
  /** Ended containers are being replaced; all ranks go on from the agreed cursor. */
  RESTARTING,
  SUCCEEDED,
  FAILED,
  KILLED;

  /** Whether nothing more will happen. */
  public boolean isFinal() {
    return this == SUCCEEDED || this == FAILED || this == KILLED;
  }
}
