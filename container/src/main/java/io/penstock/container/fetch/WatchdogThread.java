package io.penstock.container.fetch;

import io.penstock.lifecycle.NamedThreads;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A watchdog on one thread. */
final class WatchdogThread implements Watchdog {
  private static final Logger LOG = LoggerFactory.getLogger(WatchdogThread.class);

  private final ScheduledThreadPoolExecutor executor;

  WatchdogThread(String name) {
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            body ->
                NamedThreads.named(
                    name,
                    body,
                    (thread, e) ->
                        LOG.error("event=watchdog-died thread={}", thread.getName(), e)));
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Alarm schedule(Runnable step, Duration after) {
    try {
      ScheduledFuture<?> future =
          executor.schedule(() -> run(step), after.toNanos(), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) { // closed
      return () -> {};
    }
  }

  private static void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.error("event=watchdog-step-failed", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
