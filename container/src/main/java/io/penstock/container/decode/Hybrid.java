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
    check(width >= 0 && width <= 32, "a bit width of " + width);
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
      long header = varint();
      long length = header >>> 1;
      runPacked = (header & 1) == 1;
      if (runPacked) {
        check(length <= Integer.MAX_VALUE >>> 3, "a run of " + length + " groups");
        runLeft = (int) length << 3;
      } else {
        runLeft = (int) Math.min(length, Integer.MAX_VALUE);
        check(valueBytes <= end - at, "runs end early");
        runValue = (int) LittleEndian.unsigned(in, at, valueBytes);
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

  /** Decodes all {@code count} values of the range. */
  void read(int[] out, int from, int count) {
    int done = 0;
    while (done < count) {
      if (runLeft == 0) {
        nextRun();
      }
      int part = Math.min(runLeft, count - done);
      if (runPacked) {
        BitPacking.unpack(in, takePacked(part), width, out, from + done, part);
      } else {
        Arrays.fill(out, from + done, from + done + part, runValue);
        runLeft -= part;
      }
      done += part;
    }
  }

  /**
   * Decodes all {@code count} levels of the range, of at most 8 bits each.
   *
   * @return which levels occur: bit v for level v; bit 63 for all from 63 on
   */
  long readLevels(byte[] out, int from, int count) {
    long seen = 0;
    int done = 0;
    while (done < count) {
      if (runLeft == 0) {
        nextRun();
      }
      int part = Math.min(runLeft, count - done);
      if (runPacked) {
        BitPacking.unpack(in, takePacked(part), width, out, from + done, part);
        seen |= seen(out, from + done, part);
      } else {
        Arrays.fill(out, from + done, from + done + part, (byte) runValue);
        seen |= 1L << Math.min(runValue & 0xff, 63);
        runLeft -= part;
      }
      done += part;
    }
    return seen;
  }

  /** Which levels occur. */
  static long seen(byte[] levels, int from, int count) {
    long seen = 0;
    for (int k = from; k < from + count; k++) {
      seen |= 1L << Math.min(levels[k] & 0xff, 63);
    }
    return seen;
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
