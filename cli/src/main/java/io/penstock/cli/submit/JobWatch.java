package io.penstock.cli.submit;

import io.penstock.cli.console.Console;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.job.JobChanges;
import io.penstock.cli.job.JobText;
import io.penstock.cli.job.JobView;
import io.penstock.coordination.JobStore;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/**
 * Follows a job to its end, through restarts of its ApplicationMaster.
 *
 * <p>ZooKeeper tells of changes; YARN can only be asked, so it is asked now and then: it alone
 * knows of a job whose ApplicationMaster never came up, or is gone for good. What the job's own
 * record says of its end counts for more than what YARN says.
 */
final class JobWatch {
  private static final Duration ASK_YARN_EVERY = Duration.ofSeconds(2);
  private static final Duration SHOW_AT_MOST_EVERY = Duration.ofMillis(500);

  private final JobStore store;
  private final Cluster cluster;
  private final Console console;

  JobWatch(JobStore store, Cluster cluster, Console console) {
    this.store = store;
    this.cluster = cluster;
    this.console = console;
  }

  /** Waits for the end, and says how far the job is meanwhile. */
  Outcome await() throws InterruptedException {
    Progress progress = Progress.on(console);
    try (JobChanges changes = JobChanges.of(store)) {
      long asked = System.nanoTime() - ASK_YARN_EVERY.toNanos();
      long shown = System.nanoTime() - SHOW_AT_MOST_EVERY.toNanos();
      Optional<ApplicationReport> report = Optional.empty();
      while (true) {
        changes.await(ASK_YARN_EVERY);
        JobView job = JobView.read(store);
        long now = System.nanoTime();
        boolean ended = job.isFinal();
        if (ended || now - asked >= ASK_YARN_EVERY.toNanos()) {
          report = cluster.report(store.application());
          asked = now;
        }
        if (now - shown >= SHOW_AT_MOST_EVERY.toNanos()) {
          progress.show(line(job, report));
          shown = now;
        }
        if (report.isEmpty() || hasEnded(report.get())) {
          progress.show(line(JobView.read(store), report));
          return outcome(JobView.read(store), report);
        }
      }
    } finally {
      progress.end();
    }
  }

  private static boolean hasEnded(ApplicationReport report) {
    return switch (report.getYarnApplicationState()) {
      case FINISHED, FAILED, KILLED -> true;
      case NEW, NEW_SAVING, SUBMITTED, ACCEPTED, RUNNING -> false;
    };
  }

  private static Outcome outcome(JobView job, Optional<ApplicationReport> report) {
    return Outcome.of(job)
        .or(() -> report.flatMap(Outcome::of).map(outcome -> outcome.because(job)))
        .orElse(
            new Outcome(
                ExitCode.FAILED, "the ResourceManager does not know the application any more"));
  }

  private static String line(JobView job, Optional<ApplicationReport> report) {
    if (job.state().isPresent()) {
      return JobText.progress(job);
    }
    if (report.isEmpty()) {
      return job.stateName();
    }
    YarnApplicationState state = report.get().getYarnApplicationState();
    String waits =
        state == YarnApplicationState.ACCEPTED
            ? ", waiting for the ApplicationMaster's container"
            : "";
    return job.stateName() + "  YARN: " + state + waits;
  }
}
