package io.penstock.container.decode;

import static io.penstock.container.decode.LittleEndian.longAt;

/**
 * Numbers of a fixed width in bits, packed least significant bit first.
 *
 * <p>Eight numbers take as many bytes as one has bits, so they are unpacked eight at a time from
 * 8-byte loads; where such a load would reach past the array, one at a time.
 */
final class BitPacking {
  private BitPacking() {}

  /** Bytes that {@code count} numbers take. */
  static long bytes(long count, int width) {
    return (count * width + 7) >>> 3;
  }

  /**
   * Widths 0 to 32.
   *
   * @param most the greatest number that may occur
   * @return negative if one is greater than {@code most} or negative
   */
  static int unpack(byte[] in, int at, int width, int[] out, int from, int count, int most) {
    if (width == 0) {
      java.util.Arrays.fill(out, from, from + count, 0);
      return most;
    }
    int groups = safeGroups(in, at, width, count >>> 3);
    int bad =
        width <= 16
            ? unpackTo16(in, at, width, out, from, groups, most)
            : width <= 28
                ? unpackTo28(in, at, width, out, from, groups, most)
                : unpackTo32(in, at, width, out, from, groups, most);
    int done = groups << 3;
    int base = at + groups * width;
    for (int j = done; j < count; j++) {
      int value = (int) bits(in, base, (long) (j - done) * width, width);
      out[from + j] = value;
      bad |= most - value | value;
    }
    return bad;
  }

  /**
   * Four numbers to a load, which come to lie 16 bits apart: first the upper two move up, then the
   * upper one of each two. {@code x + (x & part) * (2^k - 1)} moves that part by k bits and leaves
   * the rest; it takes fewer steps than shifts by a variable number of bits do.
   */
  private static int unpackTo16(
      byte[] in, int at, int width, int[] out, int from, int groups, int most) {
    long one = (1L << width) - 1;
    long four = -1L >>> 64 - 4 * width;
    long upperTwo = four & -1L << 2 * width;
    long byTwo = (1L << 32 - 2 * width) - 1;
    long upperOnes = (one | one << 32) << width;
    long byOne = (1L << 16 - width) - 1;
    int second = (width * 4) >>> 3;
    int shift = (width * 4) & 7;
    int bad = 0;
    for (int group = 0, k = from; group < groups; group++, k += 8) {
      int base = at + group * width;
      long low = longAt(in, base) & four;
      low += (low & upperTwo) * byTwo;
      low += (low & upperOnes) * byOne;
      long high = longAt(in, base + second) >>> shift & four;
      high += (high & upperTwo) * byTwo;
      high += (high & upperOnes) * byOne;
      int a = (int) low & 0xffff;
      int b = (int) low >>> 16;
      int c = (int) (low >>> 32) & 0xffff;
      int d = (int) (low >>> 48);
      int e = (int) high & 0xffff;
      int f = (int) high >>> 16;
      int g = (int) (high >>> 32) & 0xffff;
      int h = (int) (high >>> 48);
      out[k] = a;
      out[k + 1] = b;
      out[k + 2] = c;
      out[k + 3] = d;
      out[k + 4] = e;
      out[k + 5] = f;
      out[k + 6] = g;
      out[k + 7] = h;
      bad |=
          (most - a | most - b | most - c | most - d) | (most - e | most - f | most - g | most - h);
    }
    return bad;
  }

  /**
   * Two numbers to a load, of which the upper one moves up to bit 32, as in {@link #unpackTo16}.
   */
  private static int unpackTo28(
      byte[] in, int at, int width, int[] out, int from, int groups, int most) {
    long two = (1L << 2 * width) - 1;
    long upper = two & -1L << width;
    long by = (1L << 32 - width) - 1;
    int bad = 0;
    for (int group = 0, k = from; group < groups; group++, k += 8) {
      int base = at + group * width;
      for (int j = 0; j < 8; j += 2) {
        int bit = j * width;
        long pair = longAt(in, base + (bit >>> 3)) >>> (bit & 7) & two;
        pair += (pair & upper) * by;
        int low = (int) pair;
        int high = (int) (pair >>> 32);
        out[k + j] = low;
        out[k + j + 1] = high;
        bad |= most - low | most - high;
      }
    }
    return bad;
  }

  private static int unpackTo32(
      byte[] in, int at, int width, int[] out, int from, int groups, int most) {
    long mask = (1L << width) - 1;
    int bad = 0;
    for (int group = 0; group < groups; group++) {
      int base = at + group * width;
      int k = from + (group << 3);
      for (int j = 0; j < 8; j++) {
        int bit = j * width;
        int value = (int) (longAt(in, base + (bit >>> 3)) >>> (bit & 7) & mask);
        out[k + j] = value;
        bad |= most - value | value;
      }
    }
    return bad;
  }

  /** Widths 0 to 8, into bytes. */
  static void unpack(byte[] in, int at, int width, byte[] out, int from, int count) {
    if (width == 0) {
      java.util.Arrays.fill(out, from, from + count, (byte) 0);
      return;
    }
    int groups = safeGroups(in, at, width, count >>> 3);
    long mask = (1L << width) - 1;
    if (width == 1) {
      // Each of the eight bits goes to the lowest bit of a byte of its own: one multiplication
      // spreads copies, the mask picks a bit from each, the addition carries it to the top bit.
      for (int group = 0, k = from; group < groups; group++, k += 8) {
        long copies = (in[at + group] & 0xffL) * 0x0101010101010101L & 0x8040201008040201L;
        LittleEndian.putLong(out, k, (copies + 0x00406070787c7e7fL) >>> 7 & 0x0101010101010101L);
      }
    } else {
      for (int group = 0, k = from; group < groups; group++, k += 8) {
        long bits = longAt(in, at + group * width);
        long spread = 0;
        for (int shift = 0; shift < 64; shift += 8) {
          spread |= (bits & mask) << shift;
          bits >>>= width;
        }
        LittleEndian.putLong(out, k, spread);
      }
    }
    int done = groups << 3;
    int base = at + groups * width;
    for (int j = 0; j < count - done; j++) {
      out[from + done + j] = (byte) bits(in, base, (long) j * width, width);
    }
  }

  /** Widths 0 to 64. */
  static void unpack(byte[] in, int at, int width, long[] out, int from, int count) {
    if (width == 0) {
      java.util.Arrays.fill(out, from, from + count, 0);
      return;
    }
    int groups = width <= 56 ? safeGroups(in, at, width, count >>> 3) : 0;
    long mask = width == 64 ? -1L : (1L << width) - 1;
    for (int group = 0; group < groups; group++) {
      int base = at + group * width;
      int k = from + (group << 3);
      for (int j = 0; j < 8; j++) {
        int bit = j * width;
        out[k + j] = longAt(in, base + (bit >>> 3)) >>> (bit & 7) & mask;
      }
    }
    int done = groups << 3;
    int base = at + groups * width;
    for (int j = 0; j < count - done; j++) {
      out[from + done + j] = bits(in, base, (long) j * width, width);
    }
  }

  /** One number of 1 to 64 bits, byte by byte. */
  private static long bits(byte[] in, int base, long bit, int width) {
    int at = base + (int) (bit >>> 3);
    int skip = (int) (bit & 7);
    int have = 8 - skip;
    long value = (in[at++] & 0xffL) >>> skip;
    while (have < width) {
      value |= (in[at++] & 0xffL) << have;
      have += 8;
    }
    return width == 64 ? value : value & ((1L << width) - 1);
  }

  /** How many groups can be unpacked with 8-byte loads that stay within the array. */
  private static int safeGroups(byte[] in, int at, int width, int groups) {
    return (long) at + (long) groups * width + 8 <= in.length
        ? groups
        : Math.max(0, Math.min(groups, (in.length - at - 8) / width));
  }
}
