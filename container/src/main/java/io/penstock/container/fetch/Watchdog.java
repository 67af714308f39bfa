package io.penstock.container.fetch;

import java.time.Duration;

/** Calls back after a time. */
interface Watchdog {
  /** Runs {@code step} once, on the watchdog's thread; steps are short and never block. */
  Alarm schedule(Runnable step, Duration after);

  /** Forgets all steps; none starts after this. Never blocks. */
  void close();

  /** A step that is to come. */
  @FunctionalInterface
  interface Alarm {
    void cancel();
  }
}
