package io.penstock.coordination.records;

import java.util.Objects;

/**
 * How a job is doing: node {@code state}.
 *
 * @param reason why it ended, restarts or waits, shortened to 4,000 characters; empty where there
 *     is nothing to say
 * @param exitCode what waiting for the job ends with, once it has ended: 0 done, 1 failed, 2 the
 *     ask was refused, 3 something was not reached, 4 killed. Before that 3 says that the last
 *     attempt of the ApplicationMaster did not reach something and has ended, else it is 0
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
  private static final int REASON = 4000;

  public JobState {
    Objects.requireNonNull(state, "state");
    reason = reason == null ? "" : Shortened.to(REASON, reason);
  }
}
