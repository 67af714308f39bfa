package io.penstock.coordination;

import io.penstock.model.UnreachableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latest value of a node, kept up to date until it is closed.
 *
 * <h2>How nothing is missed</h2>
 *
 * A value is read and the node is watched in one request. What fires, or a connection that is back,
 * makes it read again; so a node that changed, or was deleted and made again while we were away, is
 * seen with its last value (values between are not seen). Only one read is under way at a time: a
 * reason to read that comes meanwhile is remembered, so an old answer never replaces a new one.
 *
 * @param <T> what the node holds
 */
public final class Watched<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watched.class);

  private interface Read {
    void begin(CuratorFramework client, Watcher watcher, BackgroundCallback answer)
        throws Exception;
  }

  private final Coordination coordination;
  private final String path;
  private final Read read;
  private final Function<CuratorEvent, T> decode;
  private final Consumer<Optional<T>> listener;
  private final Watcher watcher = this::fired;
  private final AutoCloseable reconnects;

  // Guarded by this.
  private Optional<T> latest = Optional.empty();
  private long latestChange = Long.MIN_VALUE;
  private boolean known;
  private boolean reading;
  private boolean readAgain;
  private boolean closed;
  private RuntimeException failure;

  private Watched(
      Coordination coordination,
      String path,
      Read read,
      Function<CuratorEvent, T> decode,
      Consumer<Optional<T>> listener) {
    this.coordination = coordination;
    this.path = path;
    this.read = read;
    this.decode = decode;
    this.listener = listener;
    this.reconnects = coordination.afterReconnect(this::refresh);
  }

  static <T> Watched<T> record(
      Coordination coordination, String path, Class<T> type, Consumer<Optional<T>> listener) {
    return begun(
        new Watched<>(
            coordination,
            path,
            (client, watcher, answer) ->
                client.getData().usingWatcher(watcher).inBackground(answer).forPath(path),
            event -> Json.read(path, event.getData(), type),
            listener));
  }

  static Watched<Integer> version(
      Coordination coordination, String path, Consumer<Optional<Integer>> listener) {
    return begun(
        new Watched<>(
            coordination,
            path,
            (client, watcher, answer) ->
                client.getData().usingWatcher(watcher).inBackground(answer).forPath(path),
            event -> event.getStat().getVersion(),
            listener));
  }

  static <T> Watched<T> children(
      Coordination coordination,
      String path,
      Function<List<String>, T> decode,
      Consumer<Optional<T>> listener) {
    return begun(
        new Watched<>(
            coordination,
            path,
            (client, watcher, answer) ->
                client.getChildren().usingWatcher(watcher).inBackground(answer).forPath(path),
            event -> decode.apply(event.getChildren()),
            listener));
  }

  private static <T> Watched<T> begun(Watched<T> watched) {
    watched.refresh();
    return watched;
  }

  /** The newest value that is known; empty if there is no node, or nothing was read yet. */
  public synchronized Optional<T> latest() {
    return latest;
  }

  /**
   * Waits for a value.
   *
   * @param what what is waited for, for the message
   * @throws TimeoutException if none came in time; it says what was waited for
   * @throws UnreachableException if the node may not be read
   */
  public synchronized T await(Predicate<? super T> wanted, Duration deadline, String what)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + deadline.toNanos();
    while (true) {
      if (failure != null) {
        throw failure;
      }
      if (latest.isPresent() && wanted.test(latest.get())) {
        return latest.get();
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new TimeoutException(
            "waited " + deadline.toSeconds() + " s for " + what + ": node=" + path);
      }
      wait(left / 1_000_000 + 1);
    }
  }

  /** Stops watching; the listener is not called any more once this has returned. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    try {
      reconnects.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void fired(WatchedEvent event) {
    if (event.getType() != Watcher.Event.EventType.None) {
      refresh();
    }
  }

  private synchronized void refresh() {
    if (closed) {
      return;
    }
    if (reading) {
      readAgain = true;
      return;
    }
    begin(read);
  }

  private void begin(Read what) {
    reading = true;
    readAgain = false;
    try {
      what.begin(coordination.client(), watcher, (client, event) -> answered(event));
    } catch (Exception e) {
      // Only when the connection is being closed: answers and errors come to the callback.
      reading = false;
      LOG.debug("event=watch-not-begun node={}", path, e);
    }
  }

  private synchronized void answered(CuratorEvent event) {
    reading = false;
    if (closed) {
      return;
    }
    switch (KeeperException.Code.get(event.getResultCode())) {
      case OK -> {
        if (event.getType() == CuratorEventType.EXISTS) {
          readAgain = true;
        } else {
          found(event);
        }
      }
      case NONODE -> {
        changed(Optional.empty(), Long.MIN_VALUE);
        if (event.getType() != CuratorEventType.EXISTS) {
          begin(
              (client, watches, answer) ->
                  client.checkExists().usingWatcher(watches).inBackground(answer).forPath(path));
          return;
        }
      }
      case NOAUTH, AUTHFAILED -> {
        failure =
            new UnreachableException(
                "no permission in ZooKeeper: node=" + path + " quorum=" + coordination.quorum(),
                null);
        notifyAll();
        return;
      }
      default -> {
        LOG.warn("event=watch-failed node={} code={}", path, event.getResultCode());
        readAgain = true;
      }
    }
    if (readAgain) {
      begin(read);
    }
  }

  private void found(CuratorEvent event) {
    try {
      long change =
          event.getChildren() != null ? event.getStat().getPzxid() : event.getStat().getMzxid();
      changed(Optional.of(decode.apply(event)), change);
    } catch (RuntimeException e) {
      LOG.error("event=watch-not-readable node={}", path, e);
      failure = e;
      notifyAll();
    }
  }

  private void changed(Optional<T> value, long change) {
    if (known && change == latestChange) {
      return;
    }
    known = true;
    latest = value;
    latestChange = change;
    notifyAll();
    listener.accept(value);
  }
}
