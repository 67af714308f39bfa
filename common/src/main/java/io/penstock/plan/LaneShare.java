package io.penstock.plan;

import io.penstock.model.RankSlice;

/**
 * The part of one lane's stream that one rank delivers: of the lane's b rows of each step those
 * from {@code first} up to, not including, {@code last}. Offsets here count on over the passes of a
 * lane that begins again.
 *
 * @param lane l
 * @param laneBatch b
 * @param laneRows rows of one pass
 * @param steps T
 * @param first 0 &lt;= first &lt; last &lt;= b
 * @param at place of the share's first row in the rank's rows of a step
 */
record LaneShare(int lane, int laneBatch, long laneRows, long steps, int first, int last, int at) {

  static LaneShare of(Plan plan, RankSlice slice, int lane) {
    int batch = plan.order().batch();
    int laneBatch = plan.order().laneBatch();
    int laneFrom = lane * laneBatch;
    int first = Math.max(slice.from(batch) - laneFrom, 0);
    int last = Math.min(slice.to(batch) - laneFrom, laneBatch);
    return new LaneShare(
        lane,
        laneBatch,
        plan.laneRows(lane),
        plan.steps(),
        first,
        last,
        laneFrom + first - slice.from(batch));
  }

  /** Rows a step. */
  int rows() {
    return last - first;
  }

  /** Offset of the share's first row of a step. */
  long from(long step) {
    return step * laneBatch + first;
  }

  /** One past the offset of the share's last row of a step. */
  long to(long step) {
    return step * laneBatch + last;
  }

  /** First step that delivers a row of the share at {@code offset} or later. */
  long firstStepFrom(long offset) {
    return Math.floorDiv(offset - last, (long) laneBatch) + 1;
  }

  /** Last step that delivers a row of the share before {@code offset}, which is &gt; first. */
  long lastStepBefore(long offset) {
    return Math.min(Math.floorDiv(offset - 1 - first, (long) laneBatch), steps - 1);
  }

  int passOf(long offset) {
    return Math.toIntExact(offset / laneRows);
  }

  long passBegin(int pass) {
    return pass * laneRows;
  }

  /** Whether all rows from {@code begin} to {@code end} are delivered in these steps. */
  boolean coversAll(long firstStep, long lastStep, long begin, long end) {
    return from(firstStep) <= begin
        && to(lastStep) >= end
        && (rows() == laneBatch || firstStep == lastStep);
  }
}
