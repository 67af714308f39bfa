package io.penstock.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded cluster: ZooKeeper, HDFS with two DataNodes, YARN with two NodeManagers that offer
 * two {@code yarn.io/gpu} each, and two queues that own half of it each.
 *
 * <h2>Life</h2>
 *
 * {@code MiniCluster --dir D} starts everything below the folder D, writes {@code D/conf} for
 * clients, prints {@code READY conf=D/conf} on standard output and then obeys {@link ControlLine}.
 * It ends at {@code quit} or at the end of standard input: YARN first, which stops the containers,
 * then HDFS, then ZooKeeper, and last every process of a container that is still there. At SIGTERM
 * or SIGINT the containers are stopped in the same way, and the servers end with the process.
 * Standard output carries the protocol and nothing else; the servers log to {@code D/cluster.log},
 * containers to {@code D/nodes/N/logs}.
 *
 * <h2>Environment</h2>
 *
 * Containers inherit this process's environment, as they do from a real NodeManager. So {@code
 * JAVA_HOME} must be set, and {@code HADOOP_CONF_DIR} must be {@code D/conf}: any other value would
 * send them to somebody else's cluster. {@code bin/mini-cluster} of this module sees to both.
 */
public final class MiniCluster implements AutoCloseable {
  /** Before Hadoop's own hook (priority 10) closes the file systems that the servers use. */
  private static final int HOOK_PRIORITY = 100;

  private static final long HOOK_SECONDS = 60;

  private final Path folder;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private boolean closed;

  private MiniCluster(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) {
    PrintStream answers = System.out;
    System.setOut(System.err);
    Path folder;
    try {
      folder = folderOf(args);
    } catch (IllegalArgumentException e) {
      System.err.println("mini-cluster: " + e.getMessage());
      System.exit(2);
      return;
    }
    // Libraries that log by java.util.logging have nothing to say that anybody needs.
    LogManager.getLogManager().reset();
    System.setProperty("log4j.configuration", "mini-cluster-log4j.properties");
    System.setProperty("penstock.cluster.log", folder.resolve("cluster.log").toString());
    System.exit(run(folder, answers));
  }

  private static int run(Path folder, PrintStream answers) {
    Logger log = LoggerFactory.getLogger(MiniCluster.class);
    try (MiniCluster cluster = new MiniCluster(folder)) {
      ShutdownHookManager.get()
          .addShutdownHook(cluster::stopContainers, HOOK_PRIORITY, HOOK_SECONDS, TimeUnit.SECONDS);
      ControlLine control = cluster.start();
      answers.println("READY conf=" + folder.resolve("conf"));
      control.serve(System.in, answers);
      return 0;
    } catch (Exception e) {
      log.error("event=failed", e);
      System.err.println("mini-cluster: " + e + " (see " + folder.resolve("cluster.log") + ")");
      return 1;
    }
  }

  private ControlLine start() throws Exception {
    Files.createDirectories(folder);
    FutureTask<ZooKeeper> zooKeeperStart = new FutureTask<>(() -> ZooKeeper.start(folder));
    FutureTask<Hdfs> hdfsStart = new FutureTask<>(() -> Hdfs.start(folder));
    FutureTask<Yarn> yarnStart = new FutureTask<>(() -> Yarn.start(folder));
    new Thread(zooKeeperStart, "start-zookeeper").start();
    new Thread(hdfsStart, "start-hdfs").start();
    new Thread(yarnStart, "start-yarn").start();
    ZooKeeper zooKeeper = opened(resultOf(zooKeeperStart));
    Hdfs hdfs = opened(resultOf(hdfsStart));
    Yarn yarn = opened(resultOf(yarnStart));
    ClientFolder.write(
        folder.resolve("conf"),
        folder.resolve("client-tmp"),
        hdfs.uri(),
        zooKeeper.connectString(),
        yarn.settings());
    return new ControlLine(hdfs, zooKeeper);
  }

  private static <T> T resultOf(FutureTask<T> start) throws Exception {
    try {
      return start.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  private synchronized <T extends AutoCloseable> T opened(T part) throws Exception {
    if (closed) {
      part.close();
      throw new IllegalStateException("stopped while starting");
    }
    running.push(part);
    return part;
  }

  /** Stops what runs, last started first; a part that fails to stop does not keep the others. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    while (!running.isEmpty()) {
      close(running.pop());
    }
    killLeftovers();
  }

  /**
   * For a JVM that is shutting down already: HDFS can't be stopped in order then, but it keeps
   * nothing outside this process, and neither does ZooKeeper.
   */
  private synchronized void stopContainers() {
    if (closed) {
      return;
    }
    closed = true;
    running.stream().filter(part -> part instanceof Yarn).forEach(MiniCluster::close);
    killLeftovers();
  }

  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      LoggerFactory.getLogger(MiniCluster.class)
          .error("event=stop-failed part={}", part.getClass().getSimpleName(), e);
    }
  }

  private void killLeftovers() {
    Logger log = LoggerFactory.getLogger(MiniCluster.class);
    try {
      log.info("event=stopped leftoverProcesses={}", new ContainerProcesses(folder).kill());
    } catch (Exception e) {
      log.error("event=kill-failed", e);
    }
  }

  private static Path folderOf(String[] args) {
    if (args.length != 2 || !args[0].equals("--dir")) {
      throw new IllegalArgumentException("usage: mini-cluster --dir FOLDER");
    }
    Path folder;
    try {
      folder = Path.of(args[1]).toAbsolutePath().normalize();
      if (Files.exists(folder.resolve("hdfs"))) {
        throw new IllegalArgumentException(
            "the folder must not hold an earlier cluster: " + folder);
      }
      Files.createDirectories(folder);
      folder = folder.toRealPath();
    } catch (IOException e) {
      throw new IllegalArgumentException("the folder can't be made: " + e);
    }
    requireEnvironment(folder.resolve("conf"));
    return folder;
  }

  private static void requireEnvironment(Path conf) {
    String javaHome = System.getenv("JAVA_HOME");
    if (javaHome == null || !Files.isExecutable(Path.of(javaHome, "bin", "java"))) {
      throw new IllegalArgumentException(
          "containers inherit JAVA_HOME, so it must hold bin/java: JAVA_HOME=" + javaHome);
    }
    String confDir = System.getenv("HADOOP_CONF_DIR");
    if (confDir == null || !Path.of(confDir).toAbsolutePath().normalize().equals(conf)) {
      throw new IllegalArgumentException(
          "containers inherit HADOOP_CONF_DIR, so it must be "
              + conf
              + ": HADOOP_CONF_DIR="
              + confDir);
    }
  }
}
