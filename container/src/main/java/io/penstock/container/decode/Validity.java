package io.penstock.container.decode;

import java.util.Arrays;

/** Which items are not null, appended in order; costs nothing until there is a null. */
final class Validity {
  private boolean[] flags = new boolean[0];
  private int size;
  private boolean anyNull;

  void clear() {
    size = 0;
    anyNull = false;
  }

  int size() {
    return size;
  }

  boolean anyNull() {
    return anyNull;
  }

  /** The flags, or null where all are valid. */
  boolean[] orNull() {
    return anyNull ? flags : null;
  }

  void appendValid(int count) {
    if (anyNull) {
      reserve(count);
      Arrays.fill(flags, size, size + count, true);
    }
    size += count;
  }

  void appendNull(int count) {
    if (count == 0) {
      return;
    }
    begin(count);
    Arrays.fill(flags, size, size + count, false);
    size += count;
  }

  void append(boolean valid) {
    if (valid) {
      appendValid(1);
    } else {
      appendNull(1);
    }
  }

  /** Appends bits, least significant first; returns how many are 1. */
  int appendBits(byte[] in, int at, int count) {
    int ones = 0;
    int whole = count >>> 3;
    for (int k = 0; k < whole; k++) {
      ones += Integer.bitCount(in[at + k] & 0xff);
    }
    int rest = count & 7;
    if (rest > 0) {
      ones += Integer.bitCount(in[at + whole] & ((1 << rest) - 1));
    }
    if (ones == count) {
      appendValid(count);
      return ones;
    }
    begin(count);
    boolean[] out = flags;
    int to = size;
    for (int k = 0; k < whole; k++, to += 8) {
      int bits = in[at + k];
      out[to] = (bits & 1) != 0;
      out[to + 1] = (bits & 2) != 0;
      out[to + 2] = (bits & 4) != 0;
      out[to + 3] = (bits & 8) != 0;
      out[to + 4] = (bits & 16) != 0;
      out[to + 5] = (bits & 32) != 0;
      out[to + 6] = (bits & 64) != 0;
      out[to + 7] = (bits & 128) != 0;
    }
    for (int k = 0; k < rest; k++) {
      out[to + k] = (in[at + whole] >>> k & 1) != 0;
    }
    size += count;
    return ones;
  }

  /** Appends levels: valid where a level is {@code max}; returns how many are. */
  int appendLevels(byte[] levels, int from, int count, int max) {
    begin(count);
    int ones = 0;
    for (int k = 0; k < count; k++) {
      boolean valid = (levels[from + k] & 0xff) == max;
      flags[size + k] = valid;
      ones += valid ? 1 : 0;
    }
    size += count;
    return ones;
  }

  /** From here on there are nulls. */
  private void begin(int count) {
    reserve(count);
    if (!anyNull) {
      anyNull = true;
      Arrays.fill(flags, 0, size, true);
    }
  }

  private void reserve(int count) {
    if (flags.length - size < count) {
      flags = Arrays.copyOf(flags, Capacity.grown(flags.length, (long) size + count));
    }
  }
}
