package io.penstock.container.ordered;

import java.time.Duration;
import java.util.Objects;

/**
 * The shape of a stage. None of it can change the order of results.
 *
 * @param name names the stage's threads, in lower case with hyphens
 * @param workers threads that work, &gt;= 1
 * @param queue finished results that wait for the consumer, per worker, &gt;= 1
 * @param readAhead items that are admitted beyond those in work, &gt;= 0
 * @param workWithin how long the consumer waits for the work on one item; work that itself waits on
 *     storage needs more than storage's own deadlines
 * @param closeWithin how long closing waits for the threads to end
 */
public record StageSettings(
    String name, int workers, int queue, int readAhead, Duration workWithin, Duration closeWithin) {
  public StageSettings {
    Objects.requireNonNull(name, "name");
    if (workers < 1 || queue < 1 || readAhead < 0) {
      throw new IllegalArgumentException(
          "must be workers >= 1, queue >= 1, readAhead >= 0: workers="
              + workers
              + " queue="
              + queue
              + " readAhead="
              + readAhead);
    }
    if (workWithin.isNegative() || closeWithin.isNegative()) {
      throw new IllegalArgumentException(
          "must be >= 0: workWithin=" + workWithin + " closeWithin=" + closeWithin);
    }
  }
}
