package io.penstock.container.ordered;

import io.penstock.lifecycle.Clock;

/** Sums up stretches of time. Guarded by the stage's lock. */
final class Stopwatch {
  private final Clock clock;
  private long total;
  private long since;
  private boolean running;

  Stopwatch(Clock clock) {
    this.clock = clock;
  }

  void start() {
    since = clock.nanoTime();
    running = true;
  }

  void stop() {
    total = total();
    running = false;
  }

  /** Nanoseconds, with the stretch that still lasts. */
  long total() {
    return running ? total + clock.nanoTime() - since : total;
  }
}
