package io.penstock.model;

/**
 * A failure with a message for the person who runs the job. Its kind decides the exit code of
 * commands and what the ApplicationMaster does about it.
 */
public abstract class PenstockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PenstockException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Exit code of a command that ends with this failure. */
  public abstract int exitCode();
}
