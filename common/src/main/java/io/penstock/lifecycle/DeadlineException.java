package io.penstock.lifecycle;

/** A wait did not end in time; the message says how long it was and what it waited for. */
public final class DeadlineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DeadlineException(String message) {
    super(message);
  }
}
