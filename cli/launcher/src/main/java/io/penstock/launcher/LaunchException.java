package io.penstock.launcher;

/** Penstock can't be started; the message says why. */
final class LaunchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LaunchException(String message) {
    super(message);
  }
}
