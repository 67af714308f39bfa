package io.penstock.container.fetch;

import io.penstock.container.fetch.MergedReads.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranges of a file that are read into one buffer and used one after the other, so that the buffer
 * is free when the last one has been used.
 *
 * <p>Those that follow each other in the file with a small gap are one read, gap included, whatever
 * the order they are used in.
 */
public final class ReadPart {
  /** A buffer is longer than what is read into it by at most this part of that. */
  public static final int WASTE = 7;

  private final int first;
  private final int[] offsets; // of the ranges in the buffer
  private final List<Read> reads;
  private final int room;

  /** What is read at once, and where to. */
  private record Read(long position, int length, int to) {
    long end() {
      return position + length;
    }

    /** Bytes that it has more when it reaches over a range, which does not begin before it. */
    int more(Range range) {
      return (int) Math.max(0, Math.min(range.end() - end(), Integer.MAX_VALUE));
    }
  }

  private ReadPart(int first, int[] offsets, List<Read> reads, int room) {
    this.first = first;
    this.offsets = offsets;
    this.reads = reads;
    this.room = room;
  }

  /**
   * Divides ranges into parts.
   *
   * @param ranges in the order that they are used in
   * @param mergeGap greatest number of unwanted bytes between two ranges that are read as one
   * @param bytes most bytes of a part, gaps included; a longer range is a part of its own
   */
  public static List<ReadPart> of(List<Range> ranges, int mergeGap, int bytes) {
    List<ReadPart> parts = new ArrayList<>();
    int from = 0;
    long length = 0;
    for (int k = 0; k < ranges.size(); k++) {
      Range range = ranges.get(k);
      long more = range.length() + (k == from ? 0 : gap(ranges.get(k - 1), range, mergeGap));
      if (k > from && length + more > bytes) {
        parts.add(part(ranges, from, k, mergeGap, bytes));
        from = k;
        length = 0;
        more = range.length();
      }
      length += more;
    }
    if (from < ranges.size()) {
      parts.add(part(ranges, from, ranges.size(), mergeGap, bytes));
    }
    return parts;
  }

  /** Bytes between two ranges that are read as one; else 0. */
  private static long gap(Range range, Range next, int mergeGap) {
    long gap = next.position() - range.end();
    return gap >= 0 && gap <= mergeGap ? gap : 0;
  }

  private static ReadPart part(List<Range> ranges, int from, int end, int mergeGap, int bytes) {
    long length = ranges.subList(from, end).stream().mapToLong(Range::length).sum();
    long spare = Math.max(0, bytes - length); // for gaps
    int[] offsets = new int[end - from];
    List<Read> reads = new ArrayList<>();
    Read open = null;
    for (int k : MergedReads.byPosition(ranges, from, end)) {
      Range range = ranges.get(k);
      int more = open == null ? 0 : open.more(range);
      if (open != null
          && range.position() - open.end() <= mergeGap
          && more - range.length() <= spare) {
        spare -= more - range.length();
        open = new Read(open.position(), open.length() + more, open.to());
        reads.set(reads.size() - 1, open);
      } else {
        int to = open == null ? 0 : open.to() + open.length();
        open = new Read(range.position(), range.length(), to);
        reads.add(open);
      }
      offsets[k - from] = open.to() + (int) (range.position() - open.position());
    }
    int used = open.to() + open.length();
    boolean full = used <= bytes && bytes - used <= used / WASTE;
    return new ReadPart(from, offsets, reads, full ? bytes : MergedReads.rounded(used));
  }

  /** The length of the buffer of a range that is a part of its own. */
  public static int room(long length) {
    return MergedReads.rounded((int) Math.min(length, Integer.MAX_VALUE - 8));
  }

  /** The place of its first range among all. */
  public int first() {
    return first;
  }

  /** How many ranges it has. */
  public int size() {
    return offsets.length;
  }

  /** How long its buffer is. */
  public int room() {
    return room;
  }

  /** Reads all of it. */
  public void read(FileBytes file, byte[] buffer) throws IOException {
    for (Read read : reads) {
      file.readFully(read.position(), buffer, read.to(), read.length());
    }
  }

  /**
   * Where a range begins in the buffer.
   *
   * @param range its place among all
   */
  public int offset(int range) {
    return offsets[range - first];
  }
}
