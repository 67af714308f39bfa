package io.penstock.cluster;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** One ZooKeeper server; stopped and started again, it keeps its port and its data. */
final class ZooKeeper implements AutoCloseable {
  /** Bounds session time-outs: 2 to 20 ticks. */
  private static final int TICK_MILLIS = 1000;

  private final TestingServer server;

  private ZooKeeper(TestingServer server) {
    this.server = server;
  }

  static ZooKeeper start(Path folder) throws Exception {
    System.setProperty("zookeeper.admin.enableServer", "false");
    InstanceSpec spec =
        new InstanceSpec(
            folder.resolve("zookeeper").toFile(), -1, -1, -1, false, 1, TICK_MILLIS, 0);
    return new ZooKeeper(new TestingServer(spec, true));
  }

  String connectString() {
    return server.getConnectString();
  }

  void stopServing() throws IOException {
    server.stop();
  }

  void startServing() throws Exception {
    server.restart();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
