package io.penstock.container.fetch;

import io.penstock.config.FetchSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Reads many ranges of a file in few large reads: ranges that follow each other with a small gap,
 * or overlap, are read as one, gap included, into one buffer.
 */
public final class MergedReads {
  /** How many lengths buffers have for each power of two. */
  private static final int ROUNDING = 16;

  private MergedReads() {}

  /** Bytes of a file. */
  public record Range(long position, int length) {
    public Range {
      if (position < 0 || length < 0) {
        throw new IllegalArgumentException("position=" + position + " length=" + length);
      }
    }

    long end() {
      return position + length;
    }
  }

  /** Where the bytes of a range lie in memory; several slices can share a buffer. */
  public record Slice(byte[] buffer, int offset, int length) {}

  /** Ranges, by their place in the list asked for, that are read as one. */
  record Merged(long position, long end, List<Integer> members) {}

  /**
   * Reads all ranges.
   *
   * @param buffers gives a buffer of at least so many bytes, with anything in it
   * @return a slice per range, in the order of the ranges
   * @see ReadPart for ranges that are used up one after the other
   */
  public static List<Slice> read(
      FileBytes file, List<Range> ranges, FetchSettings settings, IntFunction<byte[]> buffers)
      throws IOException {
    Slice[] slices = new Slice[ranges.size()];
    for (Merged merged : merge(ranges, settings)) {
      int length = (int) (merged.end() - merged.position());
      byte[] buffer = buffers.apply(rounded(length));
      file.readFully(merged.position(), buffer, 0, length);
      for (int member : merged.members()) {
        Range range = ranges.get(member);
        slices[member] =
            new Slice(buffer, (int) (range.position() - merged.position()), range.length());
      }
    }
    return List.of(slices);
  }

  /** A little more, so that reads of about as many bytes are made into each other's buffers. */
  static int rounded(int length) {
    int step = Math.max(1, Integer.highestOneBit(length) / ROUNDING);
    return (int) Math.min(Integer.MAX_VALUE - 8, ((long) length + step - 1) / step * step);
  }

  static List<Merged> merge(List<Range> ranges, FetchSettings settings) {
    List<Integer> order = byPosition(ranges);
    List<Merged> result = new ArrayList<>();
    Merged open = null;
    for (int k : order) {
      Range range = ranges.get(k);
      if (open != null && joins(open, range, settings)) {
        open.members().add(k);
        open = new Merged(open.position(), Math.max(open.end(), range.end()), open.members());
        result.set(result.size() - 1, open);
      } else {
        open = new Merged(range.position(), range.end(), new ArrayList<>(List.of(k)));
        result.add(open);
      }
    }
    return result;
  }

  /** The places of the ranges, first in the file first. */
  private static List<Integer> byPosition(List<Range> ranges) {
    return IntStream.range(0, ranges.size())
        .boxed()
        .sorted(Comparator.comparingLong(k -> ranges.get(k).position()))
        .toList();
  }

  private static boolean joins(Merged open, Range next, FetchSettings settings) {
    long end = Math.max(open.end(), next.end());
    return next.position() - open.end() <= settings.mergeGap()
        && end - open.position() <= Math.max(settings.maxRead(), open.end() - open.position());
  }
}
