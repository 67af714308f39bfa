package io.penstock.cli.submit;

import io.penstock.cli.console.ExitCode;
import io.penstock.cli.job.JobChanges;
import io.penstock.cli.job.JobView;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.records.KillRequest;
import java.time.Duration;

/**
 * Ends a job as killed: asks its ApplicationMaster, which ends the ranks in order, and has YARN do
 * it if that takes too long or nobody is there.
 */
public final class JobKill {
  private static final Duration IN_ORDER = Duration.ofSeconds(10);

  private JobKill() {}

  /**
   * Ends it.
   *
   * @return whether it was at work
   */
  public static boolean kill(JobStore store, Cluster cluster, String reason)
      throws InterruptedException {
    JobView before = JobView.read(store);
    if (before.isFinal()) {
      return false;
    }
    long now = System.currentTimeMillis();
    if (before.am().isPresent() && store.requestKill(new KillRequest(reason, now))) {
      awaitFinal(store);
    }
    if (JobView.read(store).isFinal()) {
      return true;
    }
    if (cluster.report(store.application()).isPresent()) {
      cluster.kill(store.application());
    }
    new Outcome(ExitCode.KILLED, reason).settle(store, System.currentTimeMillis());
    return true;
  }

  private static void awaitFinal(JobStore store) throws InterruptedException {
    long end = System.nanoTime() + IN_ORDER.toNanos();
    try (JobChanges changes = JobChanges.of(store)) {
      while (!JobView.read(store).isFinal()) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          return;
        }
        changes.await(Duration.ofNanos(left));
      }
    }
  }
}
