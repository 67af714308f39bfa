package io.penstock.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** One epoch of one rank: the plans of the lanes that it reads. Immutable. */
public final class RankEpoch {
  private final long epoch;
  private final long steps;
  private final LaneShare[] shares;
  private final LanePlan[] lanes;

  RankEpoch(EpochPlan plan, LaneShare[] shares) {
    this.epoch = plan.epoch();
    this.steps = plan.plan().steps();
    this.shares = shares;
    this.lanes = new LanePlan[shares.length];
    for (int i = 0; i < shares.length; i++) {
      lanes[i] = plan.lane(shares[i].lane());
    }
  }

  public long epoch() {
    return epoch;
  }

  /**
   * The rank's rows of a step, in place order.
   *
   * @param step 0 &lt;= step &lt; T
   */
  public List<Segment> segments(long step) {
    if (step < 0 || step >= steps) {
      throw new IndexOutOfBoundsException("step=" + step + " steps=" + steps);
    }
    List<Segment> segments = new ArrayList<>(shares.length * 2);
    for (int i = 0; i < shares.length; i++) {
      LaneShare share = shares[i];
      long from = share.from(step);
      long to = share.to(step);
      for (long offset = from; offset < to; ) {
        int pass = share.passOf(offset);
        int window = lanes[i].windowAt(offset - share.passBegin(pass));
        long begin = share.passBegin(pass) + lanes[i].windowBegin(window);
        long end = Math.min(begin + lanes[i].windowRows(window), to);
        segments.add(
            new Segment(
                new WindowKey(epoch, share.lane(), pass, window),
                (int) (offset - begin),
                (int) (end - begin),
                (int) (share.at() + offset - from)));
        offset = end;
      }
    }
    return segments;
  }

  /**
   * The windows that steps from {@code firstStep} on need, by (first step that needs it, lane,
   * place in the lane's stream). Holds one window a lane.
   */
  public Iterator<WindowLoad> loads(long firstStep) {
    return new Loads(firstStep);
  }

  /**
   * The most rows that the windows touched by one step hold, over all steps; pieces that a window
   * has but the rank does not need count too.
   */
  long peakWindowRows() {
    PriorityQueue<WindowLoad> open =
        new PriorityQueue<>(Comparator.comparingLong(WindowLoad::lastStep));
    long rows = 0;
    long peak = 0;
    for (Iterator<WindowLoad> loads = loads(0); loads.hasNext(); ) {
      WindowLoad load = loads.next();
      while (!open.isEmpty() && open.peek().lastStep() < load.firstStep()) {
        rows -= open.poll().rows();
      }
      open.add(load);
      rows += load.rows();
      peak = Math.max(peak, rows);
    }
    return peak;
  }

  private final class Loads implements Iterator<WindowLoad> {
    private record Next(int share, WindowLoad load) {}

    private final PriorityQueue<Next> next =
        new PriorityQueue<>(
            Comparator.comparingLong((Next n) -> n.load().firstStep())
                .thenComparingInt(Next::share));

    Loads(long firstStep) {
      for (int i = 0; i < shares.length; i++) {
        offer(i, shares[i].from(firstStep));
      }
    }

    /** Offers the window of the share's first row at {@code offset} or later, if there is one. */
    private void offer(int i, long offset) {
      LaneShare share = shares[i];
      long step = share.firstStepFrom(offset);
      if (step >= steps) {
        return;
      }
      long row = Math.max(offset, share.from(step));
      int pass = share.passOf(row);
      int window = lanes[i].windowAt(row - share.passBegin(pass));
      long end = share.passBegin(pass) + lanes[i].windowBegin(window + 1);
      WindowKey key = new WindowKey(epoch, share.lane(), pass, window);
      next.add(new Next(i, new WindowLoad(key, step, share.lastStepBefore(end), lanes[i], share)));
    }

    @Override
    public boolean hasNext() {
      return !next.isEmpty();
    }

    @Override
    public WindowLoad next() {
      Next taken = next.poll();
      if (taken == null) {
        throw new NoSuchElementException();
      }
      WindowKey key = taken.load().key();
      int i = taken.share();
      offer(i, shares[i].passBegin(key.pass()) + lanes[i].windowBegin(key.window() + 1));
      return taken.load();
    }
  }
}
