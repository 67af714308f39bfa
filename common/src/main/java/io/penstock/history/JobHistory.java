package io.penstock.history;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.JobReport;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.Resumption;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a job was and came to, as its history keeps it.
 *
 * @param version of this record, 1
 * @param feeds by name
 * @param decisions all of them, rising
 * @param resumed the job that this one went on from, if there was one
 */
public record JobHistory(
    int version,
    JobSpec spec,
    Optional<JobState> state,
    Map<String, FeedHistory> feeds,
    List<Decision> decisions,
    Optional<Resumption> resumed) {
  private static final int VERSION = 1;

  /**
   * What became of a feed.
   *
   * @param agreed how far all ranks are for good
   * @param epochs all finished ones, rising
   */
  public record FeedHistory(Agreed agreed, List<EpochRecord> epochs) {
    static final FeedHistory NOTHING = new FeedHistory(Agreed.NOTHING, List.of());

    public FeedHistory {
      agreed = agreed == null ? Agreed.NOTHING : agreed;
      epochs = epochs == null ? List.of() : List.copyOf(epochs);
    }

    FeedHistory with(Agreed reached) {
      boolean isNewer =
          reached.generation() > agreed.generation()
              || (reached.generation() == agreed.generation()
                  && reached.cursor().compareTo(agreed.cursor()) >= 0);
      return isNewer ? new FeedHistory(reached, epochs) : this;
    }

    FeedHistory with(Collection<EpochRecord> finished) {
      return new FeedHistory(agreed, union(epochs, finished, EpochRecord::epoch));
    }
  }

  public JobHistory {
    Objects.requireNonNull(spec, "spec");
    state = state == null ? Optional.empty() : state;
    feeds = feeds == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(feeds));
    decisions = decisions == null ? List.of() : List.copyOf(decisions);
    resumed = resumed == null ? Optional.empty() : resumed;
  }

  /** Of a job that has not delivered anything. */
  public static JobHistory of(JobSpec spec, Optional<Resumption> resumed) {
    return new JobHistory(VERSION, spec, Optional.empty(), Map.of(), List.of(), resumed);
  }

  /** What is known of a feed. */
  public FeedHistory feed(String name) {
    return feeds.getOrDefault(name, FeedHistory.NOTHING);
  }

  JobHistory with(JobState now) {
    return new JobHistory(version, spec, Optional.of(now), feeds, decisions, resumed);
  }

  JobHistory with(Decision decision) {
    return new JobHistory(
        version, spec, state, feeds, union(decisions, List.of(decision), Decision::n), resumed);
  }

  JobHistory with(String name, FeedHistory feed) {
    Map<String, FeedHistory> all = new TreeMap<>(feeds);
    all.put(name, feed);
    return new JobHistory(version, spec, state, all, decisions, resumed);
  }

  /** With what ZooKeeper says of the same job: it may be newer, but has lists that end. */
  public JobHistory with(JobReport report) {
    JobHistory all =
        new JobHistory(
            version,
            spec,
            report.state().or(() -> state),
            feeds,
            union(decisions, report.decisions(), Decision::n),
            resumed);
    for (Map.Entry<String, JobReport.FeedReport> feed : report.feeds().entrySet()) {
      FeedHistory known = all.feed(feed.getKey()).with(feed.getValue().epochs());
      if (feed.getValue().agreed().isPresent()) {
        known = known.with(feed.getValue().agreed().get());
      }
      all = all.with(feed.getKey(), known);
    }
    return all;
  }

  /** This and what an earlier attempt of the ApplicationMaster had kept of the same job. */
  JobHistory over(JobHistory earlier) {
    JobHistory all =
        new JobHistory(
            version,
            spec,
            state.or(earlier::state),
            feeds,
            union(earlier.decisions, decisions, Decision::n),
            resumed.or(earlier::resumed));
    for (Map.Entry<String, FeedHistory> feed : earlier.feeds.entrySet()) {
      FeedHistory mine = feed(feed.getKey());
      all =
          all.with(
              feed.getKey(),
              new FeedHistory(
                  feed.getValue().with(mine.agreed()).agreed(),
                  union(feed.getValue().epochs(), mine.epochs(), EpochRecord::epoch)));
    }
    return all;
  }

  private static <T> List<T> union(
      Collection<T> old, Collection<T> added, Function<T, Long> number) {
    Map<Long, T> all = new TreeMap<>();
    old.forEach(one -> all.put(number.apply(one), one));
    added.forEach(one -> all.put(number.apply(one), one));
    return List.copyOf(all.values());
  }
}
