package io.penstock.plan;

import io.penstock.model.Piece;
import java.util.Objects;

/**
 * In which order a window delivers the rows of its pieces: place 0, 1, ... of the window → a piece
 * and a row of it. Immutable.
 */
public final class WindowOrder {
  /** Stretches of the laid rows for each piece, at least; so that finding a piece is a look-up. */
  private static final int STRETCHES = 8;

  private final Piece[] pieces;

  /** Laid place of each piece's first row, then the window's rows. */
  private final int[] begins;

  /** What is added to a laid place to get the row within the row group, by piece. */
  private final int[] rowShift;

  /** What is added to a laid place to get the catalog row number, by piece. */
  private final long[] catalogShift;

  /** The piece at the beginning of each stretch of {@code 2^stretchBits} laid places. */
  private final int[] stretches;

  private final int stretchBits;

  /** Laid place of the row at each place of the window; null if rows stay as laid. */
  private final int[] mixed;

  WindowOrder(Plan plan, Piece[] pieces, int rows, int[] mixed) {
    this.pieces = pieces;
    this.mixed = mixed;
    this.begins = new int[pieces.length + 1];
    this.rowShift = new int[pieces.length];
    this.catalogShift = new long[pieces.length];
    for (int i = 0; i < pieces.length; i++) {
      begins[i + 1] = begins[i] + pieces[i].rows();
      rowShift[i] = pieces[i].from() - begins[i];
      catalogShift[i] = plan.firstRowOf(pieces[i].rowGroup()) + rowShift[i];
    }
    if (begins[pieces.length] != rows) {
      throw new IllegalStateException("rows=" + rows + " laid=" + begins[pieces.length]);
    }
    int bits = 0;
    while (rows >>> bits > (long) STRETCHES * pieces.length) {
      bits++;
    }
    this.stretchBits = bits;
    this.stretches = new int[(rows >>> bits) + 1];
    for (int i = 0, piece = 0; i < stretches.length; i++) {
      while (piece < pieces.length - 1 && begins[piece + 1] <= (long) i << bits) {
        piece++;
      }
      stretches[i] = piece;
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
    return rowShift[pieceOf(laid)] + laid;
  }

  /** Catalog row number of the row at {@code place}. */
  public long catalogRowAt(int place) {
    int laid = laid(place);
    return catalogShift[pieceOf(laid)] + laid;
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
      rowOf[at + place - from] = rowShift[piece] + laid;
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
      rows[at + place - from] = catalogShift[pieceOf(laid)] + laid;
    }
  }

  private int laid(int place) {
    return mixed == null ? Objects.checkIndex(place, rows()) : mixed[place];
  }

  private int pieceOf(int laid) {
    int piece = stretches[laid >>> stretchBits];
    while (laid >= begins[piece + 1]) {
      piece++;
    }
    return piece;
  }
}
