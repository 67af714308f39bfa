package io.penstock.cli.commands;

import io.penstock.model.Shuffle;
import io.penstock.plan.Plan;
import java.util.OptionalInt;

/**
 * How many lanes a feed had best have.
 *
 * <p>Lanes bound how many ranks can each have rows of their own, so more are better, as long as a
 * lane still fills its window: with fewer pieces than that, rows are mixed less. They divide the
 * batch, and the ranks divide them.
 */
final class LaneSuggestion {
  private static final int MOST = 256;

  private LaneSuggestion() {}

  /** A better number of lanes; empty if the feed's is good. */
  static OptionalInt of(Plan plan, int ranks) {
    int now = plan.order().lanes();
    int best = 0;
    for (int lanes = ranks; lanes <= Math.min(MOST, plan.order().batch()); lanes += ranks) {
      if (plan.order().batch() % lanes == 0 && (best == 0 || fillsWindows(plan, lanes))) {
        best = lanes;
      }
    }
    boolean good = now % ranks == 0 && (fillsWindows(plan, now) || now <= best);
    return best == 0 || good ? OptionalInt.empty() : OptionalInt.of(best);
  }

  private static boolean fillsWindows(Plan plan, int lanes) {
    int window = plan.order().shuffle() == Shuffle.ROWS ? plan.order().window() : 1;
    return (long) lanes * window <= plan.rowGroups();
  }
}
