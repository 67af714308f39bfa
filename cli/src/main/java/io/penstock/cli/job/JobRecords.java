package io.penstock.cli.job;

import io.penstock.config.Settings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.model.UsageException;

/** The records of jobs, as commands reach them. */
public final class JobRecords {
  private JobRecords() {}

  /**
   * Connects to ZooKeeper.
   *
   * @throws UsageException if no quorum is named
   * @throws io.penstock.model.UnreachableException if it was not reached in time
   */
  public static Coordination connect(Settings settings) {
    return Coordination.connect(CoordinationSettings.of(settings.zookeeper()));
  }
}
