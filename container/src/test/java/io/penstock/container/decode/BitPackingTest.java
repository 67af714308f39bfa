package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BitPackingTest {
  /** Number k of that width, taken from all bytes as one great number. */
  private static long expected(byte[] bytes, int at, int width, int k) {
    byte[] bigEndian = new byte[bytes.length - at + 1];
    for (int j = at; j < bytes.length; j++) {
      bigEndian[bytes.length - j] = bytes[j];
    }
    return new BigInteger(bigEndian)
        .shiftRight(k * width)
        .mod(BigInteger.ONE.shiftLeft(width))
        .longValue();
  }

  @Test
  void everyWidthIsUnpackedUpToTheLastByte() {
    SplittableRandom random = new SplittableRandom(11);
    for (int width = 0; width <= 64; width++) {
      for (int count : new int[] {0, 1, 7, 8, 9, 29, 64}) {
        int at = random.nextInt(4);
        int slack = random.nextInt(3) == 0 ? 20 : 0;
        byte[] bytes = new byte[at + (int) BitPacking.bytes(count, width) + slack];
        random.nextBytes(bytes);
        long[] longs = new long[count + 2];
        BitPacking.unpack(bytes, at, width, longs, 2, count);
        for (int k = 0; k < count; k++) {
          assertEquals(expected(bytes, at, width, k), longs[2 + k], width + " bits, number " + k);
        }
        if (width <= 32) {
          int[] ints = new int[count + 1];
          BitPacking.unpack(bytes, at, width, ints, 1, count, -1);
          for (int k = 0; k < count; k++) {
            assertEquals((int) longs[2 + k], ints[1 + k], width + " bits, number " + k);
          }
        }
        if (width <= 8) {
          byte[] small = new byte[count];
          BitPacking.unpack(bytes, at, width, small, 0, count);
          for (int k = 0; k < count; k++) {
            assertEquals((byte) longs[2 + k], small[k], width + " bits, number " + k);
          }
        }
      }
    }
  }

  @Test
  void aNumberAboveTheGreatestIsFoundWhereverItLies() {
    int count = 19;
    for (int width = 1; width <= 31; width++) {
      int most = (1 << width) - 1;
      for (int k = 0; k < count; k++) {
        // All are 0 but number k, which is the greatest of that width.
        byte[] bytes = new byte[(int) BitPacking.bytes(count, width) + 8];
        for (int bit = k * width; bit < (k + 1) * width; bit++) {
          bytes[bit >> 3] |= (byte) (1 << (bit & 7));
        }
        int[] out = new int[count];
        assertTrue(BitPacking.unpack(bytes, 0, width, out, 0, count, most) >= 0);
        assertEquals(most, out[k]);
        assertTrue(
            BitPacking.unpack(bytes, 0, width, out, 0, count, most - 1) < 0, width + ", " + k);
      }
    }
  }

  @Test
  void flagsAreAppendedFromBits() {
    Validity flags = new Validity();
    assertEquals(8, flags.appendBits(new byte[] {-1, 0}, 0, 8));
    assertEquals(null, flags.orNull());
    assertEquals(2, flags.appendBits(new byte[] {0b0000_0101, -1}, 0, 3));
    assertEquals(9, flags.appendBits(new byte[] {(byte) 0b1111_1110, 0b11, 0}, 0, 10));
    boolean[] seen = java.util.Arrays.copyOf(flags.orNull(), flags.size());
    boolean t = true;
    boolean f = false;
    assertArrayEquals(
        new boolean[] {t, t, t, t, t, t, t, t, t, f, t, f, t, t, t, t, t, t, t, t, t}, seen);
  }

  @Test
  void halvesAreExact() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      int exponent = bits >> 10 & 31;
      int fraction = bits & 1023;
      double magnitude =
          exponent == 31
              ? (fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN)
              : exponent == 0
                  ? Math.scalb(fraction, -24)
                  : Math.scalb(1024 + fraction, exponent - 25);
      double expected = (bits & 0x8000) == 0 ? magnitude : -magnitude;
      assertEquals(expected, (double) Half.toFloat((short) bits), "bits " + bits);
    }
  }
}
