package io.penstock.container.fetch;

import io.penstock.config.FetchSettings;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * The configuration that file systems are opened with: Hadoop's own defaults hide a hanging
 * DataNode for minutes and a hanging NameNode for two, so what nobody has set is set here to fit
 * into the deadline of a try.
 */
final class ClientConfiguration {
  private ClientConfiguration() {}

  /** A copy of {@code site} in which only values that come from Hadoop's defaults are changed. */
  static Configuration of(Configuration site, FetchSettings settings) {
    Configuration copy = new Configuration(site);
    Duration deadline = settings.deadline();
    long socketMillis = Math.max(1_000, deadline.dividedBy(3).toMillis());
    setDefault(copy, "dfs.client.socket-timeout", socketMillis);
    setDefault(copy, "dfs.client.retry.window.base", 500);
    setDefault(copy, "dfs.client.hedged.read.threadpool.size", settings.threads());
    setDefault(
        copy,
        "dfs.client.hedged.read.threshold.millis",
        Math.max(500, deadline.dividedBy(10).toMillis()));
    setDefault(copy, "ipc.client.connect.timeout", socketMillis);
    setDefault(copy, "ipc.client.connect.max.retries.on.timeouts", 2);
    setDefault(copy, "ipc.client.rpc-timeout.ms", Math.max(1_000, deadline.toMillis()));
    return copy;
  }

  private static void setDefault(Configuration configuration, String key, long value) {
    String[] sources = configuration.getPropertySources(key);
    boolean fromDefaults =
        sources == null || sources.length == 0 || sources[0].endsWith("-default.xml");
    if (configuration.get(key) == null || fromDefaults) {
      configuration.setLong(key, value);
    }
  }
}
