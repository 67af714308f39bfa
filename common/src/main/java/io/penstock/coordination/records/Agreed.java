package io.penstock.coordination.records;

import io.penstock.model.Cursor;
import java.util.List;
import java.util.Objects;

/**
 * How far all ranks of a feed are for good: node {@code feeds/<feed>/agreed}. A restart begins
 * here, whatever the number of ranks.
 *
 * @param generation the generation that reached it
 * @param cursor the agreed cursor
 * @param sums of the epoch {@code cursor.epoch()} up to the cursor, over all ranks and generations
 * @param carried what generations before this one spent on epochs that are not finished
 */
public record Agreed(int generation, Cursor cursor, Sums sums, List<Carried> carried) {
  /** Nothing was delivered yet. */
  public static final Agreed START = new Agreed(0, Cursor.START, Sums.NONE, List.of());

  public Agreed {
    Objects.requireNonNull(cursor, "cursor");
    Objects.requireNonNull(sums, "sums");
    carried = carried == null ? List.of() : List.copyOf(carried);
  }

  /**
   * What ended generations spent on an epoch that the agreed cursor has not passed.
   *
   * @param seconds wall time of the slowest rank
   * @param rankSeconds the ranks' time, added up
   * @param waitSeconds how much of it was waiting
   * @param rowsFromStorage of the rows that count
   * @param rowsFromCache of the rows that count
   * @param deliveredAgain rows that were delivered and then begun again
   */
  public record Carried(
      long epoch,
      double seconds,
      double rankSeconds,
      double waitSeconds,
      long rowsFromStorage,
      long rowsFromCache,
      long deliveredAgain) {}
}
