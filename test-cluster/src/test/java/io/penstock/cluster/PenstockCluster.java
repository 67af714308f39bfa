package io.penstock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.zookeeper.KeeperException;

/**
 * A running cluster and the means to look into it from outside: HDFS, YARN and ZooKeeper clients,
 * container logs and processes, and Penstock's commands.
 */
final class PenstockCluster implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ZOOKEEPER_MILLIS = 20_000;

  private final MiniClusterProcess servers;
  private final YarnConfiguration settings;
  private final FileSystem hdfs;
  private final YarnClient yarn;
  private final CuratorFramework zooKeeper;

  private PenstockCluster(MiniClusterProcess servers) throws IOException, InterruptedException {
    this.servers = servers;
    this.settings = clientSettings(servers.conf());
    this.hdfs = FileSystem.newInstance(settings);
    this.yarn = YarnClient.createYarnClient();
    yarn.init(settings);
    yarn.start();
    this.zooKeeper =
        CuratorFrameworkFactory.newClient(
            settings.get("hadoop.zk.address"),
            ZOOKEEPER_MILLIS,
            ZOOKEEPER_MILLIS,
            new RetryOneTime(1000));
    zooKeeper.start();
    if (!zooKeeper.blockUntilConnected(ZOOKEEPER_MILLIS, TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("waited 20 s for ZooKeeper");
    }
  }

  /** Starts one in the build's folder; what an earlier one left there is deleted. */
  static PenstockCluster start() throws IOException, InterruptedException {
    Path folder = ModuleFolder.path().resolve("target/cluster");
    FileUtil.fullyDelete(folder.toFile());
    return of(MiniClusterProcess.start(folder));
  }

  /** Owns the servers from now on. */
  static PenstockCluster of(MiniClusterProcess servers) throws IOException, InterruptedException {
    try {
      return new PenstockCluster(servers);
    } catch (IOException | InterruptedException | RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  MiniClusterProcess servers() {
    return servers;
  }

  /** What {@code HADOOP_CONF_DIR} is to be. */
  Path conf() {
    return servers.conf();
  }

  Configuration settings() {
    return settings;
  }

  FileSystem hdfs() {
    return hdfs;
  }

  YarnClient yarn() {
    return yarn;
  }

  CuratorFramework zooKeeper() {
    return zooKeeper;
  }

  /** {@code bin/penstock} of the built distribution. */
  Penstock penstock() {
    return Penstock.onPath(conf());
  }

  /** {@code yarn jar penstock.jar} of the built distribution. */
  Penstock yarnJar() {
    return Penstock.byRunJar(conf());
  }

  /** The JSON of a ZooKeeper node; empty where there is no such node. */
  Optional<JsonNode> znode(String path) throws Exception {
    try {
      return Optional.of(JSON.readTree(zooKeeper.getData().forPath(path)));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    }
  }

  /** Names of a ZooKeeper node's children, sorted; none where there is no such node. */
  List<String> znodes(String path) throws Exception {
    try {
      return zooKeeper.getChildren().forPath(path).stream().sorted().toList();
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  ApplicationReport awaitState(ApplicationId id, YarnApplicationState state, Duration deadline)
      throws Exception {
    return Await.until(
        id + " to be " + state,
        deadline,
        () ->
            Optional.of(yarn.getApplicationReport(id))
                .filter(report -> report.getYarnApplicationState() == state));
  }

  /** Log folders of an application's containers, of all attempts, in the order of their names. */
  List<Path> containerLogs(ApplicationId id) throws IOException {
    List<Path> found = new ArrayList<>();
    for (int node = 1; node <= ServerSettings.NODE_MANAGERS; node++) {
      Path folder = ServerSettings.logFolder(servers.folder(), node).resolve(id.toString());
      if (Files.isDirectory(folder)) {
        try (Stream<Path> containers = Files.list(folder)) {
          containers.forEach(found::add);
        }
      }
    }
    found.sort((a, b) -> a.getFileName().compareTo(b.getFileName()));
    return found;
  }

  /** All that an application's containers logged, each file under its name. */
  String containerLogText(ApplicationId id) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path container : containerLogs(id)) {
      try (Stream<Path> files = Files.list(container)) {
        for (Path file : files.sorted().toList()) {
          text.append("== ").append(container.getFileName()).append('/');
          text.append(file.getFileName()).append('\n').append(Files.readString(file)).append('\n');
        }
      }
    }
    return text.toString();
  }

  /** Names of the containers, of any application, that have a process now. */
  List<String> runningContainers() throws IOException {
    return servers.containerProcesses().find().stream()
        .map(ContainerProcesses.Found::container)
        .distinct()
        .sorted()
        .toList();
  }

  /** {@code kill -9} for all processes of one container; fails where it has none. */
  void killContainer(String container) throws IOException, InterruptedException, TimeoutException {
    if (servers.containerProcesses().kill(container) == 0) {
      throw new AssertionError("no process of " + container + " runs");
    }
  }

  @Override
  public void close() throws IOException {
    try (servers) {
      zooKeeper.close();
      yarn.stop();
      hdfs.close();
    }
  }

  private static YarnConfiguration clientSettings(Path conf) {
    YarnConfiguration settings = new YarnConfiguration();
    for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "yarn-site.xml"}) {
      settings.addResource(new org.apache.hadoop.fs.Path(conf.resolve(file).toUri()));
    }
    // A stopped server shows at once.
    settings.setInt("ipc.client.connect.max.retries", 1);
    return settings;
  }
}
