package io.penstock.coordination;

import io.penstock.config.Settings;
import java.io.IOException;
import java.time.Duration;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;

/** A ZooKeeper server in this JVM, for tests of all modules. */
public final class TestingZooKeeper implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TestingServer server;
  private int roots;

  private TestingZooKeeper(TestingServer server) {
    this.server = server;
  }

  public static TestingZooKeeper start() throws Exception {
    return new TestingZooKeeper(new TestingServer(true));
  }

  /** {@code host:port}. */
  public String quorum() {
    return server.getConnectString();
  }

  /** With a root of its own at each call, and deadlines that a test can wait for. */
  public CoordinationSettings settings() {
    Configuration configuration = new Configuration(false);
    configuration.set("penstock.zookeeper.quorum", quorum());
    configuration.set("penstock.zookeeper.root", "/test" + ++roots);
    configuration.set("penstock.zookeeper.session-timeout", "10s");
    configuration.set("penstock.zookeeper.connect-timeout", "20s");
    configuration.set("penstock.zookeeper.request-timeout", "10s");
    return CoordinationSettings.of(Settings.read(configuration).zookeeper()).withPatience(PATIENCE);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
