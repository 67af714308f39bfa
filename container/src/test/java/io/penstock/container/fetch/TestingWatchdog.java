package io.penstock.container.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A watchdog whose time a test moves; steps without delay run at once. */
final class TestingWatchdog implements Watchdog {
  private final List<Step> steps = new ArrayList<>();
  private Duration now = Duration.ZERO;

  private record Step(Duration at, Runnable body) {}

  @Override
  public Alarm schedule(Runnable body, Duration after) {
    if (after.isZero()) {
      body.run();
      return () -> {};
    }
    synchronized (this) {
      Step step = new Step(now.plus(after), body);
      steps.add(step);
      return () -> remove(step);
    }
  }

  private synchronized void remove(Step step) {
    steps.removeIf(other -> other == step);
  }

  /** Moves time, running on this thread what comes due. */
  void advance(Duration by) {
    Duration until;
    synchronized (this) {
      until = now.plus(by);
    }
    for (Optional<Step> due = next(until); due.isPresent(); due = next(until)) {
      due.get().body().run();
    }
    synchronized (this) {
      now = until;
    }
  }

  private synchronized Optional<Step> next(Duration until) {
    Optional<Step> due =
        steps.stream()
            .filter(step -> step.at().compareTo(until) <= 0)
            .min(Comparator.comparing(Step::at));
    due.ifPresent(
        step -> {
          steps.remove(step);
          now = step.at();
        });
    return due;
  }

  @Override
  public synchronized void close() {
    steps.clear();
  }
}
