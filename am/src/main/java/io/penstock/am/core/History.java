package io.penstock.am.core;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RankProgress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What earlier attempts of the ApplicationMaster left in ZooKeeper.
 *
 * @param attempt number of this attempt
 * @param agreed by feed
 * @param progress by feed
 * @param decisions number of the last decision, 0 if there is none
 */
public record History(
    int attempt,
    Optional<JobState> state,
    Map<String, Agreed> agreed,
    Map<String, List<RankProgress>> progress,
    long decisions) {
  public History {
    agreed = Map.copyOf(agreed);
    progress = Map.copyOf(progress);
  }

  /** Of a first attempt. */
  public static History none() {
    return new History(1, Optional.empty(), Map.of(), Map.of(), 0);
  }
}
