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

  /** Widths 0 to 32. */
  static void unpack(byte[] in, int at, int width, int[] out, int from, int count) {
    if (width == 0) {
      java.util.Arrays.fill(out, from, from + count, 0);
      return;
    }
    int groups = Math.min(count >>> 3, safeGroups(in, at, width));
    int to = from;
    if (width <= 8) {
      unpackTo8(in, at, width, out, from, groups);
    } else if (width <= 16) {
      unpackTo16(in, at, width, out, from, groups);
    } else {
      long mask = (1L << width) - 1;
      for (int group = 0; group < groups; group++) {
        int base = at + group * width;
        int k = from + (group << 3);
        for (int j = 0; j < 8; j++) {
          int bit = j * width;
          out[k + j] = (int) (longAt(in, base + (bit >>> 3)) >>> (bit & 7) & mask);
        }
      }
    }
    to += groups << 3;
    int left = count - (groups << 3);
    int base = at + groups * width;
    for (int j = 0; j < left; j++) {
      out[to + j] = (int) bits(in, base, (long) j * width, width);
    }
  }

  private static void unpackTo8(byte[] in, int at, int width, int[] out, int from, int groups) {
    int mask = (1 << width) - 1;
    int w2 = width * 2;
    int w3 = width * 3;
    int w4 = width * 4;
    int w5 = width * 5;
    int w6 = width * 6;
    int w7 = width * 7;
    for (int group = 0, k = from; group < groups; group++, k += 8) {
      long bits = longAt(in, at + group * width);
      out[k] = (int) bits & mask;
      out[k + 1] = (int) (bits >>> width) & mask;
      out[k + 2] = (int) (bits >>> w2) & mask;
      out[k + 3] = (int) (bits >>> w3) & mask;
      out[k + 4] = (int) (bits >>> w4) & mask;
      out[k + 5] = (int) (bits >>> w5) & mask;
      out[k + 6] = (int) (bits >>> w6) & mask;
      out[k + 7] = (int) (bits >>> w7) & mask;
    }
  }

  private static void unpackTo16(byte[] in, int at, int width, int[] out, int from, int groups) {
    int mask = (1 << width) - 1;
    int w2 = width * 2;
    int w3 = width * 3;
    int second = (width * 4) >>> 3;
    int shift = (width * 4) & 7;
    for (int group = 0, k = from; group < groups; group++, k += 8) {
      int base = at + group * width;
      long low = longAt(in, base);
      long high = longAt(in, base + second) >>> shift;
      out[k] = (int) low & mask;
      out[k + 1] = (int) (low >>> width) & mask;
      out[k + 2] = (int) (low >>> w2) & mask;
      out[k + 3] = (int) (low >>> w3) & mask;
      out[k + 4] = (int) high & mask;
      out[k + 5] = (int) (high >>> width) & mask;
      out[k + 6] = (int) (high >>> w2) & mask;
      out[k + 7] = (int) (high >>> w3) & mask;
    }
  }

  /** Widths 0 to 8, into bytes. */
  static void unpack(byte[] in, int at, int width, byte[] out, int from, int count) {
    if (width == 0) {
      java.util.Arrays.fill(out, from, from + count, (byte) 0);
      return;
    }
    int groups = Math.min(count >>> 3, safeGroups(in, at, width));
    int mask = (1 << width) - 1;
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
        for (int j = 0; j < 8; j++) {
          out[k + j] = (byte) ((int) bits & mask);
          bits >>>= width;
        }
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
    int groups = width <= 56 ? Math.min(count >>> 3, safeGroups(in, at, width)) : 0;
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
  private static int safeGroups(byte[] in, int at, int width) {
    return Math.max(0, (in.length - at - 8) / width);
  }
}
