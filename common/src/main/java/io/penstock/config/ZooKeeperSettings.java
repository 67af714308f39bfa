package io.penstock.config;

import io.penstock.model.UsageException;
import java.time.Duration;
import java.util.Optional;

/**
 * How ZooKeeper is reached.
 *
 * @param quorum host:port, comma-separated; empty if neither Penstock nor Hadoop names one
 * @param root node that everything lies below
 * @param sessionTimeout asked for; the servers may give another
 * @param connectTimeout how long the first connection may take in all
 * @param requestTimeout how long one request may take
 */
public record ZooKeeperSettings(
    Optional<String> quorum,
    String root,
    Duration sessionTimeout,
    Duration connectTimeout,
    Duration requestTimeout) {
  static ZooKeeperSettings from(SettingsReader reader) {
    return new ZooKeeperSettings(
        reader.get(Known.ZOOKEEPER_QUORUM),
        reader.get(Known.ZOOKEEPER_ROOT),
        reader.get(Known.ZOOKEEPER_SESSION_TIMEOUT),
        reader.get(Known.ZOOKEEPER_CONNECT_TIMEOUT),
        reader.get(Known.ZOOKEEPER_REQUEST_TIMEOUT));
  }

  /**
   * The quorum.
   *
   * @throws UsageException if none is named
   */
  public String requireQuorum() {
    return quorum.orElseThrow(
        () ->
            new UsageException(
                "must name ZooKeeper's servers as host:port, comma-separated: neither "
                    + Known.ZOOKEEPER_QUORUM.name()
                    + " nor hadoop.zk.address is set"));
  }
}
