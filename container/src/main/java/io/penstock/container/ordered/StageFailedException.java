package io.penstock.container.ordered;

/** A stage failed by a checked exception, which is the cause. */
public final class StageFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StageFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
