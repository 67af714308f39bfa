package io.penstock.lifecycle;

/** What was called or waited for has been closed meanwhile; the message names it. */
public final class ClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClosedException(String message) {
    super(message);
  }
}
