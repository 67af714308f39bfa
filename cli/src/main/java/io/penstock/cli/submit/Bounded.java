package io.penstock.cli.submit;

import io.penstock.model.UnreachableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Requests to a cluster that may hang: each has an end. */
final class Bounded {
  private Bounded() {}

  /**
   * Does a request on a thread of its own, which is given up when its time has passed.
   *
   * @param whom who is asked, for messages: {@code the ResourceManager (host:port)}
   * @throws YarnException what YARN answered
   * @throws UnreachableException if there was no answer, or no permission
   */
  static <T> T call(String whom, Duration longest, Callable<T> request)
      throws YarnException, InterruptedException {
    FutureTask<T> task = new FutureTask<>(request);
    Thread thread = new Thread(task, "ask-cluster");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new UnreachableException(
          "no answer within " + longest.toSeconds() + " s from " + whom, e);
    } catch (ExecutionException e) {
      throw failure(whom, e.getCause());
    } finally {
      task.cancel(true);
    }
  }

  private static RuntimeException failure(String whom, Throwable cause) throws YarnException {
    if (cause instanceof YarnException answer) {
      throw answer;
    }
    if (cause instanceof RuntimeException known) {
      throw known;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof IOException io) {
      return unreachable(whom, io);
    }
    return new IllegalStateException(whom, cause);
  }

  /** What a failure of the connection means. */
  static UnreachableException unreachable(String whom, IOException e) {
    boolean permission =
        e instanceof AccessControlException || e instanceof java.nio.file.AccessDeniedException;
    return new UnreachableException(
        (permission ? "no permission from " : "not reached: ") + whom + ": " + firstLine(e), e);
  }

  /** Errors of servers carry the server's stack in their message. */
  static String firstLine(Throwable e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return message.strip().lines().findFirst().orElse("");
  }
}
