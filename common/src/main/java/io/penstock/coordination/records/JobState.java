package io.penstock.coordination.records;

import java.util.Objects;

/**
 * How a job is doing: node {@code state}.
 *
 * @param reason why it ended, restarts or waits; empty where there is nothing to say
 * @param exitCode what waiting for the job ends with, once it has ended: 0 done, 1 failed, 2 the
 *     ask was refused, 3 something was not reached, 4 killed
 * @param attempts attempts of the ApplicationMaster so far
 * @param generation generation of the containers, from 1; all ranks of one are started together
 * @param restarts restarts that count towards the limit
 */
public record JobState(
    RunState state,
    String reason,
    int exitCode,
    int attempts,
    int generation,
    int restarts,
    long startedMillis,
    long updatedMillis) {
  public JobState {
    Objects.requireNonNull(state, "state");
    reason = reason == null ? "" : reason;
  }
}
