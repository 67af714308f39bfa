package io.penstock.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Writes the folder that {@code HADOOP_CONF_DIR} names: what an administrator of a real cluster
 * would put there for clients, and nothing of the servers' insides.
 */
final class ClientFolder {
  private static final String[] RESOURCE_MANAGER_ADDRESSES = {
    YarnConfiguration.RM_ADDRESS,
    YarnConfiguration.RM_SCHEDULER_ADDRESS,
    YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
    YarnConfiguration.RM_ADMIN_ADDRESS,
    YarnConfiguration.RM_WEBAPP_ADDRESS
  };

  private ClientFolder() {}

  /**
   * @param resourceManager settings of the running ResourceManager
   */
  static void write(
      Path conf, Path tmp, URI defaultFs, String zooKeeper, Configuration resourceManager)
      throws IOException {
    Files.createDirectories(conf);
    Files.createDirectories(tmp);

    Configuration core = new Configuration(false);
    core.set("fs.defaultFS", defaultFs.toString());
    core.set("hadoop.tmp.dir", tmp.toString());
    core.set("hadoop.zk.address", zooKeeper);
    write(core, conf.resolve("core-site.xml"));

    Configuration hdfs = new Configuration(false);
    hdfs.setInt("dfs.replication", ServerSettings.DATA_NODES);
    write(hdfs, conf.resolve("hdfs-site.xml"));

    Configuration yarn = new Configuration(false);
    for (String address : RESOURCE_MANAGER_ADDRESSES) {
      yarn.set(address, resourceManager.get(address));
    }
    yarn.setInt(YarnConfiguration.RM_AM_MAX_ATTEMPTS, ServerSettings.APPLICATION_ATTEMPTS);
    write(yarn, conf.resolve("yarn-site.xml"));

    Configuration types = new Configuration(false);
    types.set(YarnConfiguration.RESOURCE_TYPES, ServerSettings.GPU);
    write(types, conf.resolve("resource-types.xml"));

    // Hadoop's own folder has one too; clients that log otherwise must not be disturbed by it.
    Files.writeString(
        conf.resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO,console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.target=System.err
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
        """);
  }

  private static void write(Configuration settings, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.writeXml(out);
    }
  }
}
