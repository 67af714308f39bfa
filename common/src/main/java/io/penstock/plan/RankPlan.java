package io.penstock.plan;

import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * What one rank delivers. Thread-safe.
 *
 * <h2>Loading and batching</h2>
 *
 * {@link #loads} says which windows to load, in load order, and {@link #segments} which rows of
 * which windows make up a step; both name a window's use by {@link WindowKey}. Whoever takes loads
 * in order has met every window that a step names once it has met all loads whose first step is not
 * later.
 *
 * <h2>Memory</h2>
 *
 * The lanes of an epoch take two numbers for each of the rank's pieces. Those of the two epochs
 * asked for last are kept, so that loading may run ahead into the next epoch.
 */
public final class RankPlan {
  private final Plan plan;
  private final RankSlice slice;
  private final LaneShare[] shares;
  private RankEpoch recent;
  private RankEpoch earlier;

  /**
   * @throws io.penstock.model.UsageException if the number of ranks does not divide the batch
   */
  public RankPlan(Plan plan, RankSlice slice) {
    RankSlice.check(slice.ranks(), plan.order().batch());
    this.plan = plan;
    this.slice = slice;
    int batch = plan.order().batch();
    int laneBatch = plan.order().laneBatch();
    int firstLane = slice.from(batch) / laneBatch;
    int lastLane = (slice.to(batch) - 1) / laneBatch;
    this.shares = new LaneShare[lastLane - firstLane + 1];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = LaneShare.of(plan, slice, firstLane + i);
    }
  }

  public Plan plan() {
    return plan;
  }

  public RankSlice slice() {
    return slice;
  }

  /** B / W, the rows that the rank delivers in each step. */
  public int rowsPerStep() {
    return plan.order().batch() / slice.ranks();
  }

  /** Position of the rank's first row of a step; those of its other rows follow. */
  public long firstPosition(long step) {
    return plan.position(step, slice.from(plan.order().batch()));
  }

  /** First lane of which the rank reads rows. */
  public int firstLane() {
    return shares[0].lane();
  }

  /** How many lanes, in a row, it reads rows of. */
  public int lanes() {
    return shares.length;
  }

  /** The rank's part of an epoch. */
  public synchronized RankEpoch epoch(long epoch) {
    if (recent != null && recent.epoch() == epoch) {
      return recent;
    }
    RankEpoch found =
        earlier != null && earlier.epoch() == epoch
            ? earlier
            : new RankEpoch(plan.epoch(epoch), shares);
    earlier = recent;
    recent = found;
    return found;
  }

  /** The rows that the rank delivers in a step, in place order. */
  public List<Segment> segments(long epoch, long step) {
    return epoch(epoch).segments(step);
  }

  /**
   * The windows to load, in load order: by (epoch, first step that needs it, lane, place in the
   * lane's stream), from {@code start} up to the end of epoch {@code epochs - 1}.
   */
  public Iterator<WindowLoad> loads(Cursor start, long epochs) {
    if (start.step() >= plan.steps()) {
      throw new IllegalArgumentException("start=" + start + " steps=" + plan.steps());
    }
    return new Iterator<>() {
      private long epoch = start.epoch();
      private Iterator<WindowLoad> loads =
          epoch < epochs ? epoch(epoch).loads(start.step()) : Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        return loads.hasNext() || epoch + 1 < epochs;
      }

      @Override
      public WindowLoad next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        if (!loads.hasNext()) {
          epoch++;
          loads = epoch(epoch).loads(0);
        }
        return loads.next();
      }
    };
  }

  /**
   * The most rows that the windows touched by any one of the rank's steps in an epoch hold. Exact,
   * but for pieces of touched windows that the rank itself does not need (its rows of the window
   * miss them): they count too. A run that starts at a later step holds no more. Takes time in
   * proportion to the rank's pieces; computes no order of rows.
   */
  public long peakWindowRows(EpochPlan epoch) {
    return new RankEpoch(epoch, shares).peakWindowRows();
  }
}
