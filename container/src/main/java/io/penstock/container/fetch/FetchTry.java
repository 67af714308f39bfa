package io.penstock.container.fetch;

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
    Optional<HadoopFile> idle = task.file.take();
    HadoopFile file =
        idle.isPresent()
            ? idle.get().until(givenUp)
            : HadoopFile.open(fileSystems, task.file.path(), maxRead, givenUp);
    boolean sound = false;
    try {
      Object result = task.body.fetch(file);
      sound = true;
      return result;
    } finally {
      if (sound) {
        task.file.keep(file);
      } else {
        KeptFile.close(file);
      }
    }
  }

  private static boolean interrupted() {
    return Thread.currentThread().isInterrupted();
  }
}
