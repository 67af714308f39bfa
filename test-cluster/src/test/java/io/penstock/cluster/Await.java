package io.penstock.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Waits, under a deadline, for a state of another process that wakes nobody: it looks again and
 * again. Where there is something to be woken by, use that.
 */
final class Await {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private Await() {}

  /** Until {@code look} finds something; {@code what} completes "waited 5 s for ...". */
  static <T> T until(String what, Duration deadline, Callable<Optional<T>> look) throws Exception {
    long end = System.nanoTime() + deadline.toNanos();
    while (true) {
      Optional<T> found = look.call();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("waited " + deadline.toSeconds() + " s for " + what);
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }
}
