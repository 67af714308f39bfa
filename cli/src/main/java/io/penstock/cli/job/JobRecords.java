package io.penstock.cli.job;

import io.penstock.config.Settings;
import io.penstock.config.ZooKeeperSettings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.coordination.JobStore;
import io.penstock.model.Suggestions;
import io.penstock.model.UsageException;
import java.time.Duration;
import java.util.List;

/** The records of jobs, as commands reach them. */
public final class JobRecords {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private JobRecords() {}

  /**
   * Connects to ZooKeeper.
   *
   * @throws UsageException if no quorum is named
   * @throws io.penstock.model.UnreachableException if it was not reached in time
   */
  public static Coordination connect(Settings settings) {
    ZooKeeperSettings zookeeper = settings.zookeeper();
    return Coordination.connect(
        new CoordinationSettings(
            zookeeper.requireQuorum(),
            zookeeper.root(),
            zookeeper.sessionTimeout(),
            zookeeper.connectTimeout(),
            zookeeper.requestTimeout(),
            PATIENCE));
  }

  /**
   * The records of a job that there is.
   *
   * @throws UsageException if it left none; the message names the nearest that did
   */
  public static JobStore find(Coordination coordination, String application) {
    List<String> jobs = coordination.jobs();
    if (!jobs.contains(application)) {
      throw new UsageException(
          "there is no job of that name in ZooKeeper: "
              + application
              + Suggestions.didYouMean(application, jobs));
    }
    return coordination.job(application);
  }
}
