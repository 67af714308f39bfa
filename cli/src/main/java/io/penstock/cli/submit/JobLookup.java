package io.penstock.cli.submit;

import io.penstock.cli.console.CommandContext;
import io.penstock.cli.job.JobView;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.JobStore;
import io.penstock.model.Suggestions;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs.
 *
 * <p>ZooKeeper knows a job from its submission on. Where no ApplicationMaster is at work that could
 * write how it ended, YARN is asked, and what it says of an end is left in the job's record.
 */
public final class JobLookup {
  private static final Logger LOG = LoggerFactory.getLogger(JobLookup.class);

  /** A list is worth more than the last word on each job. */
  private static final Duration LONGEST_FOR_LIST = Duration.ofSeconds(5);

  private JobLookup() {}

  /**
   * The records of a job that there is.
   *
   * @throws UsageException if ZooKeeper knows no such job; the message names the nearest
   */
  public static JobStore find(Coordination coordination, CommandContext context, String application)
      throws InterruptedException {
    Cluster.id(application);
    List<String> jobs = coordination.jobs();
    if (!jobs.contains(application)) {
      throw new UsageException(
          "there is no job of that name in ZooKeeper: "
              + application
              + Suggestions.didYouMean(application, jobs));
    }
    JobStore store = coordination.job(application);
    settle(
        List.of(JobView.read(store)),
        coordination,
        context,
        context.settings().submit().connectTimeout());
    return store;
  }

  /** All jobs that left a record, as they are now. */
  public static List<JobView> all(Coordination coordination, CommandContext context)
      throws InterruptedException {
    List<JobView> jobs =
        coordination.jobs().stream().map(job -> JobView.read(coordination.job(job))).toList();
    settle(jobs, coordination, context, LONGEST_FOR_LIST);
    return jobs.stream()
        .map(job -> looksAbandoned(job) ? JobView.read(coordination.job(job.application())) : job)
        .toList();
  }

  /** Completes the records of those that have ended, where YARN can be asked. */
  private static void settle(
      List<JobView> jobs, Coordination coordination, CommandContext context, Duration longest)
      throws InterruptedException {
    List<String> abandoned =
        jobs.stream().filter(JobLookup::looksAbandoned).map(JobView::application).toList();
    if (abandoned.isEmpty()) {
      return;
    }
    try (Cluster cluster = Cluster.connect(context.configuration(), longest)) {
      for (String application : abandoned) {
        Optional<Outcome> outcome = cluster.report(application).flatMap(Outcome::of);
        if (outcome.isPresent()) {
          outcome.get().settle(coordination.job(application), System.currentTimeMillis());
        }
      }
    } catch (UnreachableException e) {
      LOG.warn("event=yarn-not-asked reason=\"{}\"", e.getMessage());
    }
  }

  /** Its ApplicationMaster has not come yet, or was killed: only YARN knows which. */
  private static boolean looksAbandoned(JobView job) {
    return !job.isFinal() && job.am().isEmpty();
  }
}
