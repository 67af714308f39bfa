package io.penstock.container.fetch;

import io.penstock.container.fetch.KeptFile.Opened;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One run of a fetch's body on a fetch thread. The fetcher's lock guards all but {@link #run}; what
 * the thread reads meanwhile is volatile.
 */
final class FetchTry {
  final FetchTask<?> task;
  final Thread thread;

  /** The watchdog's next step. */
  Watchdog.Alarm timer;

  /** Its deadline has passed. */
  boolean expired;

  /** It has ended or was given up: what comes of it no longer counts. Written under the lock. */
  volatile boolean over;

  FetchTry(FetchTask<?> task, Thread thread) {
    this.task = task;
    this.thread = thread;
  }

  /** Runs the body on the file, which it opens unless it is open; on {@link #thread}. */
  Object run(FileSystems fileSystems, int maxRead) throws IOException {
    BooleanSupplier givenUp = () -> over || task.isDone() || interrupted();
    Optional<Opened> kept = task.file.take();
    Opened opened =
        kept.isPresent()
            ? kept.get()
            : task.file.share(HadoopFile.open(fileSystems, task.file.path(), maxRead, givenUp));
    boolean sound = false;
    try {
      Object result = task.body.fetch(opened.file.until(givenUp));
      sound = true;
      return result;
    } finally {
      task.file.end(opened, sound);
    }
  }

  private static boolean interrupted() {
    return Thread.currentThread().isInterrupted();
  }
}
