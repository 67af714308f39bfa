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
        width <= 8
            ? unpackTo8(in, at, width, out, from, groups, most)
            : width <= 16
                ? unpackTo16(in, at, width, out, from, groups, most)
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

  private static int unpackTo8(
      byte[] in, int at, int width, int[] out, int from, int groups, int most) {
    int mask = (1 << width) - 1;
    int w2 = width * 2;
    int w3 = width * 3;
    int w4 = width * 4;
    int w5 = width * 5;
    int w6 = width * 6;
    int w7 = width * 7;
    int bad = 0;
    for (int group = 0, k = from; group < groups; group++, k += 8) {
      long bits = longAt(in, at + group * width);
      int a = (int) bits & mask;
      int b = (int) (bits >>> width) & mask;
      int c = (int) (bits >>> w2) & mask;
      int d = (int) (bits >>> w3) & mask;
      int e = (int) (bits >>> w4) & mask;
      int f = (int) (bits >>> w5) & mask;
      int g = (int) (bits >>> w6) & mask;
      int h = (int) (bits >>> w7) & mask;
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

  private static int unpackTo16(
      byte[] in, int at, int width, int[] out, int from, int groups, int most) {
    int mask = (1 << width) - 1;
    int w2 = width * 2;
    int w3 = width * 3;
    int second = (width * 4) >>> 3;
    int shift = (width * 4) & 7;
    int bad = 0;
    for (int group = 0, k = from; group < groups; group++, k += 8) {
      int base = at + group * width;
      long low = longAt(in, base);
      long high = longAt(in, base + second) >>> shift;
      int a = (int) low & mask;
      int b = (int) (low >>> width) & mask;
      int c = (int) (low >>> w2) & mask;
      int d = (int) (low >>> w3) & mask;
      int e = (int) high & mask;
      int f = (int) (high >>> width) & mask;
      int g = (int) (high >>> w2) & mask;
      int h = (int) (high >>> w3) & mask;
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
