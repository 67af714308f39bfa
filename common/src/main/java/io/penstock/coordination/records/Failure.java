package io.penstock.coordination.records;

import java.util.Objects;

/**
 * Why a rank ends.
 *
 * @param kind name of the exit status
 * @param message one line for people, with the place, shortened to 2,000 characters
 */
public record Failure(String kind, String message) {
  private static final int MESSAGE = 2000;

  public Failure {
    Objects.requireNonNull(kind, "kind");
    message = Shortened.to(MESSAGE, message);
  }
}
