package io.penstock.am.core;

import java.time.Duration;

/**
 * How patient the ApplicationMaster is.
 *
 * @param restarts failed generations that are replaced; those that ended by the loss of a node or
 *     by preemption do not count
 * @param allocation from asking for a generation's containers to having as many as it needs
 * @param elasticWait from asking for them to beginning with fewer than the most
 * @param registration from starting a container to its first sign in ZooKeeper
 * @param silence how long a container may be missing in ZooKeeper before it is given up
 * @param leaving how long containers have to end by themselves before YARN stops them
 * @param stopping from then until they are taken for gone without YARN's word
 */
public record Limits(
    int restarts,
    Duration allocation,
    Duration elasticWait,
    Duration registration,
    Duration silence,
    Duration leaving,
    Duration stopping) {
  public Limits {
    if (restarts < 0) {
      throw new IllegalArgumentException("must be >= 0: restarts=" + restarts);
    }
  }
}
