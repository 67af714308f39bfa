package io.penstock.coordination.records;

import java.util.Objects;

/**
 * Somebody wants the job to end: node {@code kill}, written by a command.
 *
 * @param reason one line for people
 */
public record KillRequest(String reason, long timeMillis) {
  public KillRequest {
    Objects.requireNonNull(reason, "reason");
  }
}
