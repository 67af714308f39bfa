package io.penstock.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;

/** What the servers of the embedded cluster run with. Every port is 0: the system chooses. */
final class ServerSettings {
  static final int DATA_NODES = 2;
  static final int NODE_MANAGERS = 2;
  static final int GPUS_PER_NODE = 2;
  static final int MEMORY_MIB_PER_NODE = 6 * 1024;
  static final int VCORES_PER_NODE = 16;
  static final int APPLICATION_ATTEMPTS = 4;
  static final String GPU = "yarn.io/gpu";

  /** The queue beside {@code default}, which owns the other half of the cluster. */
  static final String OTHER_QUEUE = "other";

  /** From the word that a container is to be preempted to its end. */
  static final Duration PREEMPTED_AFTER = Duration.ofSeconds(6);

  private static final String ANY_PORT = "localhost:0";

  private ServerSettings() {}

  static Configuration hdfs(Path folder) {
    Configuration settings = common(folder);
    settings.setInt("dfs.replication", DATA_NODES);
    // A DataNode that was stopped is missed after 2 x 2 s + 10 x 1 s, not after ten minutes.
    settings.setInt("dfs.heartbeat.interval", 1);
    settings.setInt("dfs.namenode.heartbeat.recheck-interval", 2000);
    settings.setInt("dfs.namenode.stale.datanode.interval", 5000);
    return settings;
  }

  static Configuration resourceManager(Path folder) {
    Configuration settings = yarn(folder);
    settings.set(YarnConfiguration.RM_ADDRESS, ANY_PORT);
    settings.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, ANY_PORT);
    settings.set(YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS, ANY_PORT);
    settings.set(YarnConfiguration.RM_ADMIN_ADDRESS, ANY_PORT);
    settings.set(YarnConfiguration.RM_WEBAPP_ADDRESS, ANY_PORT);
    settings.setInt(YarnConfiguration.RM_AM_MAX_ATTEMPTS, APPLICATION_ATTEMPTS);
    settings.setInt(YarnConfiguration.MAX_CLUSTER_LEVEL_APPLICATION_PRIORITY, 10);
    settings.setLong(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 200);
    settings.setLong(YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, 15_000);
    settings.setLong(YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS, 20_000);
    settings.setLong(YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS, 60_000);
    settings.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 128);
    settings.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, MEMORY_MIB_PER_NODE);
    settings.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, VCORES_PER_NODE);
    settings.setClass(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, Object.class);
    queues(settings, List.of("default", OTHER_QUEUE));
    settings.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.8");
    settings.set("yarn.scheduler.capacity.node-locality-delay", "-1");
    settings.set(
        "yarn.scheduler.capacity.resource-calculator", DominantResourceCalculator.class.getName());
    return settings;
  }

  /**
   * Queues that own equal shares. Each may take the whole cluster; what it has beyond its share is
   * taken back from it, whole at once, as soon as another wants its own.
   */
  private static void queues(Configuration settings, List<String> names) {
    settings.set("yarn.scheduler.capacity.root.queues", String.join(",", names));
    for (String name : names) {
      String queue = "yarn.scheduler.capacity.root." + name;
      settings.setInt(queue + ".capacity", 100 / names.size());
      settings.setInt(queue + ".maximum-capacity", 100);
      settings.setInt(queue + ".user-limit-factor", names.size());
      settings.set(queue + ".state", "RUNNING");
    }
    settings.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
    settings.setClass(
        YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES,
        ProportionalCapacityPreemptionPolicy.class,
        SchedulingEditPolicy.class);
    settings.setLong(CapacitySchedulerConfiguration.PREEMPTION_MONITORING_INTERVAL, 200);
    settings.setLong(
        CapacitySchedulerConfiguration.PREEMPTION_WAIT_TIME_BEFORE_KILL,
        PREEMPTED_AFTER.toMillis());
    settings.setFloat(CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND, 1);
    settings.setFloat(CapacitySchedulerConfiguration.PREEMPTION_NATURAL_TERMINATION_FACTOR, 1);
  }

  /** Settings of one NodeManager; {@code resourceManager} is the configuration of one that runs. */
  static Configuration nodeManager(Path folder, Configuration resourceManager, int number) {
    Configuration settings = new YarnConfiguration(resourceManager);
    settings.set(YarnConfiguration.NM_ADDRESS, ANY_PORT);
    settings.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, ANY_PORT);
    settings.set(YarnConfiguration.NM_WEBAPP_ADDRESS, ANY_PORT);
    settings.set(YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS, ANY_PORT);
    settings.set(YarnConfiguration.NM_LOCAL_DIRS, localFolder(folder, number).toString());
    settings.set(YarnConfiguration.NM_LOG_DIRS, logFolder(folder, number).toString());
    settings.setInt(YarnConfiguration.NM_PMEM_MB, MEMORY_MIB_PER_NODE);
    settings.setInt(YarnConfiguration.NM_VCORES, VCORES_PER_NODE);
    settings.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    settings.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99.5f);
    settings.set(YarnConfiguration.NM_RESOURCE_PLUGINS, GPU);
    settings.set(YarnConfiguration.NM_GPU_ALLOWED_DEVICES, "0:0,1:1");
    return settings;
  }

  static Path localFolder(Path folder, int number) {
    return folder.resolve("nodes").resolve(Integer.toString(number)).resolve("local");
  }

  static Path logFolder(Path folder, int number) {
    return folder.resolve("nodes").resolve(Integer.toString(number)).resolve("logs");
  }

  private static Configuration yarn(Path folder) {
    Configuration settings = new YarnConfiguration(common(folder));
    // Makes the ResourceManager write the web port that it got into its configuration.
    settings.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true);
    return settings;
  }

  private static Configuration common(Path folder) {
    Configuration settings = new Configuration();
    settings.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    // The usual ten seconds of waiting for a server's own client threads only delay the end.
    settings.setInt("ipc.client.connection.maxidletime", 1000);
    return settings;
  }
}
