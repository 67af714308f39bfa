package io.penstock.plan;

import io.penstock.model.Piece;
import io.penstock.model.Shuffle;
import java.util.Arrays;
import java.util.Objects;

/**
 * A lane's pieces in the order of one epoch, their windows, and so the lane's stream. Immutable;
 * two numbers a piece.
 *
 * <p>Offsets are rows since the beginning of the lane's stream. Rows of a window are <i>laid</i>
 * end to end, piece after piece, and then ordered by {@link #window}.
 */
public final class LanePlan {
  private final Plan plan;
  private final long epoch;
  private final int lane;

  /** Row group of each piece, in epoch order. */
  private final int[] rowGroups;

  /** Offset of each piece's first laid row, then the lane's rows. */
  private final long[] begins;

  private final int cutRowGroup;
  private final int cutFrom;

  LanePlan(Plan plan, long epoch, int lane, LaneDeal deal) {
    this.plan = plan;
    this.epoch = epoch;
    this.lane = lane;
    int[] dealt = deal.rowGroups(lane);
    int pieces = dealt.length;
    // Only the first and the last dealt piece can be parts of row groups.
    this.cutRowGroup = dealt[0];
    this.cutFrom = deal.firstOffset(lane);
    int lastDealt = dealt[pieces - 1];
    int[] order =
        plan.order().shuffle() == Shuffle.NONE
            ? Permutations.identity(pieces)
            : Permutations.permutation(plan.order().seed(), pieces, Domain.LANE, epoch, lane);
    long lastRows = plan.laneRows(lane);
    for (int i = 0; i < pieces - 1; i++) {
      lastRows -= plan.rowsOf(dealt[i]) - (i == 0 ? cutFrom : 0);
    }
    this.rowGroups = new int[pieces];
    this.begins = new long[pieces + 1];
    for (int i = 0; i < pieces; i++) {
      int group = dealt[order[i]];
      rowGroups[i] = group;
      long rows = group == lastDealt ? lastRows : plan.rowsOf(group) - from(group);
      begins[i + 1] = begins[i] + rows;
    }
  }

  private int from(int rowGroup) {
    return rowGroup == cutRowGroup ? cutFrom : 0;
  }

  public long epoch() {
    return epoch;
  }

  public int lane() {
    return lane;
  }

  /** Rows of one pass over the lane. */
  public long rows() {
    return begins[begins.length - 1];
  }

  /** m_l, how many pieces the lane has. */
  public int pieces() {
    return rowGroups.length;
  }

  /** The piece at a place of the epoch's order. */
  public Piece piece(int index) {
    int from = from(rowGroups[index]);
    return new Piece(
        rowGroups[index], from, from + Math.toIntExact(begins[index + 1] - begins[index]));
  }

  /** How many windows the lane has. */
  public int windows() {
    return (pieces() - 1) / plan.windowPieces() + 1;
  }

  /** Index of the window's first piece; of {@code windows()}, the number of pieces. */
  public int firstPiece(int window) {
    return (int) Math.min((long) window * plan.windowPieces(), pieces());
  }

  /** Offset of the window's first row; of {@code windows()}, the lane's rows. */
  public long windowBegin(int window) {
    return begins[firstPiece(window)];
  }

  /** How many rows the window has. */
  public int windowRows(int window) {
    return (int) (windowBegin(window + 1) - windowBegin(window));
  }

  /** The window that holds the row at {@code offset}, 0 &lt;= offset &lt; rows(). */
  public int windowAt(long offset) {
    if (offset < 0 || offset >= rows()) {
      throw new IndexOutOfBoundsException("offset=" + offset + " rows=" + rows());
    }
    int found = Arrays.binarySearch(begins, offset);
    return (found >= 0 ? found : -found - 2) / plan.windowPieces();
  }

  /**
   * The order of a window's rows, computed anew at each call: one number a row if rows are mixed.
   */
  public WindowOrder window(int window) {
    Objects.checkIndex(window, windows());
    int first = firstPiece(window);
    Piece[] pieces = new Piece[firstPiece(window + 1) - first];
    for (int i = 0; i < pieces.length; i++) {
      pieces[i] = piece(first + i);
    }
    int[] mixed =
        plan.order().shuffle() == Shuffle.ROWS
            ? Permutations.permutation(
                plan.order().seed(), windowRows(window), Domain.WINDOW, epoch, lane, window)
            : null;
    return new WindowOrder(plan, pieces, windowRows(window), mixed);
  }
}
