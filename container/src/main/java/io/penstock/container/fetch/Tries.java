package io.penstock.container.fetch;

import io.penstock.config.FetchSettings;
import java.time.Duration;

/** How long the tries of one fetch, and the waits between them, can take. */
record Tries(FetchSettings settings) {
  /** The wait stops growing after so many doublings. */
  private static final int MOST_DOUBLINGS = 6;

  /** How long an interrupted try may take to notice before its thread is given up. */
  Duration grace() {
    return settings.deadline().dividedBy(4);
  }

  /** How long all tries of one fetch can take, waits between them included. */
  Duration overall() {
    Duration sum = settings.deadline().plus(grace()).multipliedBy(settings.attempts());
    for (int attempt = 1; attempt < settings.attempts(); attempt++) {
      sum = sum.plus(pauseAfter(attempt));
    }
    return sum;
  }

  /** The wait after try number {@code attempt}, counted from 1. */
  Duration pauseAfter(int attempt) {
    return settings.backoff().multipliedBy(1L << Math.min(attempt - 1, MOST_DOUBLINGS));
  }
}
