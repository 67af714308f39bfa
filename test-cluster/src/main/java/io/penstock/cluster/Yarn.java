package io.penstock.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** A ResourceManager and its NodeManagers. */
final class Yarn implements AutoCloseable {
  private static final Duration REGISTRATION = Duration.ofSeconds(60);

  private final ResourceManager resourceManager;
  private final List<NodeManager> nodeManagers;

  private Yarn(ResourceManager resourceManager, List<NodeManager> nodeManagers) {
    this.resourceManager = resourceManager;
    this.nodeManagers = nodeManagers;
  }

  /** Returns when the ResourceManager counts every NodeManager as running. */
  static Yarn start(Path folder) throws Exception {
    DefaultMetricsSystem.setMiniClusterMode(true);
    ResourceManager resourceManager = new ResourceManager();
    List<NodeManager> nodeManagers = new ArrayList<>();
    Yarn yarn = new Yarn(resourceManager, nodeManagers);
    try {
      resourceManager.init(ServerSettings.resourceManager(folder));
      resourceManager.start();
      requireStarted(resourceManager);
      for (int number = 1; number <= ServerSettings.NODE_MANAGERS; number++) {
        Files.createDirectories(ServerSettings.localFolder(folder, number));
        Files.createDirectories(ServerSettings.logFolder(folder, number));
        NodeManager nodeManager = new NodeManager();
        nodeManagers.add(nodeManager);
        nodeManager.init(ServerSettings.nodeManager(folder, resourceManager.getConfig(), number));
        nodeManager.start();
        requireStarted(nodeManager);
      }
      yarn.awaitNodes();
      return yarn;
    } catch (Exception e) {
      yarn.close();
      throw e;
    }
  }

  /** The ResourceManager's own settings, with the addresses that it got. */
  Configuration settings() {
    return resourceManager.getConfig();
  }

  /** Stopping a NodeManager stops its containers. */
  @Override
  public void close() {
    nodeManagers.forEach(NodeManager::stop);
    resourceManager.stop();
  }

  private static void requireStarted(Service service) {
    if (!service.isInState(Service.STATE.STARTED)) {
      throw new IllegalStateException(
          service.getName() + " did not start: " + service.getFailureCause());
    }
  }

  /**
   * The ResourceManager wakes nobody when a node's state changes, so this looks again and again.
   */
  private void awaitNodes() throws TimeoutException, InterruptedException {
    long deadline = System.nanoTime() + REGISTRATION.toNanos();
    while (runningNodes() < ServerSettings.NODE_MANAGERS) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "waited "
                + REGISTRATION.toSeconds()
                + " s for NodeManagers to be running: "
                + runningNodes()
                + " of "
                + ServerSettings.NODE_MANAGERS);
      }
      Thread.sleep(20);
    }
  }

  private long runningNodes() {
    return resourceManager.getRMContext().getRMNodes().values().stream()
        .filter(node -> node.getState() == NodeState.RUNNING)
        .count();
  }
}
