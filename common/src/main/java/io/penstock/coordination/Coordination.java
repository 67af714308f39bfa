package io.penstock.coordination;

import io.penstock.coordination.records.CacheRecord;
import io.penstock.coordination.records.DeviceRecord;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RunState;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to ZooKeeper, and what lies there that belongs to no single job.
 *
 * <p>Every request has a deadline and is tried again until {@link CoordinationSettings#patience}
 * has passed; then {@link UnreachableException} names the quorum. Missing permission is an {@link
 * UnreachableException} too. Thread-safe.
 */
public final class Coordination implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Coordination.class);
  private static final int RETRY_MILLIS = 500;
  private static final Pattern SERVER =
      Pattern.compile("([^:,\\s\\[\\]]+|\\[[0-9a-fA-F:]+])(:[0-9]{1,5})?");

  private final CoordinationSettings settings;
  private final CuratorFramework client;
  private final Layout layout;
  private final ExecutorService reconnected;
  private final List<Consumer<Connection>> listeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> afterReconnect = new CopyOnWriteArrayList<>();

  /** Devices that this session has, so that two claims of it are two devices. */
  private final Set<String> claimed = ConcurrentHashMap.newKeySet();

  private volatile Connection connection = Connection.CONNECTED;

  private Coordination(CoordinationSettings settings, CuratorFramework client) {
    this.settings = settings;
    this.client = client;
    this.layout = new Layout(settings.root());
    this.reconnected =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "zookeeper-reconnected");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Connects.
   *
   * @throws UnreachableException if no session was made within the settings' time
   * @throws UsageException if the quorum is not a list of host:port
   */
  public static Coordination connect(CoordinationSettings settings) {
    for (String server : settings.quorum().split(",", -1)) {
      if (!SERVER.matcher(server.trim()).matches()) {
        throw new UsageException(
            "must be host:port, comma-separated: ZooKeeper quorum=" + settings.quorum());
      }
    }
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT,
        Long.toString(settings.requestTimeout().toMillis()));
    CuratorFramework client =
        CuratorFrameworkFactory.builder()
            .connectString(settings.quorum())
            .sessionTimeoutMs((int) settings.sessionTimeout().toMillis())
            .connectionTimeoutMs((int) settings.requestTimeout().toMillis())
            .retryPolicy(new RetryUntilElapsed((int) settings.patience().toMillis(), RETRY_MILLIS))
            .zkClientConfig(config)
            .build();
    Coordination coordination = new Coordination(settings, client);
    client
        .getConnectionStateListenable()
        .addListener((same, state) -> coordination.connectionChanged(state));
    boolean connected = false;
    try {
      client.start();
      connected =
          client.blockUntilConnected(
              (int) settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException(
          "interrupted while connecting to ZooKeeper: quorum=" + settings.quorum(), e);
    } finally {
      if (!connected) {
        coordination.close();
      }
    }
    if (!connected) {
      throw new UnreachableException(
          "ZooKeeper was not reached within "
              + settings.connectTimeout().toSeconds()
              + " s: quorum="
              + settings.quorum(),
          null);
    }
    return coordination;
  }

  /** Who is asked, as in the settings. */
  public String quorum() {
    return settings.quorum();
  }

  /** The session time-out that the servers gave; after as long without contact a session ends. */
  public Duration sessionTimeout() {
    return Duration.ofMillis(client.getZookeeperClient().getLastNegotiatedSessionTimeoutMs());
  }

  /** What is known about the connection. */
  public Connection connection() {
    return connection;
  }

  /**
   * Tells of changes of the connection, on ZooKeeper's thread: the listener must not wait.
   *
   * @return ends it
   */
  public AutoCloseable onConnection(Consumer<Connection> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** The applications that left a record, oldest first. */
  public List<String> jobs() {
    return call(layout.jobs(), () -> children(layout.jobs())).stream()
        .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /** The records of one application, whether it has any or not. */
  public JobStore job(String application) {
    return new JobStore(this, application);
  }

  /**
   * Removes the oldest jobs that have ended, so that {@code keep} are left, or more where more are
   * at work.
   */
  public void removeOldJobs(int keep) {
    List<String> jobs = jobs();
    for (String job : jobs.subList(0, Math.max(0, jobs.size() - keep))) {
      if (job(job).state().map(JobState::state).filter(RunState::isFinal).isPresent()) {
        removeJob(job);
      }
    }
  }

  /** Removes all that ZooKeeper holds of an application. */
  public void removeJob(String application) {
    String path = layout.job(application);
    call(
        path,
        () -> {
          client.delete().quietly().deletingChildrenIfNeeded().forPath(path);
          return null;
        });
  }

  /**
   * Claims the lowest free device of a host for as long as the session lives and the claim is not
   * closed.
   *
   * @param limit how many devices there are, or {@link Integer#MAX_VALUE}
   * @return empty if all are taken
   */
  public Optional<DeviceClaim> claimDevice(String host, int limit, DeviceRecord owner) {
    for (int ordinal = 0; ordinal < limit; ordinal++) {
      String path = layout.device(host, ordinal);
      if (!claimed.contains(path) && createEphemeral(path, owner)) {
        claimed.add(path);
        return Optional.of(new DeviceClaim(this, host, ordinal, path, owner));
      }
    }
    return Optional.empty();
  }

  /** Frees the devices that a container, which is known to be gone, had claimed. */
  public void freeDevices(String host, String container) {
    for (String ordinal : call(layout.devices(host), () -> children(layout.devices(host)))) {
      String path = layout.devices(host) + "/" + ordinal;
      removeIf(path, DeviceRecord.class, record -> record.container().equals(container));
    }
  }

  /** Records what a cache holds. */
  public void putCache(CacheRecord record) {
    String path = layout.cache(record.key(), record.host(), record.slot());
    byte[] bytes = Json.bytes(path, record);
    call(path, () -> client.create().orSetData().creatingParentsIfNeeded().forPath(path, bytes));
  }

  /** What the caches for a key hold, by host and slot. */
  public List<CacheRecord> caches(String key) {
    List<CacheRecord> found = new ArrayList<>();
    String hosts = settings.root() + "/caches/" + key;
    for (String host : call(hosts, () -> children(hosts))) {
      for (String slot : call(hosts, () -> children(hosts + "/" + host))) {
        get(hosts + "/" + host + "/" + slot, CacheRecord.class).ifPresent(found::add);
      }
    }
    found.sort(Comparator.comparing(CacheRecord::host).thenComparing(CacheRecord::slot));
    return List.copyOf(found);
  }

  /** Ends the session, and with it all ephemeral nodes. */
  @Override
  public void close() {
    reconnected.shutdownNow();
    client.close();
  }

  CuratorFramework client() {
    return client;
  }

  Layout layout() {
    return layout;
  }

  /** Runs something on a thread of its own whenever the connection is back. */
  AutoCloseable afterReconnect(Runnable action) {
    afterReconnect.add(action);
    return () -> afterReconnect.remove(action);
  }

  /** Sets or makes a node, if its parent is there. */
  boolean putBelow(String parent, String path, Object record) {
    byte[] bytes = Json.bytes(path, record);
    return call(
        path,
        () -> {
          if (client.checkExists().forPath(parent) == null) {
            return false;
          }
          client.create().orSetData().forPath(path, bytes);
          return true;
        });
  }

  void release(DeviceClaim claim) {
    claimed.remove(claim.path());
    removeIf(claim.path(), DeviceRecord.class, claim.owner()::equals);
  }

  boolean createEphemeral(String path, DeviceRecord owner) {
    byte[] bytes = Json.bytes(path, owner);
    return call(
        path,
        () -> {
          try {
            client
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(path, bytes);
            return true;
          } catch (KeeperException.NodeExistsException e) {
            // The answer to an earlier try of this request may have been lost.
            Stat stat = client.checkExists().forPath(path);
            return stat != null && stat.getEphemeralOwner() == session();
          }
        });
  }

  <T> void removeIf(String path, Class<T> type, Predicate<T> test) {
    call(
        path,
        () -> {
          try {
            Stat stat = new Stat();
            byte[] bytes = client.getData().storingStatIn(stat).forPath(path);
            if (test.test(Json.read(path, bytes, type))) {
              client.delete().withVersion(stat.getVersion()).forPath(path);
            }
          } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            LOG.debug("event=already-removed node={}", path);
          }
          return null;
        });
  }

  long session() throws Exception {
    return client.getZookeeperClient().getZooKeeper().getSessionId();
  }

  <T> Optional<T> get(String path, Class<T> type) {
    return call(
        path,
        () -> {
          try {
            return Optional.of(Json.read(path, client.getData().forPath(path), type));
          } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
          }
        });
  }

  List<String> children(String path) throws Exception {
    try {
      return client.getChildren().forPath(path);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  List<String> list(String path) {
    return call(path, () -> children(path));
  }

  interface Request<T> {
    T run() throws Exception;
  }

  <T> T call(String path, Request<T> request) {
    try {
      return request.run();
    } catch (KeeperException e) {
      throw translated(path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException(
          "interrupted while waiting for ZooKeeper: node=" + path + " quorum=" + quorum(), e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("ZooKeeper failed: node=" + path, e);
    }
  }

  private RuntimeException translated(String path, KeeperException e) {
    return switch (e.code()) {
      case NOAUTH, AUTHFAILED, INVALIDACL ->
          new UnreachableException(
              "no permission in ZooKeeper: node=" + path + " quorum=" + quorum(), e);
      case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONEXPIRED, SESSIONMOVED ->
          new UnreachableException(
              "ZooKeeper did not answer within "
                  + settings.patience().toSeconds()
                  + " s: node="
                  + path
                  + " quorum="
                  + quorum(),
              e);
      default -> new IllegalStateException("ZooKeeper refused: node=" + path, e);
    };
  }

  private void connectionChanged(ConnectionState state) {
    Connection now =
        switch (state) {
          case CONNECTED, RECONNECTED, READ_ONLY -> Connection.CONNECTED;
          case SUSPENDED -> Connection.SUSPENDED;
          case LOST -> Connection.LOST;
        };
    LOG.info("event=zookeeper-connection state={} quorum={}", state, quorum());
    connection = now;
    listeners.forEach(listener -> listener.accept(now));
    if (state == ConnectionState.RECONNECTED) {
      try {
        reconnected.execute(() -> afterReconnect.forEach(Runnable::run));
      } catch (RejectedExecutionException e) {
        LOG.debug("event=reconnected-while-closing");
      }
    }
  }
}
