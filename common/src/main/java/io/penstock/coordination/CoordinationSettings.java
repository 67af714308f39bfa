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
   * What the settings say.
   *
   * @throws io.penstock.model.UsageException if they name no quorum
   */
  public static CoordinationSettings of(ZooKeeperSettings settings) {
    CoordinationSettings standard = of(settings.requireQuorum());
    return new CoordinationSettings(
        standard.quorum(),
        settings.root(),
        settings.sessionTimeout(),
        settings.connectTimeout(),
        settings.requestTimeout(),
        standard.patience());
  }

  /**
   * The defaults: root {@code /penstock}, session 30 s, connecting 45 s, a request 15 s, patience
   * 30 s.
   */
  public static CoordinationSettings of(String quorum) {
    return new CoordinationSettings(
        quorum,
        "/penstock",
        Duration.ofSeconds(30),
        Duration.ofSeconds(45),
        Duration.ofSeconds(15),
        Duration.ofSeconds(30));
  }

  /** The same with another patience. */
  public CoordinationSettings withPatience(Duration longer) {
    return new CoordinationSettings(
        quorum, root, sessionTimeout, connectTimeout, requestTimeout, longer);
  }
}
