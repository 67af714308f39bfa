package io.penstock.plan;

import io.penstock.model.Cursor;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Delivers a rank's rows of the rest of an epoch the way loading and batching do: takes loads in
 * order until it has what a step names, and drops each after its last step.
 */
final class RankRows implements Iterator<RankRows.Step> {
  /** Catalog row numbers of a rank's rows of a step. */
  record Step(long firstPosition, long[] rows, boolean[] valid) {}

  private final RankPlan rank;
  private final long epoch;
  private final Iterator<WindowLoad> loads;
  private final Map<WindowKey, WindowLoad> open = new HashMap<>();
  private WindowLoad taken;
  private long step;

  RankRows(RankPlan rank, long epoch, long firstStep) {
    this.rank = rank;
    this.epoch = epoch;
    this.step = firstStep;
    this.loads = rank.loads(new Cursor(epoch, firstStep), epoch + 1);
    take();
  }

  private void take() {
    taken = loads.hasNext() ? loads.next() : null;
  }

  @Override
  public boolean hasNext() {
    return step < rank.plan().steps();
  }

  @Override
  public Step next() {
    while (taken != null && taken.firstStep() <= step) {
      open.put(taken.key(), taken);
      take();
    }
    long[] rows = new long[rank.rowsPerStep()];
    boolean[] valid = new boolean[rows.length];
    int filled = 0;
    for (Segment segment : rank.segments(epoch, step)) {
      if (segment.at() != filled || segment.rows() < 1) {
        throw new AssertionError("segments must join: " + segment + " after " + filled);
      }
      WindowLoad load = open.get(segment.window());
      WindowOrder order = load.order();
      int[] pieces = new int[segment.rows()];
      int[] inRowGroup = new int[segment.rows()];
      order.locate(segment.from(), segment.to(), pieces, inRowGroup, 0);
      for (int i = 0; i < pieces.length; i++) {
        if (!load.needs(pieces[i])) {
          throw new AssertionError("piece not loaded: " + load + " " + load.piece(pieces[i]));
        }
        int rowGroup = load.piece(pieces[i]).rowGroup();
        rows[filled] = rank.plan().firstRowOf(rowGroup) + inRowGroup[i];
        valid[filled] = segment.valid();
        filled++;
      }
    }
    if (filled != rows.length) {
      throw new AssertionError("rows of a step: " + filled + " of " + rows.length);
    }
    Step result = new Step(rank.firstPosition(step), rows, valid);
    long done = step;
    open.values().removeIf(load -> load.lastStep() <= done);
    step++;
    return result;
  }

  /** Whether a window is still open; none may be after the last step. */
  boolean holdsWindows() {
    return taken != null || !open.isEmpty();
  }
}
