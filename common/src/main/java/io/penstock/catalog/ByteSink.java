package io.penstock.catalog;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Whole numbers of any size in few bytes, and bytes with their count; {@link ByteSource} reads. */
final class ByteSink {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Seven bits a byte, lowest first; the top bit says that more follow. Taken as unsigned. */
  ByteSink number(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
    return this;
  }

  /** A number that is near 0 on either side. */
  ByteSink difference(long value) {
    return number((value << 1) ^ (value >> 63));
  }

  ByteSink bytes(byte[] bytes) {
    number(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  ByteSink text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }
}
