package io.penstock.plan;

import io.penstock.model.Cursor;
import io.penstock.model.Deal;
import io.penstock.model.Piece;
import io.penstock.model.RankSlice;
import io.penstock.model.Remainder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.ToLongFunction;

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
   * The most bytes that the windows touched by any one step hold, over all steps of the epochs from
   * {@code firstEpoch} up to, not including, {@code endEpoch}. Exact, but for pieces of touched
   * windows that the rank itself does not need (its rows of the window miss them): they count too.
   * A run that starts at a later step holds no more. Takes time in proportion to the rank's pieces
   * and the epochs; computes no order of rows.
   *
   * @param bytesOf what a loaded piece holds
   */
  public long maxWindowBytes(long firstEpoch, long endEpoch, ToLongFunction<Piece> bytesOf) {
    long most = 0;
    for (long e = firstEpoch; e < endEpoch; e++) {
      most = Math.max(most, new RankEpoch(plan.epoch(e), shares).peakWindowBytes(bytesOf));
    }
    return most;
  }

  /**
   * An upper bound of {@link #maxWindowBytes} that holds for every epoch: of each lane, as many of
   * its largest pieces as a step can possibly touch windows of. Takes the time of one epoch, or of
   * sorting the row groups where each epoch is dealt anew.
   *
   * @param bytesOf what a loaded piece holds; for more rows of a row group never less
   */
  public long windowBytesBound(ToLongFunction<Piece> bytesOf) {
    return plan.order().deal() == Deal.FIXED ? boundOfDeal(bytesOf) : boundOfAnyDeal(bytesOf);
  }

  private long boundOfDeal(ToLongFunction<Piece> bytesOf) {
    long bound = 0;
    EpochPlan first = plan.epoch(0);
    for (LaneShare share : shares) {
      LanePlan lane = first.lane(share.lane());
      long[] rows = new long[lane.pieces()];
      long[] bytes = new long[lane.pieces()];
      for (int i = 0; i < rows.length; i++) {
        Piece piece = lane.piece(i);
        rows[i] = piece.rows();
        bytes[i] = bytesOf.applyAsLong(piece);
      }
      Arrays.sort(rows);
      Arrays.sort(bytes);
      bound += boundOfLane(share, rows, bytes, 0);
    }
    return bound;
  }

  private long boundOfAnyDeal(ToLongFunction<Piece> bytesOf) {
    long[] rows = new long[plan.rowGroups()];
    long[] bytes = new long[plan.rowGroups()];
    for (int g = 0; g < rows.length; g++) {
      rows[g] = plan.rowsOf(g);
      bytes[g] = bytesOf.applyAsLong(new Piece(g, 0, plan.rowsOf(g)));
    }
    Arrays.sort(rows);
    Arrays.sort(bytes);
    long bound = 0;
    for (LaneShare share : shares) {
      bound += boundOfLane(share, rows, bytes, 2);
    }
    return bound;
  }

  /**
   * A step that reads q rows in a row of a stream touches at most two windows in part, of K pieces
   * each, and between them whole windows, whose pieces have at most q rows in sum: no more pieces
   * than the smallest that come to q rows.
   *
   * @param rows rows of the pieces, ascending
   * @param bytes what pieces hold, ascending
   * @param cut pieces of a lane that may be smaller than any in {@code rows}
   */
  private long boundOfLane(LaneShare share, long[] rows, long[] bytes, int cut) {
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
    for (int i = bytes.length - 1; i >= 0 && touched > 0; i--) {
      long times = Math.min(passes, touched);
      bound += times * bytes[i];
      touched -= times;
    }
    return bound;
  }
}
