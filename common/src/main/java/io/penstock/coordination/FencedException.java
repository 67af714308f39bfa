package io.penstock.coordination;

/**
 * A write was refused because a newer attempt or generation has taken over: whoever gets this ends
 * itself.
 */
public final class FencedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FencedException(String message) {
    super(message);
  }
}
