package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ClusterExtension.class)
class MiniClusterIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void theConfigurationFolderHoldsWhatClientsNeedAndNothingElse(PenstockCluster cluster)
      throws IOException {
    try (Stream<java.nio.file.Path> files = Files.list(cluster.conf())) {
      assertEquals(
          List.of(
              "core-site.xml",
              "hdfs-site.xml",
              "log4j.properties",
              "resource-types.xml",
              "yarn-site.xml"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
    assertEquals(cluster.hdfs().getUri().toString(), cluster.settings().get("fs.defaultFS"));
    assertTrue(cluster.settings().get("hadoop.zk.address").matches("127\\.0\\.0\\.1:[0-9]+"));
  }

  @Test
  void whatIsWrittenToHdfsIsReadBackWithOneDataNodeStopped(PenstockCluster cluster)
      throws Exception {
    Path file = new Path("/tmp/mini-cluster-it/words");
    write(cluster, file, "two copies");
    assertEquals(2, cluster.hdfs().getFileStatus(file).getReplication());

    cluster.servers().control("stop-datanode 1");
    assertEquals("two copies", read(cluster, file));
    cluster.servers().control("start-datanode 1");
    cluster.servers().control("stop-datanode 2");
    assertEquals("two copies", read(cluster, file));
    cluster.servers().control("start-datanode 2");
  }

  @Test
  void theNameNodeComesBackAtItsAddressWithItsFiles(PenstockCluster cluster) throws Exception {
    Path file = new Path("/tmp/mini-cluster-it/kept");
    write(cluster, file, "kept");
    cluster.servers().control("stop-namenode");
    assertThrows(IOException.class, () -> read(cluster, file));
    cluster.servers().control("start-namenode");
    assertEquals("kept", read(cluster, file));
  }

  @Test
  void twoNodesOfferTwoGpusEach(PenstockCluster cluster) throws Exception {
    List<NodeReport> nodes = cluster.yarn().getNodeReports(NodeState.RUNNING);
    assertEquals(2, nodes.size());
    for (NodeReport node : nodes) {
      assertEquals(2, node.getCapability().getResourceValue("yarn.io/gpu"), node.toString());
      assertEquals(6144, node.getCapability().getMemorySize(), node.toString());
      assertEquals(16, node.getCapability().getVirtualCores(), node.toString());
    }
  }

  @Test
  void containersInheritJavaAndTheConfigurationFolder(PenstockCluster cluster) throws Exception {
    ApplicationId id =
        ShellApplication.submit(
            cluster.yarn(), "\"$JAVA_HOME/bin/java\" -version; echo conf=$HADOOP_CONF_DIR");
    cluster.awaitState(id, YarnApplicationState.FAILED, SOON);
    String log = cluster.containerLogText(id);
    assertTrue(log.contains("conf=" + cluster.conf() + "\n"), log);
    assertTrue(log.contains(System.getProperty("java.version")), log);
  }

  @Test
  void aKilledContainerEndsTheApplicationAtItsLastAttempt(PenstockCluster cluster)
      throws Exception {
    ApplicationId id = ShellApplication.submit(cluster.yarn(), "sleep 600");
    String container = awaitContainer(cluster, id);
    cluster.killContainer(container);
    String diagnostics = cluster.awaitState(id, YarnApplicationState.FAILED, SOON).getDiagnostics();
    assertTrue(diagnostics.contains("exitCode: 137"), diagnostics);
    assertFalse(cluster.runningContainers().contains(container));
  }

  @Test
  void zooKeeperKeepsItsNodesOverARestart(PenstockCluster cluster) throws Exception {
    byte[] text = "{\"a\": 1}".getBytes(StandardCharsets.UTF_8);
    cluster.zooKeeper().create().creatingParentsIfNeeded().forPath("/mini-cluster-it/a", text);
    cluster.servers().control("stop-zookeeper");
    assertThrows(
        KeeperException.ConnectionLossException.class,
        () -> cluster.zooKeeper().getData().forPath("/mini-cluster-it/a"));
    cluster.servers().control("start-zookeeper");
    assertTrue(cluster.zooKeeper().blockUntilConnected(60, java.util.concurrent.TimeUnit.SECONDS));
    assertEquals(1, cluster.znode("/mini-cluster-it/a").orElseThrow().get("a").asInt());
    assertEquals(Optional.empty(), cluster.znode("/mini-cluster-it/b"));
    assertEquals(List.of("a"), cluster.znodes("/mini-cluster-it"));
  }

  @Test
  void anUnknownRequestIsAnsweredWithTheKnownOnes(PenstockCluster cluster) {
    AssertionError error =
        assertThrows(AssertionError.class, () -> cluster.servers().control("stop-everything"));
    assertTrue(error.getMessage().contains("stop-|start-zookeeper"), error.getMessage());
  }

  @Test
  void theEndOfInputStopsItAndLeavesNoProcess(@TempDir java.nio.file.Path folder) throws Exception {
    stopsAndLeavesNoProcess(folder, 0, MiniClusterProcess::stop);
  }

  @Test
  void aTerminationSignalStopsItAndLeavesNoProcess(@TempDir java.nio.file.Path folder)
      throws Exception {
    stopsAndLeavesNoProcess(
        folder,
        143,
        servers -> {
          servers.process().destroy();
          return servers.exitCode();
        });
  }

  /** How a cluster is stopped; returns its exit code. */
  private interface Stop {
    int stop(MiniClusterProcess servers) throws Exception;
  }

  private static void stopsAndLeavesNoProcess(java.nio.file.Path folder, int exitCode, Stop stop)
      throws Exception {
    try (PenstockCluster cluster = PenstockCluster.of(MiniClusterProcess.start(folder))) {
      ApplicationId id =
          ShellApplication.submit(cluster.yarn(), "trap '' TERM; sleep 600 & sleep 600; sleep 600");
      awaitContainer(cluster, id);
      List<ProcessHandle> processes =
          new ArrayList<>(cluster.servers().process().descendants().toList());
      assertFalse(processes.isEmpty());
      processes.add(cluster.servers().process());

      assertEquals(exitCode, stop.stop(cluster.servers()));
      assertEquals(List.of(), cluster.runningContainers());
      awaitEnd(processes);
    }
  }

  /** Those that were killed, or ended by themselves, need a moment to be gone. */
  private static void awaitEnd(List<ProcessHandle> processes) throws Exception {
    for (ProcessHandle process : processes) {
      Await.until(
          "the end of " + process.info(),
          Duration.ofSeconds(5),
          () -> process.isAlive() ? Optional.empty() : Optional.of(process));
    }
  }

  private static String awaitContainer(PenstockCluster cluster, ApplicationId id) throws Exception {
    String name = id.toString().replace("application", "container");
    return Await.until(
        "a container of " + id,
        SOON,
        () ->
            cluster.runningContainers().stream()
                .filter(container -> container.startsWith(name))
                .findFirst());
  }

  private static void write(PenstockCluster cluster, Path file, String text) throws IOException {
    try (FSDataOutputStream out = cluster.hdfs().create(file)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String read(PenstockCluster cluster, Path file) throws IOException {
    try (FSDataInputStream in = cluster.hdfs().open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
