package io.penstock.container.decode;

import io.penstock.config.FetchSettings;
import io.penstock.container.fetch.ReadPart;

/**
 * How much of a row group is in memory undecoded: so much is read before the row group's turn, and
 * the rest in parts, as the buffers of those before are used up.
 *
 * <p>It is a share of what the row group becomes, so that a worker holds little more than what it
 * makes; but never less than two parts, so that one is read while the other is decoded.
 *
 * @param bytes of all buffers
 * @param partBytes most bytes of a part that has several columns
 */
public record ReadAhead(long bytes, int partBytes) {
  /** Fifths of the tensors' bytes. */
  private static final int SHARE = 2;

  /** A part is a fraction of the bytes, so that buffers become free early. */
  private static final int PARTS = 4;

  /** Two sizes alone, so that row groups of different sizes use each other's buffers. */
  private static final int SMALL_PART = 4 << 20;

  private static final int LARGE_PART = 8 << 20;

  public ReadAhead {
    if (partBytes < 1 || bytes < 2L * partBytes) {
      throw new IllegalArgumentException(
          "must be at least two parts: bytes=" + bytes + " partBytes=" + partBytes);
    }
  }

  /**
   * @param tensorBytes of all tensors of the row group
   * @param largestChunk stored bytes of the largest column
   */
  public static ReadAhead of(long tensorBytes, long largestChunk, FetchSettings settings) {
    long share = tensorBytes / 5 * SHARE;
    int part = Math.min(settings.maxRead(), share / PARTS >= LARGE_PART ? LARGE_PART : SMALL_PART);
    return new ReadAhead(Math.max(share, 2L * Math.max(part, ReadPart.room(largestChunk))), part);
  }

  /**
   * Upper bound of the bytes of all buffers.
   *
   * @param stored bytes that are read in all, gaps included
   */
  public long most(long stored) {
    return Math.min(bytes, stored + stored / ReadPart.WASTE);
  }
}
