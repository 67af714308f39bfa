package io.penstock.cli.commands;

import io.penstock.model.Cursor;
import io.penstock.model.UsageException;

/**
 * Steps of one epoch.
 *
 * @param first the first
 * @param end one past the last
 */
record StepRange(long first, long end) {
  /**
   * Reads {@code t} or {@code t:u}.
   *
   * @throws UsageException if it is neither, or holds no step
   */
  static StepRange parse(String text) {
    if (!text.matches("[0-9]{1,18}(:[0-9]{1,18})?")) {
      throw new UsageException("must be t or t:u, whole numbers: --step=" + text);
    }
    String[] ends = text.split(":");
    long first = Long.parseLong(ends[0]);
    long end = ends.length == 1 ? first + 1 : Long.parseLong(ends[1]);
    if (end <= first) {
      throw new UsageException("must have t < u: --step=" + text);
    }
    return new StepRange(first, end);
  }

  /**
   * Checks that an epoch has them.
   *
   * @param steps of the epoch
   */
  void check(long steps) {
    if (end > steps) {
      throw new UsageException(
          "must be < %d, the steps of an epoch: --step=%d:%d".formatted(steps, first, end));
    }
  }

  long count() {
    return end - first;
  }

  Cursor start(long epoch) {
    return new Cursor(epoch, first);
  }

  /** The cursor after the last of them. */
  Cursor end(long epoch, long steps) {
    return Cursor.after(epoch, end - 1, steps);
  }
}
