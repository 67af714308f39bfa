package io.penstock.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A NameNode and its DataNodes, numbered from 1, each of which can be stopped and started again.
 */
final class Hdfs implements AutoCloseable {
  private final MiniDFSCluster servers;
  private final Map<Integer, DataNode> running = new HashMap<>();
  private final Map<Integer, DataNodeProperties> stopped = new HashMap<>();

  private Hdfs(MiniDFSCluster servers) {
    this.servers = servers;
    int number = 1;
    for (DataNode node : servers.getDataNodes()) {
      running.put(number++, node);
    }
  }

  /** Formats and starts an empty file system; returns when it takes writes. */
  static Hdfs start(Path folder) throws IOException {
    Configuration settings = ServerSettings.hdfs(folder);
    File base = folder.resolve("hdfs").toFile();
    MiniDFSCluster servers =
        new MiniDFSCluster.Builder(settings, base)
            .numDataNodes(ServerSettings.DATA_NODES)
            .storagesPerDatanode(1)
            .build();
    try {
      servers.waitActive();
      makeFolders(servers.getFileSystem());
      return new Hdfs(servers);
    } catch (IOException | RuntimeException e) {
      servers.shutdown();
      throw e;
    }
  }

  URI uri() {
    return servers.getURI();
  }

  /** Copies a local file, or a folder with all below it, into a folder. */
  void copy(Path local, URI into) throws IOException {
    servers
        .getFileSystem()
        .copyFromLocalFile(
            new org.apache.hadoop.fs.Path(local.toUri()), new org.apache.hadoop.fs.Path(into));
  }

  void stopNameNode() {
    servers.shutdownNameNode(0);
  }

  void startNameNode() throws IOException {
    servers.restartNameNode(0, true);
  }

  void stopDataNode(int number) {
    DataNode node = running.remove(number);
    if (node == null) {
      throw new IllegalArgumentException("no such DataNode is running: " + number);
    }
    stopped.put(number, servers.stopDataNode(servers.getDataNodes().indexOf(node)));
  }

  void startDataNode(int number) throws IOException {
    DataNodeProperties properties = stopped.remove(number);
    if (properties == null) {
      throw new IllegalArgumentException("no such DataNode was stopped: " + number);
    }
    servers.restartDataNode(properties, true);
    servers.waitActive();
    running.put(number, servers.getDataNodes().get(servers.getDataNodes().size() - 1));
  }

  @Override
  public void close() {
    servers.shutdown();
  }

  /** The folders that an administrator makes first: everybody may write below them. */
  private static void makeFolders(FileSystem files) throws IOException {
    FsPermission everybody = new FsPermission((short) 01777);
    for (String shared : new String[] {"/tmp", "/data", "/user"}) {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(shared);
      files.mkdirs(path);
      files.setPermission(path, everybody);
    }
    files.mkdirs(
        new org.apache.hadoop.fs.Path(
            "/user/" + UserGroupInformation.getCurrentUser().getShortUserName()));
  }
}
