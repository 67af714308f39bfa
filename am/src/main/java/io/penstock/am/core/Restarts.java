package io.penstock.am.core;

import io.penstock.coordination.records.Failure;
import io.penstock.model.Cursor;
import java.util.Optional;

/**
 * Whether another generation is worth a try.
 *
 * <p>Two things end the tries: there were as many as the limit says, or the training step has
 * failed with one and the same message, which names its step, {@value #SAME_FAILURES} times in a
 * row and nothing was agreed on in between. Other failures (storage, ZooKeeper, a killed process)
 * may pass by themselves, however equal they are.
 */
final class Restarts {
  static final int SAME_FAILURES = 3;
  private static final String STEP_FAILED = "STEP_FAILED";

  private record StepFailure(String feed, String message, Cursor agreed) {}

  private final int limit;
  private int count;
  private Optional<StepFailure> last = Optional.empty();
  private int same;

  Restarts(int limit) {
    this.limit = limit;
  }

  /** Goes on counting where an earlier attempt was. */
  void goOnFrom(int restarts) {
    count = restarts;
  }

  int count() {
    return count;
  }

  /**
   * Counts a failure of a rank.
   *
   * @param told what the rank said of it
   * @param agreed the feed's agreed cursor
   * @return why there is no further try, to go behind the failure's own words
   */
  Optional<String> refused(String feed, Optional<Failure> told, Cursor agreed) {
    Optional<StepFailure> failure =
        told.filter(failed -> failed.kind().equals(STEP_FAILED))
            .map(failed -> new StepFailure(feed, failed.message(), agreed));
    same = failure.isPresent() && failure.equals(last) ? same + 1 : 1;
    last = failure;
    if (failure.isPresent() && same == SAME_FAILURES) {
      return Optional.of(
          " (%d times in a row, and nothing was committed in between)".formatted(same));
    }
    if (count == limit) {
      return Optional.of(count == 0 ? "" : " (after %d restarts)".formatted(count));
    }
    count++;
    return Optional.empty();
  }
}
