package io.penstock.model;

import java.util.List;

/** The command line, the feed, a setting or the ask was refused: nothing was run. Exit code 2. */
public final class UsageException extends PenstockException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message, null);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  /** All errors of one input at once, a line each. */
  public UsageException(List<String> errors) {
    super(String.join("\n", errors), null);
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
