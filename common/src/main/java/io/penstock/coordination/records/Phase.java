package io.penstock.coordination.records;

/** What a container is doing. */
public enum Phase {
  /** Registered, without an assignment. */
  REGISTERED,
  /** It has its assignment and opens the training step, the cache and the device. */
  STARTING,
  /** The training step gets batches. */
  RUNNING,
  /** Every step was delivered and committed, and the training step was closed without an error. */
  DONE,
  /** It ends because of the failure in its record. */
  FAILED
}
