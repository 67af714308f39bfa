package io.penstock.cli.job;

import io.penstock.coordination.JobStore;
import io.penstock.coordination.Watched;
import io.penstock.coordination.records.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Wakes whoever waits for something to change in a job's records.
 *
 * <p>The state is watched from the beginning, progress and agreed cursors once the spec is there;
 * the ApplicationMaster writes the spec before the first state.
 */
public final class JobChanges implements AutoCloseable {
  private final JobStore store;
  private final List<Watched<?>> watches = new ArrayList<>(); // guarded by this
  private boolean watchesFeeds; // guarded by this
  private boolean changed = true; // guarded by this
  private boolean ended; // guarded by this

  private JobChanges(JobStore store) {
    this.store = store;
  }

  /** Begins to watch. */
  public static JobChanges of(JobStore store) {
    JobChanges changes = new JobChanges(store);
    Watched<?> state = store.watchState(value -> changes.wake());
    synchronized (changes) {
      changes.watches.add(state);
    }
    return changes;
  }

  /**
   * Waits until something has changed since the last call, the end, or some time has passed.
   *
   * @return false after {@link #end}
   */
  public boolean await(Duration longest) throws InterruptedException {
    watchFeeds();
    long end = System.nanoTime() + longest.toNanos();
    synchronized (this) {
      while (!changed && !ended) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          break;
        }
        wait(left / 1_000_000 + 1);
      }
      changed = false;
      return !ended;
    }
  }

  private void watchFeeds() {
    synchronized (this) {
      if (watchesFeeds) {
        return;
      }
    }
    JobSpec spec = store.spec().orElse(null);
    if (spec == null) {
      return;
    }
    List<Watched<?>> more = new ArrayList<>();
    spec.feeds()
        .forEach(
            (name, feed) -> {
              more.add(store.watchAgreed(name, value -> wake()));
              for (int rank = 0; rank < feed.ranks(); rank++) {
                more.add(store.watchProgress(name, rank, value -> wake()));
              }
            });
    synchronized (this) {
      watchesFeeds = true;
      watches.addAll(more);
    }
  }

  /** Says that something has changed that ZooKeeper does not tell. */
  public synchronized void wake() {
    changed = true;
    notifyAll();
  }

  /** Wakes the waiter for good. */
  public synchronized void end() {
    ended = true;
    notifyAll();
  }

  @Override
  public void close() {
    List<Watched<?>> all;
    synchronized (this) {
      all = List.copyOf(watches);
      watches.clear();
    }
    all.forEach(Watched::close);
  }
}
