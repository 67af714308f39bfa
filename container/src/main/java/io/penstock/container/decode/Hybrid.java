package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

import java.util.Arrays;

/**
 * The RLE/bit-packed hybrid: a sequence of runs, each a header and either one value and how often
 * it is repeated, or groups of eight bit-packed values.
 *
 * <p>A decoder is put on a range of bytes, and then decodes all of it in one call.
 */
final class Hybrid {
  /** Bytes that {@link #readLevels} may write behind the levels. */
  static final int SLACK = 8;

  /** Bytes of runs that are looked at as what may be repeated. */
  private static final int MOST_REPEATED = 64;

  /** After so many that looked like it and were not, a page has no lists of one length. */
  private static final int MOST_FAILURES = 8;

  private byte[] in;
  private int at;
  private int end;
  private int width;
  private int valueBytes;

  private int runLeft;
  private boolean runPacked;
  private int runValue;

  /**
   * Begins at a range of bytes.
   *
   * @param width bits of a value, 0 to 32
   */
  void begin(byte[] bytes, int from, int to, int width) {
    check(width >= 0 && width <= 32, () -> "a bit width of " + width);
    this.in = bytes;
    this.at = from;
    this.end = to;
    this.width = width;
    this.valueBytes = (width + 7) >>> 3;
    this.runLeft = 0;
  }

  /** Begins the next run. */
  private void nextRun() {
    do {
      long header = at < end && in[at] >= 0 ? in[at++] : varint();
      long length = header >>> 1;
      runPacked = (header & 1) == 1;
      if (runPacked) {
        if (length > Integer.MAX_VALUE >>> 3) {
          throw new CorruptException("a run of " + length + " groups");
        }
        runLeft = (int) length << 3;
      } else {
        runLeft = (int) Math.min(length, Integer.MAX_VALUE);
        check(valueBytes <= end - at, "runs end early");
        runValue =
            valueBytes == 1 ? in[at] & 0xff : (int) LittleEndian.unsigned(in, at, valueBytes);
        at += valueBytes;
      }
    } while (runLeft == 0);
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      check(at < end, "runs end early");
      byte part = in[at++];
      value |= (part & 0x7fL) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw new CorruptException("a run header of more than 5 bytes");
  }

  /** Where the next {@code count} packed values lie, and steps over them. */
  private int takePacked(int count) {
    long bytes = BitPacking.bytes(count, width);
    check(bytes <= end - at, "runs end early");
    int from = at;
    at += (int) bytes;
    runLeft -= count;
    return from;
  }

  /**
   * Decodes all {@code count} values of the range.
   *
   * @param most the greatest value that may occur
   * @return whether none is greater, or negative
   */
  boolean read(int[] out, int from, int count, int most) {
    int bad = 0;
    int done = 0;
    while (done < count) {
      if (runLeft == 0) {
        nextRun();
      }
      int part = Math.min(runLeft, count - done);
      if (runPacked) {
        bad |= BitPacking.unpack(in, takePacked(part), width, out, from + done, part, most);
      } else {
        Arrays.fill(out, from + done, from + done + part, runValue);
        bad |= most - runValue | runValue;
        runLeft -= part;
      }
      done += part;
    }
    return bad >= 0;
  }

  /**
   * Decodes all {@code count} levels of the range, of at most 8 bits each. If a single run covers
   * them all, {@code out} is left as it is: the answer says all.
   *
   * @param out with {@value #SLACK} bytes more than there are levels
   * @return which levels may occur: bit v for level v; bit 63 for all from 63 on
   */
  long readLevels(byte[] out, int count) {
    long seen = 0;
    int done = 0;
    while (done < count) {
      if (runLeft == 0) {
        nextRun();
      }
      int part = Math.min(runLeft, count - done);
      if (runPacked) {
        BitPacking.unpack(in, takePacked(part), width, out, done, part);
        seen |= width < 6 ? (1L << (1 << width)) - 1 : -1L;
      } else {
        seen |= 1L << Math.min(runValue & 0xff, 63);
        if (part < count) {
          fill(out, done, part, runValue);
        }
        runLeft -= part;
      }
      done += part;
    }
    return seen;
  }

  /** Runs are often short: eight bytes are written at a time, and up to seven more than asked. */
  private static void fill(byte[] out, int from, int count, int value) {
    if (count > 64) {
      Arrays.fill(out, from, from + count, (byte) value);
      return;
    }
    long eight = (value & 0xff) * 0x0101010101010101L;
    for (int k = from; k < from + count; k += 8) {
      LittleEndian.putLong(out, k, eight);
    }
  }

  /**
   * Decodes all {@code count} levels of the range, 0 or 1, as the places of those that are 0.
   *
   * <p>Lists of one length make the same few runs again and again. So where the bytes of some runs
   * repeat, what they say is repeated.
   *
   * @param first place of the first level
   * @param to where in {@code places} the first one goes
   * @return how many are 0
   */
  int readZeros(int[] places, int to, int first, int count) {
    int zeros = to;
    int done = 0;
    int sinceAt = at;
    int sinceDone = 0;
    int sinceZeros = to;
    int failures = 0;
    while (done < count) {
      int bytes = at - sinceAt;
      if (runLeft == 0 && bytes > 0 && at < end && failures < MOST_FAILURES) {
        int times = 0;
        if (in[at] == in[sinceAt]) {
          int levels = done - sinceDone;
          times = Arrays.mismatch(in, sinceAt, end, in, at, end) / bytes;
          times = Math.min(times, (count - done) / levels);
          repeat(places, sinceZeros, zeros, times, levels);
          at += times * bytes;
          done += times * levels;
          zeros += times * (zeros - sinceZeros);
          failures += times == 0 ? 1 : 0;
        }
        if (times > 0 || bytes >= MOST_REPEATED) {
          sinceAt = at;
          sinceDone = done;
          sinceZeros = zeros;
          continue;
        }
      }
      if (runLeft == 0) {
        nextRun();
      }
      int part = Math.min(runLeft, count - done);
      if (runPacked) {
        int from = takePacked(part);
        for (int k = 0; k < part; k += 8) {
          int bits = ~in[from + (k >>> 3)] & 0xff >>> Math.max(0, k + 8 - part);
          while (bits != 0) {
            places[zeros++] = first + done + k + Integer.numberOfTrailingZeros(bits);
            bits &= bits - 1;
          }
        }
      } else {
        if (runValue == 0) {
          for (int k = 0; k < part; k++) {
            places[zeros++] = first + done + k;
          }
        } else {
          check(runValue == 1, "a repetition level above 1");
        }
        runLeft -= part;
      }
      done += part;
    }
    return zeros - to;
  }

  /** Appends places some times more, each time {@code step} further. */
  private static void repeat(int[] places, int from, int to, int times, int step) {
    int count = to - from;
    for (int k = from; k < to; k++) {
      for (int time = 1; time <= times; time++) {
        places[k + time * count] = places[k] + time * step;
      }
    }
  }

  /** Appends all {@code count} levels of the range, 0 or 1, as flags; returns how many are 1. */
  int readFlags(Validity flags, int count) {
    int ones = 0;
    int done = 0;
    while (done < count) {
      if (runLeft == 0) {
        nextRun();
      }
      int part = Math.min(runLeft, count - done);
      if (runPacked) {
        ones += flags.appendBits(in, takePacked(part), part);
      } else if (runValue == 1) {
        flags.appendValid(part);
        ones += part;
        runLeft -= part;
      } else {
        check(runValue == 0, "a definition level above 1");
        flags.appendNull(part);
        runLeft -= part;
      }
      done += part;
    }
    return ones;
  }
}
