package io.penstock.config;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * Makes Hadoop's clients give up in time. Its defaults hide a NameNode that hangs for two minutes,
 * a ResourceManager that is not there for fifteen, and a host that swallows packets for as long.
 */
public final class ClientTimeouts {
  private ClientTimeouts() {}

  /**
   * A copy of a configuration whose clients take about as long as given, retries included. Only
   * values that come from Hadoop's own defaults are changed.
   */
  public static Configuration within(Duration timeout, Configuration site) {
    Configuration copy = new Configuration(site);
    int third = (int) Math.max(1_000, Math.min(20_000, timeout.toMillis() / 3));
    setDefault(copy, "ipc.client.connect.timeout", third);
    setDefault(copy, "ipc.client.connect.max.retries", 3);
    setDefault(copy, "ipc.client.connect.max.retries.on.timeouts", 1);
    setDefault(copy, "ipc.client.rpc-timeout.ms", 2 * third);
    setDefault(copy, "dfs.client.socket-timeout", third);
    setDefault(copy, "dfs.client.retry.window.base", 500);
    setDefault(copy, "yarn.resourcemanager.connect.max-wait.ms", (int) timeout.toMillis());
    setDefault(copy, "yarn.resourcemanager.connect.retry-interval.ms", 1_000);
    setDefault(copy, "yarn.client.failover-sleep-base-ms", 200);
    setDefault(copy, "yarn.client.failover-sleep-max-ms", 1_000);
    return copy;
  }

  private static void setDefault(Configuration configuration, String name, int value) {
    String[] sources = configuration.getPropertySources(name);
    if (sources == null || sources.length == 0 || sources[0].endsWith("-default.xml")) {
      configuration.setInt(name, value);
    }
  }
}
