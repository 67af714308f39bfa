package io.penstock.plan;

import io.penstock.model.Deal;
import io.penstock.model.RankSlice;
import io.penstock.model.Remainder;
import java.util.Arrays;

/**
 * How many rows the windows hold that a step touches, of whichever rank and step that is most: what
 * a rank must have room for at once.
 *
 * <p>Found by a sweep over all steps where that is quick. For large plans it is a bound that holds
 * for every epoch: of each lane, as many of its largest pieces as a step can possibly touch windows
 * of.
 */
public final class WindowNeed {
  /** Pieces that a sweep may go over. */
  private static final long SWEEP_LIMIT = 2_000_000;

  private WindowNeed() {}

  /**
   * The most rows.
   *
   * @param ranks W, which divides the batch
   * @param epochs that are delivered
   */
  public static long rows(Plan plan, int ranks, long epochs) {
    long timesRead = Math.max(1, ranks / plan.order().lanes());
    return epochs * plan.rowGroups() * timesRead > SWEEP_LIMIT
        ? bound(plan, ranks)
        : exact(plan, ranks, epochs);
  }

  static long exact(Plan plan, int ranks, long epochs) {
    RankPlan[] rankPlans = new RankPlan[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      rankPlans[rank] = new RankPlan(plan, new RankSlice(rank, ranks));
    }
    long most = 0;
    for (long e = 0; e < epochs; e++) {
      EpochPlan epoch = plan.epoch(e);
      for (RankPlan rank : rankPlans) {
        most = Math.max(most, rank.peakWindowRows(epoch));
      }
    }
    return most;
  }

  static long bound(Plan plan, int ranks) {
    boolean fixed = plan.order().deal() == Deal.FIXED;
    EpochPlan first = plan.epoch(0);
    // Where each epoch is dealt anew, any row groups can come together in a lane.
    long[] any = fixed ? null : ascending(plan);
    int cut = fixed ? 0 : 2;
    int perRank = plan.order().batch() / ranks;
    long[] bounds = new long[ranks];
    for (int lane = 0; lane < plan.order().lanes(); lane++) {
      long[] rows = fixed ? ascending(first.lane(lane)) : any;
      long begin = (long) lane * plan.order().laneBatch();
      int firstRank = (int) (begin / perRank);
      for (int r = firstRank; r < firstRank + plan.ranksReading(lane, ranks); r++) {
        LaneShare share = LaneShare.of(plan, new RankSlice(r, ranks), lane);
        bounds[r] += ofLane(plan, share, rows, cut);
      }
    }
    return Arrays.stream(bounds).max().orElseThrow();
  }

  private static long[] ascending(LanePlan lane) {
    long[] rows = new long[lane.pieces()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = lane.piece(i).rows();
    }
    Arrays.sort(rows);
    return rows;
  }

  private static long[] ascending(Plan plan) {
    long[] rows = new long[plan.rowGroups()];
    for (int g = 0; g < rows.length; g++) {
      rows[g] = plan.rowsOf(g);
    }
    Arrays.sort(rows);
    return rows;
  }

  /**
   * A step that reads q rows in a row of a stream touches at most two windows in part, of K pieces
   * each, and between them whole windows, whose pieces have at most q rows in sum: no more pieces
   * than the smallest that come to q rows.
   *
   * @param rows rows of the pieces, ascending
   * @param cut pieces of a lane that may be smaller than any in {@code rows}
   */
  private static long ofLane(Plan plan, LaneShare share, long[] rows, int cut) {
    int stepRows = share.rows();
    // How often one step can meet the same piece: once, unless the lane begins again.
    long passes =
        plan.order().remainder() == Remainder.DROP ? 1 : (stepRows - 1) / share.laneRows() + 2;
    long whole = 0;
    long sum = 0;
    for (int i = 0; i < rows.length && sum < stepRows; i++) {
      long fits = Math.min(passes, (stepRows - sum) / rows[i]);
      whole += fits;
      sum += fits * rows[i];
      if (fits < passes) {
        break;
      }
    }
    long touched = 2L * plan.windowPieces() + whole + cut * passes;
    long bound = 0;
    for (int i = rows.length - 1; i >= 0 && touched > 0; i--) {
      long times = Math.min(passes, touched);
      bound += times * rows[i];
      touched -= times;
    }
    return bound;
  }
}
