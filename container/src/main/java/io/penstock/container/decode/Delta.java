package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

/**
 * DELTA_BINARY_PACKED: blocks of differences, each block split into miniblocks of bit-packed
 * numbers with a width of their own.
 */
final class Delta {
  private static final int MAX_BLOCK = 1 << 20;

  private long[] unpacked = new long[0];
  private byte[] in;
  private int at;
  private int end;

  /**
   * Decodes {@code count} numbers modulo 2^64.
   *
   * @param out room for them from {@code to} on
   * @return where the encoded bytes end
   */
  int read(byte[] bytes, int from, int limit, long[] out, int to, int count) {
    in = bytes;
    at = from;
    end = limit;
    long blockSize = varint();
    long miniblocks = varint();
    long total = varint();
    long value = zigzag();
    check(
        blockSize > 0 && blockSize <= MAX_BLOCK && blockSize % 128 == 0,
        () -> "a delta block of " + blockSize + " values");
    check(
        miniblocks > 0 && miniblocks <= blockSize && blockSize % (miniblocks * 8) == 0,
        () -> miniblocks + " miniblocks in a delta block of " + blockSize + " values");
    check(
        total == count,
        () ->
            "delta-encoded are "
                + total
                + " values, and the page has "
                + count
                + " that are not null");
    if (count == 0) {
      return at;
    }
    int perMiniblock = (int) (blockSize / miniblocks);
    if (unpacked.length < perMiniblock) {
      unpacked = new long[perMiniblock];
    }
    out[to] = value;
    int done = 1;
    while (done < count) {
      long least = zigzag();
      int widths = at;
      check(miniblocks <= end - at, "delta blocks end early");
      at += (int) miniblocks;
      for (int mini = 0; mini < miniblocks && done < count; mini++) {
        int part = Math.min(perMiniblock, count - done);
        value =
            miniblock(in[widths + mini] & 0xff, perMiniblock, part, least, value, out, to + done);
        done += part;
      }
    }
    return at;
  }

  private long miniblock(
      int width, int size, int part, long least, long before, long[] out, int to) {
    check(width <= 64, "a bit width above 64");
    long bytes = BitPacking.bytes(size, width);
    if (bytes > end - at) {
      // Some writers leave out the padding of the last miniblock.
      bytes = BitPacking.bytes(part, width);
      check(bytes <= end - at, "delta blocks end early");
    }
    long value = before;
    if (width == 0) {
      for (int k = 0; k < part; k++) {
        value += least;
        out[to + k] = value;
      }
    } else {
      long[] deltas = unpacked;
      BitPacking.unpack(in, at, width, deltas, 0, part);
      for (int k = 0; k < part; k++) {
        value += least + deltas[k];
        out[to + k] = value;
      }
    }
    at += (int) bytes;
    return value;
  }

  private long zigzag() {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      check(at < end, "delta blocks end early");
      byte part = in[at++];
      value |= (part & 0x7fL) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw new CorruptException("a number of more than 10 bytes");
  }
}
