package io.penstock.coordination.records;

import java.util.Objects;

/**
 * All training steps are asked to commit soon: node {@code commit}. A wish, on which nothing
 * relies.
 *
 * @param generation of the containers that are asked
 * @param reason one line for people
 */
public record CommitRequest(int generation, String reason, long timeMillis) {
  public CommitRequest {
    Objects.requireNonNull(reason, "reason");
  }
}
