package io.penstock.cli.job;

import io.penstock.config.Settings;
import io.penstock.config.ZooKeeperSettings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.model.UsageException;
import java.time.Duration;

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
}
