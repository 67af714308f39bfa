package io.penstock.cli.submit;

import io.penstock.cli.console.CommandContext;
import io.penstock.cli.job.JobView;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.JobStore;
import io.penstock.model.Suggestions;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a job by its application id.
 *
 * <p>ZooKeeper tells all of a job, but for two times: before its ApplicationMaster has written
 * anything, and after one that could not write how it ended. Then YARN is asked, and what it says
 * of an end is left in the job's record.
 */
public final class JobLookup {
  private static final Logger LOG = LoggerFactory.getLogger(JobLookup.class);

  private JobLookup() {}

  /**
   * The records of a job that there is, which may be none yet.
   *
   * @throws UsageException if neither ZooKeeper nor YARN knows such a job; the message names the
   *     nearest that left a record
   * @throws UnreachableException if ZooKeeper knows nothing of it and YARN was not reached
   */
  public static JobStore find(Coordination coordination, CommandContext context, String application)
      throws InterruptedException {
    Cluster.id(application);
    List<String> jobs = coordination.jobs();
    boolean recorded = jobs.contains(application);
    JobStore store = coordination.job(application);
    JobView job = JobView.read(store);
    if (recorded && (job.isFinal() || job.am().isPresent())) {
      return store;
    }
    Optional<ApplicationReport> report;
    try (Cluster cluster = Cluster.connect(context.configuration(), context.settings().submit())) {
      report = cluster.report(application);
    } catch (UnreachableException e) {
      if (!recorded) {
        throw e;
      }
      LOG.warn("event=yarn-not-asked reason=\"{}\"", e.getMessage());
      return store;
    }
    if (!recorded && report.filter(JobLookup::isPenstocks).isEmpty()) {
      throw new UsageException(
          "neither ZooKeeper nor YARN knows such a job: "
              + application
              + Suggestions.didYouMean(application, jobs));
    }
    report
        .flatMap(Outcome::of)
        .ifPresent(outcome -> outcome.settle(store, System.currentTimeMillis()));
    return store;
  }

  private static boolean isPenstocks(ApplicationReport report) {
    return Submission.TYPE.equals(report.getApplicationType());
  }
}
