package io.penstock.container.fetch;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a fetch's body on a fetch thread. The fetcher's lock guards all but {@link #run}; what
 * the thread reads meanwhile is volatile.
 */
final class FetchTry {
  private static final Logger LOG = LoggerFactory.getLogger(FetchTry.class);

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

  /** Opens the file and runs the body; on {@link #thread}. */
  Object run(FileSystems fileSystems, int maxRead) throws IOException {
    HadoopFile file =
        HadoopFile.open(
            fileSystems, task.path, maxRead, () -> over || task.isDone() || interrupted());
    try {
      return task.body.fetch(file);
    } finally {
      try {
        file.close();
      } catch (IOException e) {
        LOG.debug("event=fetch-file-not-closed file={}", task.path, e);
      }
    }
  }

  private static boolean interrupted() {
    return Thread.currentThread().isInterrupted();
  }
}
