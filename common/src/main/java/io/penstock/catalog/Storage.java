package io.penstock.catalog;

import io.penstock.config.CatalogSettings;
import io.penstock.config.ClientTimeouts;
import io.penstock.model.DataException;
import io.penstock.model.DataException.Place;
import io.penstock.model.PenstockException;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file systems of a dataset, asked by threads of its own so that every wait has an end.
 *
 * <h2>Deadlines</h2>
 *
 * There are two: {@code connectTimeout} without a single answer, and {@code timeout} for everything
 * together. At either, what is under way is interrupted and an {@link UnreachableException} names
 * what was waited for. Hadoop's own time-outs, where nobody has set them, are made to fit: its
 * defaults hide a NameNode that hangs for two minutes and a host that swallows packets for fifteen.
 */
final class Storage implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Storage.class);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

  private final Configuration configuration;
  private final CatalogSettings settings;
  private final long deadline;
  private final ExecutorService threads;
  private final FooterMemory memory;
  private final Map<String, FutureTask<FileSystem>> fileSystems = new ConcurrentHashMap<>();
  private final AtomicLong started = new AtomicLong();
  private final ConcurrentSkipListMap<Long, String> running = new ConcurrentSkipListMap<>();

  /** Work on one item that may fail as storage does. */
  @FunctionalInterface
  interface Request<T, R> {
    R on(T item) throws IOException;
  }

  Storage(Configuration configuration, CatalogSettings settings) {
    this.configuration = ClientTimeouts.within(settings.connectTimeout(), configuration);
    this.settings = settings;
    this.deadline = System.nanoTime() + settings.timeout().toNanos();
    this.memory = new FooterMemory(settings.memoryBytes());
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            settings.threads(),
            work -> {
              Thread thread = new Thread(work, "catalog-" + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** The file system of a path, one of our own so that closing it breaks nobody. */
  FileSystem fileSystem(Path path) throws IOException {
    URI uri = path.toUri();
    if (uri.getScheme() == null) {
      uri = FileSystem.getDefaultUri(configuration);
    }
    String key = uri.getScheme() + "://" + (uri.getAuthority() == null ? "" : uri.getAuthority());
    URI root = uri;
    FutureTask<FileSystem> opening =
        fileSystems.computeIfAbsent(
            key, k -> new FutureTask<>(() -> FileSystem.newInstance(root, configuration)));
    // Whoever comes first opens it; the others wait, and can be interrupted.
    opening.run();
    try {
      return opening.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while opening " + key);
    }
  }

  /** Reads a file's footer, within the memory that all footers in work may take. */
  Footer footer(FileStatus file) throws IOException {
    Path path = file.getPath();
    return Footer.read(fileSystem(path), path, file.getLen(), memory);
  }

  /**
   * Does a request on every item, several at a time.
   *
   * @param doing what a request does, for messages: {@code listing hdfs://...}
   * @return the results in the order of the items
   * @throws PenstockException the first failure, in the order that they happen
   */
  <T, R> List<R> each(List<T> items, Function<T, String> doing, Request<T, R> request) {
    CompletionService<Void> answers = new ExecutorCompletionService<>(threads);
    List<R> results = new ArrayList<>(Collections.nCopies(items.size(), null));
    List<Future<Void>> futures = new ArrayList<>(items.size());
    try {
      for (int i = 0; i < items.size(); i++) {
        int place = i;
        futures.add(
            answers.submit(
                () -> {
                  T item = items.get(place);
                  long number = started.getAndIncrement();
                  running.put(number, doing.apply(item));
                  try {
                    R result = request.on(item);
                    synchronized (results) {
                      results.set(place, result);
                    }
                    return null;
                  } catch (IOException | RuntimeException e) {
                    throw failure(doing.apply(item), e);
                  } finally {
                    running.remove(number);
                  }
                }));
      }
      for (int answered = 0; answered < items.size(); answered++) {
        await(answers, answered, items.size()).get();
      }
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while " + waitedFor(), e);
    } finally {
      futures.forEach(future -> future.cancel(true));
    }
    synchronized (results) {
      return results;
    }
  }

  private Future<Void> await(CompletionService<Void> answers, int answered, int all)
      throws InterruptedException {
    long idle = settings.connectTimeout().toNanos();
    long left = deadline - System.nanoTime();
    Future<Void> answer = answers.poll(Math.min(idle, left), TimeUnit.NANOSECONDS);
    if (answer == null) {
      String limit =
          left <= idle
              ? "not done within " + seconds(settings.timeout()) + " (penstock.catalog.timeout)"
              : "no answer within "
                  + seconds(settings.connectTimeout())
                  + " (penstock.catalog.connect-timeout)";
      throw new UnreachableException(
          limit
              + " while "
              + waitedFor()
              + "; "
              + answered
              + " of "
              + all
              + " requests were answered",
          null);
    }
    return answer;
  }

  /** What has been under way for the longest time. */
  private String waitedFor() {
    Map.Entry<Long, String> first = running.firstEntry();
    return first == null ? "waiting for storage" : first.getValue();
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  private static PenstockException rethrown(Throwable cause) {
    if (cause instanceof PenstockException known) {
      return known;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    throw new IllegalStateException(cause);
  }

  /** What a failure of storage means to the person who runs the job. */
  private static RuntimeException failure(String doing, Exception e) {
    Throwable cause = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    if (cause instanceof PenstockException known) {
      return known;
    }
    if (isPermission(cause)) {
      return new UnreachableException(
          "no permission while " + doing + ": " + firstLine(cause), cause);
    }
    if (cause instanceof UnsupportedFileSystemException) {
      return new UsageException(
          "no such kind of file system while " + doing + ": " + firstLine(cause), cause);
    }
    if (cause instanceof IOException || causedByUnknownHost(cause)) {
      return new UnreachableException(
          "not reached while " + doing + ": " + firstLine(cause), cause);
    }
    return (RuntimeException) cause;
  }

  static boolean isPermission(Throwable e) {
    return e instanceof AccessControlException
        || e instanceof java.nio.file.AccessDeniedException
        || (e instanceof FileNotFoundException
            && e.getMessage() != null
            && e.getMessage().contains("Permission denied"));
  }

  private static boolean causedByUnknownHost(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  private static String firstLine(Throwable e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return message.lines().findFirst().orElse(e.getClass().getSimpleName());
  }

  /** A file that went away after it was listed. */
  static DataException vanished(Path path, FileNotFoundException e) {
    return new DataException(Place.of(path.toString()), "it was removed while it was read", e);
  }

  /** Interrupts what is under way, and gives the file systems a moment to close. */
  @Override
  public void close() {
    threads.shutdownNow();
    Thread closer = new Thread(this::closeFileSystems, "catalog-close");
    closer.setDaemon(true);
    closer.start();
    try {
      threads.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      closer.join(CLOSE_WITHIN.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeFileSystems() {
    for (FutureTask<FileSystem> opening : fileSystems.values()) {
      if (!opening.isDone()) {
        opening.cancel(true);
        continue;
      }
      try {
        opening.get().close();
      } catch (ExecutionException e) {
        LOG.debug("event=file-system-never-open", e.getCause());
      } catch (InterruptedException | IOException e) {
        LOG.debug("event=file-system-close-failed", e);
      }
    }
  }
}
