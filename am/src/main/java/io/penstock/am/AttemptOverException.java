package io.penstock.am;

import io.penstock.yarn.ExitStatus;

/** This attempt ends without ending the application; YARN may start another. */
final class AttemptOverException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitStatus status;

  AttemptOverException(ExitStatus status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  ExitStatus status() {
    return status;
  }
}
