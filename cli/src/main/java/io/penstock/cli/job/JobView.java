package io.penstock.cli.job;

import io.penstock.coordination.JobStore;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.AmRecord;
import io.penstock.coordination.records.ContainerRecord;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobReport;
import io.penstock.coordination.records.JobReport.FeedReport;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.RunState;
import io.penstock.history.JobHistory;
import io.penstock.model.Cursor;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * All that ZooKeeper says of a job, read at one time.
 *
 * @param spec empty until the ApplicationMaster has written it
 * @param state likewise
 * @param am the ApplicationMaster at work, if there is one
 * @param feeds by feed name
 * @param containers those that live
 * @param decisions oldest first
 */
public record JobView(
    String application,
    Optional<JobSpec> spec,
    Optional<JobState> state,
    Optional<AmRecord> am,
    Map<String, FeedView> feeds,
    List<ContainerRecord> containers,
    List<Decision> decisions) {
  /**
   * One feed of a job.
   *
   * @param ranks by rank; only of the newest generation
   * @param epochs finished ones, rising
   */
  public record FeedView(
      String name,
      FeedSpec spec,
      Optional<Agreed> agreed,
      List<RankProgress> ranks,
      List<EpochRecord> epochs) {
    public FeedView {
      ranks = List.copyOf(ranks);
      epochs = List.copyOf(epochs);
    }

    /** Where the slowest rank is, else where all agreed to be. */
    public Cursor cursor() {
      return ranks.stream()
          .map(RankProgress::cursor)
          .min(Comparator.naturalOrder())
          .orElseGet(() -> agreed.map(Agreed::cursor).orElse(Cursor.START));
    }

    /** Whether any rank is at work. */
    public boolean isRunning() {
      return ranks.stream().anyMatch(rank -> rank.phase() == Phase.RUNNING);
    }

    /** Rows of all ranks together, lately. */
    public double rowsPerSecond() {
      return ranks.stream().mapToDouble(RankProgress::rowsPerSecond).sum();
    }

    /** Share of time that training steps waited for their next batch, over all ranks. */
    public double waitShare() {
      return mean(RankProgress::waitShare);
    }

    /** Share of rows that came from the cache, over all ranks. */
    public double cacheShare() {
      return mean(RankProgress::cacheShare);
    }

    private double mean(ToDoubleFunction<RankProgress> value) {
      return ranks.stream().mapToDouble(value).average().orElse(0);
    }
  }

  public JobView {
    feeds = Collections.unmodifiableMap(new LinkedHashMap<>(feeds));
    containers = List.copyOf(containers);
    decisions = List.copyOf(decisions);
  }

  /** Reads it. */
  public static JobView read(JobStore store) {
    return of(store.report());
  }

  /** What people want to see of a report. */
  public static JobView of(JobReport report) {
    Map<String, FeedView> feeds = new LinkedHashMap<>();
    report
        .spec()
        .ifPresent(
            spec ->
                spec.feeds()
                    .forEach(
                        (name, feed) ->
                            feeds.put(name, feed(name, feed, report.feeds().get(name)))));
    return new JobView(
        report.application(),
        report.spec(),
        report.state(),
        report.am(),
        feeds,
        report.containers(),
        report.decisions());
  }

  /** What is left of a job that ZooKeeper does not know any more. */
  public static JobView of(JobHistory history) {
    Map<String, FeedView> feeds = new LinkedHashMap<>();
    history
        .spec()
        .feeds()
        .forEach(
            (name, spec) ->
                feeds.put(
                    name,
                    new FeedView(
                        name,
                        spec,
                        Optional.of(history.feed(name).agreed()),
                        List.of(),
                        history.feed(name).epochs())));
    return new JobView(
        history.spec().application(),
        Optional.of(history.spec()),
        history.state(),
        Optional.empty(),
        feeds,
        List.of(),
        history.decisions());
  }

  private static FeedView feed(String name, FeedSpec spec, FeedReport report) {
    List<RankProgress> ranks = report.progress();
    int generation = ranks.stream().mapToInt(RankProgress::generation).max().orElse(0);
    return new FeedView(
        name,
        spec,
        report.agreed(),
        ranks.stream().filter(rank -> rank.generation() == generation).toList(),
        report.epochs());
  }

  /** Its state in one word. */
  public String stateName() {
    return state.map(s -> s.state().name()).orElse("SUBMITTED");
  }

  /** Whether nothing more will happen. */
  public boolean isFinal() {
    return state.map(JobState::state).filter(RunState::isFinal).isPresent();
  }
}
