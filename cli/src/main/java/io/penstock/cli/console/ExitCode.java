package io.penstock.cli.console;

/** How a command ends. */
public enum ExitCode {
  DONE(0),
  /** The job failed, or the data is not what it should be. */
  FAILED(1),
  /** The command line, the feed, a setting or the ask was refused. */
  REFUSED(2),
  /** The cluster or ZooKeeper was not reached, or gave no permission. */
  UNREACHABLE(3),
  KILLED(4);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /** What the process ends with. */
  public int code() {
    return code;
  }
}
