package io.penstock.container.fetch;

import io.penstock.config.FetchSettings;
import io.penstock.lifecycle.NamedThreads;
import io.penstock.model.UnreachableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs fetches on a pool of threads of its own, the only threads that are ever interrupted.
 *
 * <h2>A try</h2>
 *
 * A fetch is tried up to {@link FetchSettings#attempts()} times. A try opens the file and runs the
 * body on a fetch thread. Its deadline is kept by the watchdog: it interrupts the thread, which
 * ends a blocked read of HDFS in milliseconds. Interrupting and ending a try exclude each other by
 * the lock, so an interrupt never reaches the next try of that thread. Between tries no thread
 * waits: the watchdog puts the fetch back, before all others, after the pause.
 *
 * <h2>A thread that does not come back</h2>
 *
 * Some calls cannot be interrupted. A thread that has not noticed its interrupt after a grace
 * period is given up: another takes its place, and the try counts as failed. It ends by itself when
 * its call returns. When {@value #LOST_PER_THREAD} times as many threads as the pool has are lost,
 * no more take their place, and when none is left every fetch fails at once.
 *
 * <h2>What fails at once</h2>
 *
 * Only failures of I/O and time-outs are tried again. That there is no such file or no permission,
 * and whatever else the body throws, ends the fetch in its first try.
 */
public final class Fetcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);
  private static final int LOST_PER_THREAD = 4;

  /** When a fetch begins, if others wait for a thread. */
  public enum Turn {
    /** After them. */
    LAST,
    /**
     * Before those that are to begin last, because somebody waits for it already or will be soon.
     */
    NEXT
  }

  private final FetchSettings settings;
  private final long overallMillis;
  private final FileSystems fileSystems;
  private final NamedThreads names;
  private final Watchdog watchdog;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  // All below are guarded by lock.
  private final Deque<FetchTask<?>> urgent = new ArrayDeque<>();
  private final Deque<FetchTask<?>> others = new ArrayDeque<>();
  private final Set<FetchTask<?>> unfinished = new HashSet<>();
  private final Set<Thread> threads = new HashSet<>();
  private final Map<Thread, FetchTry> running = new LinkedHashMap<>();
  private final Map<Thread, FetchTry> lost = new LinkedHashMap<>();
  private boolean closed;

  /**
   * @param configuration what file systems are opened with, except for time-outs that nobody has
   *     set
   */
  public Fetcher(Configuration configuration, FetchSettings settings) {
    this(configuration, settings, new WatchdogThread("penstock-fetch-watchdog"));
  }

  Fetcher(Configuration configuration, FetchSettings settings, Watchdog watchdog) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.overallMillis = settings.overall().toMillis();
    this.watchdog = watchdog;
    this.fileSystems = new FileSystems(ClientConfiguration.of(configuration, settings));
    this.names = new NamedThreads("penstock-fetch", Fetcher::uncaught);
    lock.lock();
    try {
      for (int k = 0; k < settings.threads(); k++) {
        startThread();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The settings that it was made with. */
  public FetchSettings settings() {
    return settings;
  }

  /**
   * Starts a fetch; never blocks.
   *
   * @param path the file's full decoded path
   * @param what what of the file is fetched, for messages: {@code row group 3}
   * @throws IllegalStateException if the fetcher is closed
   */
  public <T> Fetch<T> start(String path, String what, FetchBody<T> body) {
    KeptFile file = new KeptFile(path);
    file.close();
    return start(file, what, body, Turn.LAST);
  }

  /**
   * Starts one of several fetches of a file, which stays open between them; never blocks.
   *
   * @param what what of the file is fetched, for messages: {@code row group 3}
   * @throws IllegalStateException if the fetcher is closed
   */
  public <T> Fetch<T> start(KeptFile file, String what, FetchBody<T> body, Turn turn) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the fetcher is closed: file " + file.path() + ", " + what);
      }
      FetchTask<T> task =
          new FetchTask<>(
              file,
              what,
              body,
              Duration.ofMillis(overallMillis * (2L + unfinished.size() / settings.threads())),
              this::cancel);
      unfinished.add(task);
      if (threads.isEmpty()) {
        fail(task, allLost(task));
        return task;
      }
      switch (turn) {
        case LAST -> others.addLast(task);
        case NEXT -> urgent.addLast(task);
      }
      work.signal();
      return task;
    } finally {
      lock.unlock();
    }
  }

  private void cancel(FetchTask<?> task) {
    lock.lock();
    try {
      if (task.isDone()) {
        return;
      }
      urgent.remove(task);
      others.remove(task);
      fail(task, new CancellationException("cancelled: " + task));
      if (task.current != null && !task.current.over) {
        interrupt(task.current);
      }
    } finally {
      lock.unlock();
    }
  }

  private void succeed(FetchTask<?> task, Object value) {
    unfinished.remove(task);
    task.succeed(value);
  }

  private void fail(FetchTask<?> task, Throwable failure) {
    unfinished.remove(task);
    task.fail(failure);
  }

  /**
   * Cancels every fetch, ends the threads and closes the file systems. Waits at most one deadline
   * of a try.
   *
   * @throws UnreachableException naming the fetches whose threads hang in storage, or the file
   *     system that does not close
   */
  @Override
  public void close() {
    List<Thread> toEnd;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      urgent.clear();
      others.clear();
      for (FetchTask<?> task : List.copyOf(unfinished)) {
        fail(task, new CancellationException("the fetcher was closed: " + task));
      }
      running.keySet().forEach(Thread::interrupt);
      toEnd = new ArrayList<>(threads);
      toEnd.addAll(lost.keySet());
      work.signalAll();
    } finally {
      lock.unlock();
    }
    watchdog.close();
    long until = System.nanoTime() + settings.deadline().toNanos();
    Thread closer =
        NamedThreads.named("penstock-fetch-close", this::closeFileSystems, Fetcher::uncaught);
    boolean quiet = joinAll(toEnd, until);
    closer.start();
    boolean filesClosed = joinAll(List.of(closer), quiet ? until : until + grace());
    if (!quiet) {
      throw new UnreachableException("storage does not answer, still waiting: " + hanging(), null);
    }
    if (!filesClosed) {
      throw new UnreachableException(
          "a file system did not close within " + StorageFailures.text(settings.deadline()), null);
    }
  }

  private long grace() {
    return settings.grace().toNanos();
  }

  private static boolean joinAll(List<Thread> threads, long until) {
    boolean interrupted = false;
    boolean ended = true;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        long millis = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        if (millis <= 0) {
          ended = false;
          break;
        }
        try {
          thread.join(millis);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended;
  }

  private void closeFileSystems() {
    try {
      fileSystems.close();
    } catch (IOException e) {
      LOG.warn("event=fetch-close-failed", e);
    }
  }

  private String hanging() {
    lock.lock();
    try {
      Set<String> names = new HashSet<>();
      List<String> texts = new ArrayList<>();
      for (Map<Thread, FetchTry> tries : List.of(running, lost)) {
        tries.forEach(
            (thread, one) -> {
              if (thread.isAlive() && names.add(thread.getName())) {
                texts.add(one.task + " (thread " + thread.getName() + ")");
              }
            });
      }
      return String.join(", ", texts);
    } finally {
      lock.unlock();
    }
  }

  private void startThread() {
    Thread thread = names.newThread(this::runThread);
    threads.add(thread);
    thread.start();
  }

  private void runThread() {
    Thread self = Thread.currentThread();
    try {
      for (FetchTry one = next(self); one != null; one = next(self)) {
        Object result = null;
        Throwable failure = null;
        try {
          result = one.run(fileSystems, settings.maxRead());
        } catch (Throwable e) { // also Errors: they are handed to whoever awaits the fetch
          failure = e;
        }
        ended(one, result, failure);
      }
    } finally {
      lock.lock();
      try {
        threads.remove(self);
        lost.remove(self);
        running.remove(self);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits for work; null when this thread is to end. */
  private FetchTry next(Thread self) {
    lock.lock();
    try {
      while (!closed && threads.contains(self) && urgent.isEmpty() && others.isEmpty()) {
        work.awaitUninterruptibly();
      }
      if (closed || !threads.contains(self)) {
        return null;
      }
      FetchTry one = new FetchTry((urgent.isEmpty() ? others : urgent).removeFirst(), self);
      running.put(self, one);
      one.task.current = one;
      one.timer = watchdog.schedule(() -> overdue(one), settings.deadline());
      return one;
    } finally {
      lock.unlock();
    }
  }

  private void ended(FetchTry one, Object result, Throwable failure) {
    lock.lock();
    try {
      boolean counts = !one.over;
      one.over = true;
      one.timer.cancel();
      running.remove(one.thread, one);
      Thread.interrupted(); // after `over`: no further interrupt can come
      if (!counts) {
        return;
      }
      one.task.current = null;
      if (failure == null) {
        succeed(one.task, result);
      } else if (one.expired) {
        failed(one.task, timedOut(failure));
      } else {
        failed(one.task, failure);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The watchdog's first step: interrupt. */
  private void overdue(FetchTry one) {
    lock.lock();
    try {
      if (!one.over && !closed) {
        one.expired = true;
        interrupt(one);
      }
    } finally {
      lock.unlock();
    }
  }

  private void interrupt(FetchTry one) {
    one.thread.interrupt();
    one.timer.cancel();
    one.timer = watchdog.schedule(() -> giveUp(one), settings.grace());
  }

  /** The watchdog's second step: go on without the thread. */
  private void giveUp(FetchTry one) {
    lock.lock();
    try {
      if (one.over || closed) {
        return;
      }
      one.over = true;
      threads.remove(one.thread);
      running.remove(one.thread);
      lost.put(one.thread, one);
      one.task.file.forget();
      LOG.warn(
          "event=fetch-thread-lost thread={} file={} what=\"{}\" lost={}",
          one.thread.getName(),
          one.task.file.path(),
          one.task.what,
          lost.size());
      one.task.current = null;
      if (lost.size() <= LOST_PER_THREAD * settings.threads()) {
        startThread();
      }
      failed(one.task, timedOut(null));
      if (threads.isEmpty()) {
        urgent.clear();
        others.clear();
        for (FetchTask<?> task : List.copyOf(unfinished)) {
          fail(task, allLost(task));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private UnreachableException allLost(FetchTask<?> task) {
    return new UnreachableException(
        task + ": not fetched, because every fetch thread hangs in storage: " + hanging(), null);
  }

  /** One try failed: fail the fetch, or see to it that it is tried again. */
  private void failed(FetchTask<?> task, Throwable failure) {
    if (task.isDone()) {
      return;
    }
    task.tries++;
    if (!StorageFailures.isStorage(failure)) {
      fail(task, failure);
    } else if (StorageFailures.isFinal(failure)) {
      fail(task, new UnreachableException(task + ": " + StorageFailures.inWords(failure), failure));
    } else if (task.tries >= settings.attempts()) {
      fail(
          task,
          new UnreachableException(
              task
                  + ": not fetched in "
                  + task.tries
                  + " tries, the last: "
                  + StorageFailures.inWords(failure),
              failure));
    } else {
      LOG.info(
          "event=fetch-retry file={} what=\"{}\" attempt={} of={} cause=\"{}\"",
          task.file.path(),
          task.what,
          task.tries,
          settings.attempts(),
          StorageFailures.inWords(failure));
      task.retried();
      watchdog.schedule(() -> retry(task), settings.pauseAfter(task.tries));
    }
  }

  private void retry(FetchTask<?> task) {
    lock.lock();
    try {
      if (!closed && !task.isDone()) {
        urgent.addFirst(task);
        work.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private TimeoutException timedOut(Throwable interrupted) {
    TimeoutException timeout =
        new TimeoutException(
            "storage did not answer within " + StorageFailures.text(settings.deadline()));
    if (interrupted != null) {
      timeout.addSuppressed(interrupted);
    }
    return timeout;
  }

  private static void uncaught(Thread thread, Throwable failure) {
    LOG.error("event=fetch-thread-died thread={}", thread.getName(), failure);
  }
}
