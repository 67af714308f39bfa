package io.penstock.coordination;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.AmRecord;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.ContainerRecord;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.JobReport;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.KillRequest;
import io.penstock.coordination.records.RankProgress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The records of one job: reading, watching, and the two doors to writing. Thread-safe.
 *
 * <p>Listeners of watches run on ZooKeeper's thread and must not wait.
 */
public final class JobStore {
  private final Coordination coordination;
  private final Layout layout;
  private final String application;

  JobStore(Coordination coordination, String application) {
    this.coordination = coordination;
    this.layout = coordination.layout();
    this.application = application;
  }

  public String application() {
    return application;
  }

  public Optional<JobSpec> spec() {
    return coordination.get(layout.spec(application), JobSpec.class);
  }

  public Optional<JobState> state() {
    return coordination.get(layout.state(application), JobState.class);
  }

  /** The ApplicationMaster, if one is at work. */
  public Optional<AmRecord> am() {
    return coordination.get(layout.am(application), AmRecord.class);
  }

  public Optional<Agreed> agreed(String feed) {
    return coordination.get(layout.agreed(application, feed), Agreed.class);
  }

  public Optional<Assignment> assignment(String feed, int rank) {
    return coordination.get(layout.rank(application, feed, rank), Assignment.class);
  }

  /** All assignments of a feed, by rank. */
  public List<Assignment> assignments(String feed) {
    return all(layout.ranks(application, feed), Assignment.class);
  }

  public Optional<RankProgress> progress(String feed, int rank) {
    return coordination.get(layout.progress(application, feed, rank), RankProgress.class);
  }

  /** The progress of all ranks of a feed, by rank; of earlier generations too. */
  public List<RankProgress> progress(String feed) {
    return all(layout.progress(application, feed), RankProgress.class);
  }

  /** The finished epochs that are kept, rising. */
  public List<EpochRecord> epochs(String feed) {
    return all(layout.epochs(application, feed), EpochRecord.class);
  }

  /** The containers that live. */
  public List<ContainerRecord> containers() {
    return all(layout.containers(application), ContainerRecord.class);
  }

  /** The decisions that are kept, oldest first. */
  public List<Decision> decisions() {
    return all(layout.decisions(application), Decision.class);
  }

  /** All of it. */
  public JobReport report() {
    Optional<JobSpec> spec = spec();
    Map<String, JobReport.FeedReport> feeds = new TreeMap<>();
    spec.ifPresent(
        known ->
            known
                .feeds()
                .keySet()
                .forEach(
                    feed ->
                        feeds.put(
                            feed,
                            new JobReport.FeedReport(
                                agreed(feed), assignments(feed), progress(feed), epochs(feed)))));
    return new JobReport(application, spec, state(), am(), feeds, containers(), decisions());
  }

  /**
   * Asks the ApplicationMaster to end the job as killed.
   *
   * @return whether the job has left anything in ZooKeeper; if not, nobody will see this
   */
  public boolean requestKill(KillRequest request) {
    return coordination.putBelow(layout.job(application), layout.kill(application), request);
  }

  public Watched<KillRequest> watchKill(Consumer<Optional<KillRequest>> listener) {
    return Watched.record(coordination, layout.kill(application), KillRequest.class, listener);
  }

  public Watched<CommitRequest> watchCommitRequest(Consumer<Optional<CommitRequest>> listener) {
    return Watched.record(coordination, layout.commit(application), CommitRequest.class, listener);
  }

  public Watched<JobState> watchState(Consumer<Optional<JobState>> listener) {
    return Watched.record(coordination, layout.state(application), JobState.class, listener);
  }

  public Watched<Agreed> watchAgreed(String feed, Consumer<Optional<Agreed>> listener) {
    return Watched.record(coordination, layout.agreed(application, feed), Agreed.class, listener);
  }

  public Watched<Assignment> watchAssignment(
      String feed, int rank, Consumer<Optional<Assignment>> listener) {
    return Watched.record(
        coordination, layout.rank(application, feed, rank), Assignment.class, listener);
  }

  public Watched<RankProgress> watchProgress(
      String feed, int rank, Consumer<Optional<RankProgress>> listener) {
    return Watched.record(
        coordination, layout.progress(application, feed, rank), RankProgress.class, listener);
  }

  /** The ids of the containers that live. */
  public Watched<Set<String>> watchContainers(Consumer<Optional<Set<String>>> listener) {
    return Watched.children(
        coordination, layout.containers(application), names -> new TreeSet<>(names), listener);
  }

  /** The fence's version: whoever was started with a smaller one ends itself. */
  public Watched<Integer> watchFence(Consumer<Optional<Integer>> listener) {
    return Watched.version(coordination, layout.fence(application), listener);
  }

  /**
   * Takes the job over for an attempt of the ApplicationMaster: from now on writes of earlier
   * attempts and of their containers are refused.
   *
   * @param attempt number of the application attempt
   * @param owner the ApplicationMaster's container
   * @throws FencedException if a later attempt was here
   */
  public FencedJob takeOver(int attempt, String owner) {
    return FencedJob.takeOver(coordination, application, attempt, owner);
  }

  /** Writes as a container that was started with this fence. */
  public FencedJob fencedBy(int fence) {
    return new FencedJob(coordination, application, fence);
  }

  private <T> List<T> all(String parent, Class<T> type) {
    List<T> found = new ArrayList<>();
    for (String name : sortedByNumber(coordination.list(parent))) {
      coordination.get(parent + "/" + name, type).ifPresent(found::add);
    }
    return List.copyOf(found);
  }

  private static List<String> sortedByNumber(List<String> names) {
    return names.stream()
        .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
        .toList();
  }
}
