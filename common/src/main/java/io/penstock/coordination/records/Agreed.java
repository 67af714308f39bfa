package io.penstock.coordination.records;

import io.penstock.model.Cursor;
import java.util.List;
import java.util.Objects;

/**
 * How far all ranks of a feed are for good: node {@code feeds/<feed>/agreed}. A restart begins
 * here, whatever the number of ranks.
 *
 * @param generation the generation that reached it
 * @param ranks W of that generation
 * @param start where that generation began
 * @param startSums of the epoch {@code start.epoch()} up to {@code start}, over all ranks and
 *     generations before
 * @param cursor the agreed cursor
 * @param sums of the epoch {@code cursor.epoch()} up to the cursor, over all ranks and generations
 * @param carried what generations before this one spent on epochs that are not finished
 */
public record Agreed(
    int generation,
    int ranks,
    Cursor start,
    Sums startSums,
    Cursor cursor,
    Sums sums,
    List<Carried> carried) {
  /** Nothing was delivered yet, and there were no ranks. */
  public static final Agreed NOTHING =
      new Agreed(0, 0, Cursor.START, Sums.NONE, Cursor.START, Sums.NONE, List.of());

  public Agreed {
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(startSums, "startSums");
    Objects.requireNonNull(cursor, "cursor");
    Objects.requireNonNull(sums, "sums");
    carried = carried == null ? List.of() : List.copyOf(carried);
  }

  /**
   * What ended generations spent on an epoch.
   *
   * @param seconds wall time of each generation's slowest rank, added up
   * @param rankSeconds all ranks' time, added up
   * @param waitSeconds how much of it was waiting
   * @param deliveredAgain rows beyond the cursor that the next generation began at
   */
  public record Carried(
      long epoch, double seconds, double rankSeconds, double waitSeconds, long deliveredAgain) {
    /** Nothing was spent on an epoch yet. */
    public static Carried none(long epoch) {
      return new Carried(epoch, 0, 0, 0, 0);
    }

    /** Both together; they are about the same epoch. */
    public Carried plus(Carried other) {
      return new Carried(
          epoch,
          seconds + other.seconds,
          rankSeconds + other.rankSeconds,
          waitSeconds + other.waitSeconds,
          deliveredAgain + other.deliveredAgain);
    }
  }
}
