package io.penstock.cluster;

import java.io.IOException;
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
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** A ResourceManager and its NodeManagers. */
final class Yarn implements AutoCloseable {
  private static final Duration REGISTRATION = Duration.ofSeconds(60);

  /** Time for SIGTERM, 250 ms, SIGKILL; what still runs then is killed by {@link MiniCluster}. */
  private static final Duration CONTAINERS_END = Duration.ofSeconds(5);

  private static final long LOOK_AGAIN_MILLIS = 20;

  private final ResourceManager resourceManager;
  private final List<NodeManager> nodeManagers;
  private final ContainerProcesses containers;

  private Yarn(
      ResourceManager resourceManager,
      List<NodeManager> nodeManagers,
      ContainerProcesses containers) {
    this.resourceManager = resourceManager;
    this.nodeManagers = nodeManagers;
    this.containers = containers;
  }

  /** Returns when the ResourceManager counts every NodeManager as running. */
  static Yarn start(Path folder) throws Exception {
    DefaultMetricsSystem.setMiniClusterMode(true);
    ResourceManager resourceManager = new ResourceManager();
    List<NodeManager> nodeManagers = new ArrayList<>();
    Yarn yarn = new Yarn(resourceManager, nodeManagers, new ContainerProcesses(folder));
    try {
      Configuration settings = ServerSettings.resourceManager(folder);
      // Kept in static fields, which anything that loads a YARN class fills with the defaults.
      ResourceUtils.resetResourceTypes(settings);
      resourceManager.init(settings);
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

  /**
   * Returns when no container has a process any more. A NodeManager that stops kills its containers
   * at once, but then waits for many seconds for records of its own that end with this JVM anyway:
   * so each is stopped by a daemon thread that nobody waits for.
   */
  @Override
  public void close() throws IOException {
    for (NodeManager nodeManager : nodeManagers) {
      Thread stop = new Thread(nodeManager::stop, "stop-node-manager");
      stop.setDaemon(true);
      stop.start();
    }
    try {
      awaitContainersEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      resourceManager.stop();
    }
  }

  /** Nobody is told when the last process of a container has ended, so this looks again too. */
  private void awaitContainersEnd() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + CONTAINERS_END.toNanos();
    while (!containers.find().isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(LOOK_AGAIN_MILLIS);
    }
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
      Thread.sleep(LOOK_AGAIN_MILLIS);
    }
  }

  private long runningNodes() {
    return resourceManager.getRMContext().getRMNodes().values().stream()
        .filter(node -> node.getState() == NodeState.RUNNING)
        .count();
  }
}
