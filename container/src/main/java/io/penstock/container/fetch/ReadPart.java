package io.penstock.container.fetch;

import io.penstock.container.fetch.MergedReads.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranges of a file that follow each other there, with small gaps, in the order that they are used
 * in: read at once, gaps included, into one buffer, which is free when the last one has been used.
 */
public final class ReadPart {
  /** A buffer is longer than what is read into it by at most this part of that. */
  public static final int WASTE = 7;

  private final int first;
  private final List<Range> ranges;
  private final int room;

  private ReadPart(int first, List<Range> ranges, int bytes) {
    this.first = first;
    this.ranges = List.copyOf(ranges);
    int length = length();
    boolean full = length <= bytes && bytes - length <= length / WASTE;
    this.room = full ? bytes : MergedReads.rounded(length);
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
    for (int k = 1; k <= ranges.size(); k++) {
      if (k == ranges.size() || !joins(ranges, from, k, mergeGap, bytes)) {
        parts.add(new ReadPart(from, ranges.subList(from, k), bytes));
        from = k;
      }
    }
    return parts;
  }

  /** Whether a range can be read at once with those before it. */
  private static boolean joins(List<Range> ranges, int from, int k, int mergeGap, int bytes) {
    Range range = ranges.get(k);
    long gap = range.position() - ranges.get(k - 1).end();
    return gap >= 0 && gap <= mergeGap && range.end() - ranges.get(from).position() <= bytes;
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
    return ranges.size();
  }

  /** How long its buffer is. */
  public int room() {
    return room;
  }

  /** Reads all of it. */
  public void read(FileBytes file, byte[] buffer) throws IOException {
    file.readFully(ranges.get(0).position(), buffer, 0, length());
  }

  /** Bytes that are read: a range that is longer than a part has at most 2^31 - 1. */
  private int length() {
    return (int) (ranges.get(ranges.size() - 1).end() - ranges.get(0).position());
  }

  /**
   * Where a range begins in the buffer.
   *
   * @param range its place among all
   */
  public int offset(int range) {
    return (int) (ranges.get(range - first).position() - ranges.get(0).position());
  }
}
