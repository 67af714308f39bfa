package io.penstock.catalog;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what {@link ByteSink} wrote; whatever else it is given ends in an exception. */
final class ByteSource {
  private static final int LONGEST_SHIFT = 63;

  private final byte[] bytes;
  private int at;

  ByteSource(byte[] bytes) {
    this.bytes = bytes;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift <= LONGEST_SHIFT; shift += 7) {
      if (at == bytes.length) {
        throw new IllegalArgumentException("cut short at byte " + at);
      }
      byte next = bytes[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number of too many bytes before byte " + at);
  }

  long difference() {
    long value = number();
    return (value >>> 1) ^ -(value & 1);
  }

  /** How many of something follow that takes a byte at least. */
  int count() {
    long count = number();
    if (count < 0 || count > bytes.length - at) {
      throw new IllegalArgumentException("too many at byte " + at + ": " + count);
    }
    return (int) count;
  }

  byte[] bytes() {
    int count = count();
    at += count;
    return Arrays.copyOfRange(bytes, at - count, at);
  }

  String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }
}
