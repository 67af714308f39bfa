package io.penstock.coordination;

import io.penstock.config.ZooKeeperSettings;
import java.time.Duration;
import java.util.Objects;

/**
 * How ZooKeeper is reached.
 *
 * @param quorum host:port, comma-separated
 * @param root node that everything lies below, beginning with a slash
 * @param sessionTimeout asked for; the servers may give another
 * @param connectTimeout how long the first connection may take in all
 * @param requestTimeout how long one request may take
 * @param patience how long a request is tried again while ZooKeeper can't be reached
 */
public record CoordinationSettings(
    String quorum,
    String root,
    Duration sessionTimeout,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration patience) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  public CoordinationSettings {
    Objects.requireNonNull(quorum, "quorum");
    Objects.requireNonNull(sessionTimeout, "sessionTimeout");
    Objects.requireNonNull(connectTimeout, "connectTimeout");
    Objects.requireNonNull(requestTimeout, "requestTimeout");
    Objects.requireNonNull(patience, "patience");
    if (!root.startsWith("/") || root.endsWith("/")) {
      throw new IllegalArgumentException("must begin and not end with a slash: root=" + root);
    }
  }

  /**
   * What the settings say, with a patience of 30 s.
   *
   * @throws io.penstock.model.UsageException if they name no quorum
   */
  public static CoordinationSettings of(ZooKeeperSettings settings) {
    return new CoordinationSettings(
        settings.requireQuorum(),
        settings.root(),
        settings.sessionTimeout(),
        settings.connectTimeout(),
        settings.requestTimeout(),
        PATIENCE);
  }

  /** The same with another patience. */
  public CoordinationSettings withPatience(Duration longer) {
    return new CoordinationSettings(
        quorum, root, sessionTimeout, connectTimeout, requestTimeout, longer);
  }
}
