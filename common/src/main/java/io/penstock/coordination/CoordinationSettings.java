package io.penstock.coordination;

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
 */
public record CoordinationSettings(
    String quorum,
    String root,
    Duration sessionTimeout,
    Duration connectTimeout,
    Duration requestTimeout) {
  public CoordinationSettings {
    Objects.requireNonNull(quorum, "quorum");
    Objects.requireNonNull(sessionTimeout, "sessionTimeout");
    Objects.requireNonNull(connectTimeout, "connectTimeout");
    Objects.requireNonNull(requestTimeout, "requestTimeout");
    if (!root.startsWith("/") || root.endsWith("/")) {
      throw new IllegalArgumentException("must begin and not end with a slash: root=" + root);
    }
  }

  /** The defaults: root {@code /penstock}, session 30 s, connecting 45 s, a request 20 s. */
  public static CoordinationSettings of(String quorum) {
    return new CoordinationSettings(
        quorum,
        "/penstock",
        Duration.ofSeconds(30),
        Duration.ofSeconds(45),
        Duration.ofSeconds(20));
  }
}
