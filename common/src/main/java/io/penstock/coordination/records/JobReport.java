package io.penstock.coordination.records;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All that ZooKeeper holds of a job.
 *
 * @param spec empty before the ApplicationMaster has made the catalog
 * @param state empty before the ApplicationMaster has begun
 * @param am the ApplicationMaster at work, if there is one
 * @param feeds by name
 */
public record JobReport(
    String application,
    Optional<JobSpec> spec,
    Optional<JobState> state,
    Optional<AmRecord> am,
    Map<String, FeedReport> feeds,
    List<ContainerRecord> containers,
    List<Decision> decisions) {
  public JobReport {
    Objects.requireNonNull(application, "application");
    feeds = Collections.unmodifiableMap(new TreeMap<>(feeds));
    containers = List.copyOf(containers);
    decisions = List.copyOf(decisions);
  }

  /**
   * All of a feed.
   *
   * @param ranks assignments by rank
   * @param progress by rank
   * @param epochs the finished ones that are kept, rising
   */
  public record FeedReport(
      Optional<Agreed> agreed,
      List<Assignment> ranks,
      List<RankProgress> progress,
      List<EpochRecord> epochs) {
    public FeedReport {
      ranks = List.copyOf(ranks);
      progress = List.copyOf(progress);
      epochs = List.copyOf(epochs);
    }
  }
}
