package io.penstock.history;

import io.penstock.config.ClientTimeouts;
import io.penstock.coordination.Json;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.JobState;
import io.penstock.lifecycle.Agent;
import io.penstock.lifecycle.AgentRunner;
import io.penstock.lifecycle.Backoff;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.Deadline;
import io.penstock.lifecycle.DeadlineException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a job's history up to date, on a thread of its own. The calls that tell it something return
 * at once; storage that fails is tried again for as long as the job lives, and never ends the job.
 *
 * <p>Changes within a few seconds are written together. Each record is written whole under a name
 * of its own, and the one before it is then removed, so that a reader always finds one.
 */
public final class HistoryKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryKeeper.class);
  private static final FsPermission FOLDER = new FsPermission((short) 0750);
  private static final Duration TOGETHER = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** What a file of the history holds. */
  @FunctionalInterface
  public interface Content {
    /** Writes it; the stream stays open. */
    void writeTo(OutputStream out) throws IOException;
  }

  private final HistoryFolder folder;
  private final int attempt;
  private final Map<String, Content> files;
  private final Configuration configuration;
  private final Duration timeout;
  private final Clock clock;
  private final AgentRunner runner;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by lock.
  private JobHistory history;
  private long version = 1;
  private long written;
  private boolean hurry;
  private boolean ending;

  private HistoryKeeper(
      HistoryFolder folder,
      JobHistory history,
      Map<String, Content> files,
      int attempt,
      Configuration configuration,
      Duration timeout,
      Clock clock) {
    this.folder = folder;
    this.history = history;
    this.files = new LinkedHashMap<>(files);
    this.attempt = attempt;
    this.configuration = ClientTimeouts.within(timeout, configuration);
    this.timeout = timeout;
    this.clock = clock;
    this.runner =
        new AgentRunner(
            new Writer(), clock, timeout, e -> LOG.warn("event=history-ended reason=\"{}\"", e, e));
  }

  /**
   * Starts the thread, which first writes {@code files}, those that are there already left as they
   * are, and takes over what earlier attempts had kept.
   *
   * @param history what is known now
   * @param files by name in the folder
   * @param attempt number of the application attempt
   * @param timeout for one request, and for {@link #close}
   */
  public static HistoryKeeper start(
      HistoryFolder folder,
      JobHistory history,
      Map<String, Content> files,
      int attempt,
      Configuration configuration,
      Duration timeout,
      Clock clock) {
    HistoryKeeper keeper =
        new HistoryKeeper(folder, history, files, attempt, configuration, timeout, clock);
    keeper.runner.start();
    return keeper;
  }

  public void agreed(String feed, Agreed agreed) {
    change(h -> h.with(feed, h.feed(feed).with(agreed)));
  }

  public void epoch(String feed, EpochRecord epoch) {
    change(h -> h.with(feed, h.feed(feed).with(List.of(epoch))));
  }

  public void decision(Decision decision) {
    change(h -> h.with(decision));
  }

  public void state(JobState state) {
    change(h -> h.with(state));
  }

  private void change(UnaryOperator<JobHistory> how) {
    lock.lock();
    try {
      history = how.apply(history);
      version++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the last change to be written, unless storage is late, and ends the thread. */
  @Override
  public void close() {
    lock.lock();
    try {
      hurry = true;
      changed.signalAll();
      Deadline deadline = Deadline.after(timeout, clock);
      while (written < version && !deadline.passed()) {
        deadline.await(lock, changed, () -> "the history to be written");
      }
      if (written < version) {
        LOG.warn("event=history-not-complete folder={}", folder.path());
      }
    } finally {
      lock.unlock();
    }
    try {
      runner.close();
    } catch (DeadlineException e) {
      LOG.warn("event=history-not-closed reason=\"{}\"", e.getMessage());
    }
  }

  private final class Writer implements Agent {
    private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    private FileSystem fileSystem;
    private boolean begun;
    private Optional<RecordName> last = Optional.empty();
    private long number;
    private long readyAt = clock.nanoTime();

    @Override
    public String role() {
      return "history-keeper";
    }

    @Override
    public Next doWork() {
      long target = await();
      if (target == 0) {
        return Next.END;
      }
      try {
        begin();
        record();
        done(target);
      } catch (IOException | RuntimeException e) {
        failed(e);
      }
      return Next.AGAIN;
    }

    /** Waits for something to write; 0 if the end has come. */
    private long await() {
      lock.lock();
      try {
        while (!ending && (written >= version || (!isHurry() && clock.nanoTime() < readyAt))) {
          if (written >= version) {
            changed.awaitUninterruptibly();
          } else {
            clock.await(lock, changed, readyAt);
          }
        }
        return ending ? 0 : version;
      } finally {
        lock.unlock();
      }
    }

    private boolean isHurry() {
      return hurry && !backoff.isFailing();
    }

    private void begin() throws IOException {
      if (begun) {
        return;
      }
      if (fileSystem == null) {
        fileSystem = folder.open(configuration);
      }
      fileSystem.mkdirs(folder.path(), FOLDER);
      for (Map.Entry<String, Content> file : files.entrySet()) {
        Path path = folder.file(file.getKey());
        if (!fileSystem.exists(path)) {
          write(path, file.getValue());
        }
      }
      List<RecordName> names = RecordName.in(fileSystem, folder.path());
      if (!names.isEmpty()) {
        JobHistory earlier = read(fileSystem, folder.file(names.get(0).toString()));
        number = names.get(0).attempt() == attempt ? names.get(0).number() : 0;
        last = Optional.of(names.get(0));
        lock.lock();
        try {
          history = history.over(earlier);
        } finally {
          lock.unlock();
        }
      }
      begun = true;
      LOG.info("event=history folder={}", folder.path());
    }

    private void record() throws IOException {
      byte[] text;
      lock.lock();
      try {
        text = Json.text(history).getBytes(StandardCharsets.UTF_8);
      } finally {
        lock.unlock();
      }
      RecordName name = new RecordName(attempt, ++number);
      write(folder.file(name.toString()), out -> out.write(text));
      if (last.isPresent() && last.get().compareTo(name) < 0) {
        fileSystem.delete(folder.file(last.get().toString()), false);
      }
      last = Optional.of(name);
    }

    /** Nobody ever sees half of a file. */
    private void write(Path path, Content content) throws IOException {
      Path half = new Path(path.getParent(), "." + path.getName() + "." + attempt + ".half");
      try (OutputStream out = fileSystem.create(half, true)) {
        content.writeTo(out);
      }
      if (!fileSystem.rename(half, path)) {
        fileSystem.delete(half, false);
        if (!fileSystem.exists(path)) {
          throw new IOException("could not be renamed: " + half);
        }
      }
    }

    private void done(long target) {
      lock.lock();
      try {
        written = target;
        backoff.succeeded();
        readyAt = clock.nanoTime() + TOGETHER.toNanos();
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void failed(Exception e) {
      Duration pause = backoff.failed();
      LOG.warn(
          "event=history-not-written folder={} pause={} reason=\"{}\"",
          folder.path(),
          pause,
          e.toString());
      readyAt = clock.nanoTime() + pause.toNanos();
    }

    @Override
    public void wake() {
      lock.lock();
      try {
        ending = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onClose() throws IOException {
      if (fileSystem != null) {
        fileSystem.close();
      }
    }
  }

  static JobHistory read(FileSystem fileSystem, Path file) throws IOException {
    try (InputStream in = fileSystem.open(file)) {
      return Json.read(file.toString(), in.readAllBytes(), JobHistory.class);
    }
  }
}
