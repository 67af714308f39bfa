package io.penstock.am.core;

/** How a container ended, as far as it decides what happens next. */
public enum Ending {
  /** Exit status 0. */
  DONE,
  /** Another try may do better; it counts. */
  FAILED,
  /** The cluster took it away: node lost, preempted, disks full. It does not count. */
  LOST,
  /** Every other try would end the same way. */
  FATAL
}
