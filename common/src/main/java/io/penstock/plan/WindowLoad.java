package io.penstock.plan;

import io.penstock.model.Piece;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One use of a window by a rank, as it is to be loaded: which steps need it, and which of its
 * pieces hold a row that the rank delivers in them. What needs the rows' order is computed at the
 * first call that asks, and kept until this is dropped. Thread-safe.
 */
public final class WindowLoad {
  private final WindowKey key;
  private final long firstStep;
  private final long lastStep;
  private final LanePlan lane;
  private final LaneShare share;
  private WindowOrder order;
  private BitSet touched;

  WindowLoad(WindowKey key, long firstStep, long lastStep, LanePlan lane, LaneShare share) {
    this.key = key;
    this.firstStep = firstStep;
    this.lastStep = lastStep;
    this.lane = lane;
    this.share = share;
  }

  public WindowKey key() {
    return key;
  }

  /** First step of the rank, from where it starts on, that needs the window. */
  public long firstStep() {
    return firstStep;
  }

  /** Last step of the rank that needs it; then it can be freed. */
  public long lastStep() {
    return lastStep;
  }

  /** How many pieces the window has, needed ones and others. */
  public int pieces() {
    return lane.firstPiece(key.window() + 1) - lane.firstPiece(key.window());
  }

  /** How many rows the window has; their order takes four bytes for each if rows are mixed. */
  public int rows() {
    return lane.windowRows(key.window());
  }

  /** A piece of the window, in the epoch's order. */
  public Piece piece(int index) {
    return lane.piece(lane.firstPiece(key.window()) + index);
  }

  /** The window's pieces, in the epoch's order. */
  public List<Piece> allPieces() {
    List<Piece> all = new ArrayList<>(pieces());
    for (int i = 0; i < pieces(); i++) {
      all.add(piece(i));
    }
    return all;
  }

  /** Whether a piece holds a row that the rank delivers in these steps; others are not loaded. */
  public synchronized boolean needs(int piece) {
    if (touched == null) {
      touched = computeTouched();
    }
    return touched.get(piece);
  }

  /** The order of the window's rows. */
  public synchronized WindowOrder order() {
    if (order == null) {
      order = lane.window(key.window());
    }
    return order;
  }

  private BitSet computeTouched() {
    int pieces = pieces();
    BitSet seen = new BitSet(pieces);
    long begin = share.passBegin(key.pass()) + lane.windowBegin(key.window());
    long end = begin + lane.windowRows(key.window());
    if (pieces == 1 || share.coversAll(firstStep, lastStep, begin, end)) {
      seen.set(0, pieces);
      return seen;
    }
    int left = pieces;
    for (long step = firstStep; step <= lastStep && left > 0; step++) {
      int from = (int) (Math.max(share.from(step), begin) - begin);
      int to = (int) (Math.min(share.to(step), end) - begin);
      for (int place = from; place < to && left > 0; place++) {
        int piece = order().pieceAt(place);
        if (!seen.get(piece)) {
          seen.set(piece);
          left--;
        }
      }
    }
    return seen;
  }

  @Override
  public String toString() {
    return "window " + key + " for steps " + firstStep + ".." + lastStep;
  }
}
