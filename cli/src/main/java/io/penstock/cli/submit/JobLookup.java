package io.penstock.cli.submit;

import io.penstock.cli.console.CommandContext;
import io.penstock.cli.job.JobView;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.JobStore;
import io.penstock.model.Suggestions;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a job by its application id.
 *
 * <p>ZooKeeper knows a job from its submission on. Where no ApplicationMaster is at work that could
 * write how it ended, YARN is asked, and what it says of an end is left in the job's record.
 */
public final class JobLookup {
  private static final Logger LOG = LoggerFactory.getLogger(JobLookup.class);

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
    JobView job = JobView.read(store);
    if (job.isFinal() || job.am().isPresent()) {
      return store;
    }
    try (Cluster cluster = Cluster.connect(context.configuration(), context.settings().submit())) {
      cluster
          .report(application)
          .flatMap(Outcome::of)
          .ifPresent(outcome -> outcome.settle(store, System.currentTimeMillis()));
    } catch (UnreachableException e) {
      LOG.warn("event=yarn-not-asked reason=\"{}\"", e.getMessage());
    }
    return store;
  }
}
