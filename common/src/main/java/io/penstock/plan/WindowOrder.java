package io.penstock.plan;

import io.penstock.model.Piece;
import java.util.Objects;

/**
 * In which order a window delivers the rows of its pieces: place 0, 1, ... of the window → a piece
 * and a row of it. Immutable.
 */
public final class WindowOrder {
  private final Plan plan;
  private final Piece[] pieces;

  /** Laid place of each piece's first row, then the window's rows. */
  private final int[] begins;

  /** Laid place of the row at each place of the window; null if rows stay as laid. */
  private final int[] mixed;

  WindowOrder(Plan plan, Piece[] pieces, int rows, int[] mixed) {
    this.plan = plan;
    this.pieces = pieces;
    this.mixed = mixed;
    this.begins = new int[pieces.length + 1];
    for (int i = 0; i < pieces.length; i++) {
      begins[i + 1] = begins[i] + pieces[i].rows();
    }
    if (begins[pieces.length] != rows) {
      throw new IllegalStateException("rows=" + rows + " laid=" + begins[pieces.length]);
    }
  }

  /** How many rows the window has. */
  public int rows() {
    return begins[pieces.length];
  }

  /** How many pieces the window has. */
  public int pieces() {
    return pieces.length;
  }

  /** A piece of the window, in the epoch's order. */
  public Piece piece(int index) {
    return pieces[index];
  }

  /** Which piece of the window the row at {@code place} belongs to. */
  public int pieceAt(int place) {
    return pieceOf(laid(place));
  }

  /** Row within its row group, not within the piece, of the row at {@code place}. */
  public int rowAt(int place) {
    int laid = laid(place);
    int piece = pieceOf(laid);
    return pieces[piece].from() + laid - begins[piece];
  }

  /** Catalog row number of the row at {@code place}. */
  public long catalogRowAt(int place) {
    int laid = laid(place);
    int piece = pieceOf(laid);
    return catalogRow(laid, piece);
  }

  /**
   * Finds the rows at places {@code from} up to, not including, {@code to}.
   *
   * @param pieceOf which piece of the window; filled from {@code at} on
   * @param rowOf row within its row group, not within the piece; filled from {@code at} on
   */
  public void locate(int from, int to, int[] pieceOf, int[] rowOf, int at) {
    Objects.checkFromToIndex(from, to, rows());
    for (int place = from; place < to; place++) {
      int laid = laid(place);
      int piece = pieceOf(laid);
      pieceOf[at + place - from] = piece;
      rowOf[at + place - from] = pieces[piece].from() + laid - begins[piece];
    }
  }

  /**
   * Catalog row numbers of the rows at places {@code from} up to, not including, {@code to}.
   *
   * @param rows filled from {@code at} on
   */
  public void catalogRows(int from, int to, long[] rows, int at) {
    Objects.checkFromToIndex(from, to, rows());
    for (int place = from; place < to; place++) {
      int laid = laid(place);
      rows[at + place - from] = catalogRow(laid, pieceOf(laid));
    }
  }

  private int laid(int place) {
    return mixed == null ? Objects.checkIndex(place, rows()) : mixed[place];
  }

  private long catalogRow(int laid, int piece) {
    Piece found = pieces[piece];
    return plan.firstRowOf(found.rowGroup()) + found.from() + laid - begins[piece];
  }

  private int pieceOf(int laid) {
    int low = 0;
    int high = pieces.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (begins[middle] <= laid) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
