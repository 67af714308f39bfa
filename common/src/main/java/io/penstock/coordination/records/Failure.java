package io.penstock.coordination.records;

import java.util.Objects;

/**
 * Why a rank ends.
 *
 * @param kind name of the exit status
 * @param message one line for people, with the place
 */
public record Failure(String kind, String message) {
  public Failure {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(message, "message");
  }
}
