package io.penstock.plan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * XXH64, as the xxHash specification (github.com/Cyan4973/xxHash, doc/xxhash_spec.md) defines it.
 */
public final class XxHash64 {
  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;
  private static final long P3 = 0x165667B19E3779F9L;
  private static final long P4 = 0x85EBCA77C2B2AE63L;
  private static final long P5 = 0x27D4EB2F165667C5L;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private XxHash64() {}

  /** Hash of {@code length} bytes from {@code offset} on. */
  public static long hash(byte[] bytes, int offset, int length, long seed) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int at = offset;
    int end = offset + length;
    long h;
    if (length >= 32) {
      long a = seed + P1 + P2;
      long b = seed + P2;
      long c = seed;
      long d = seed - P1;
      for (int last = end - 32; at <= last; at += 32) {
        a = round(a, (long) LONG.get(bytes, at));
        b = round(b, (long) LONG.get(bytes, at + 8));
        c = round(c, (long) LONG.get(bytes, at + 16));
        d = round(d, (long) LONG.get(bytes, at + 24));
      }
      h = converged(a, b, c, d);
    } else {
      h = seed + P5;
    }
    h += length;
    for (; end - at >= 8; at += 8) {
      h = with8(h, (long) LONG.get(bytes, at));
    }
    if (end - at >= 4) {
      h = with4(h, (int) INT.get(bytes, at));
      at += 4;
    }
    for (; at < end; at++) {
      h = with1(h, bytes[at]);
    }
    return avalanche(h);
  }

  /** Hash of the number's 8 little-endian bytes (two's complement). */
  public static long hash(long number, long seed) {
    return avalanche(with8(seed + P5 + 8, number));
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * P2, 31) * P1;
  }

  private static long converged(long a, long b, long c, long d) {
    long h =
        Long.rotateLeft(a, 1)
            + Long.rotateLeft(b, 7)
            + Long.rotateLeft(c, 12)
            + Long.rotateLeft(d, 18);
    h = merged(h, a);
    h = merged(h, b);
    h = merged(h, c);
    return merged(h, d);
  }

  private static long merged(long h, long lane) {
    return (h ^ round(0, lane)) * P1 + P4;
  }

  private static long with8(long h, long input) {
    return Long.rotateLeft(h ^ round(0, input), 27) * P1 + P4;
  }

  private static long with4(long h, int input) {
    return Long.rotateLeft(h ^ (Integer.toUnsignedLong(input) * P1), 23) * P2 + P3;
  }

  private static long with1(long h, byte input) {
    return Long.rotateLeft(h ^ (Byte.toUnsignedLong(input) * P5), 11) * P1;
  }

  private static long avalanche(long hash) {
    long h = hash;
    h ^= h >>> 33;
    h *= P2;
    h ^= h >>> 29;
    h *= P3;
    return h ^ (h >>> 32);
  }
}
