package io.penstock.container.trainer;

/** The user's training step threw. */
public final class StepFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StepFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
