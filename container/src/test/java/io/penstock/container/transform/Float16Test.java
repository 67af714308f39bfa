package io.penstock.container.transform;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.IntToDoubleFunction;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Checksums of what NumPy's astype(float16) gives for the same numbers, NaN being 0x7e00. */
class Float16Test {
  private static long checksum(int count, IntToDoubleFunction number) {
    CRC32 crc = new CRC32();
    byte[] bytes = new byte[2];
    for (int i = 0; i < count; i++) {
      Cast.SHORT.set(bytes, 0, Float16.bits(number.applyAsDouble(i)));
      crc.update(bytes);
    }
    return crc.getValue();
  }

  @Test
  void float32OfAllExponentsGoesWhereNumPyPutsIt() {
    assertEquals(0xc6dacf80L, checksum(4_714_564, i -> Float.intBitsToFloat(911 * i)));
  }

  @Test
  void float64AtAndBesideTiesGoesWhereNumPyPutsIt() {
    assertEquals(0x70d5aa08L, checksum(1_000_000, Float16Test::nearTie));
  }

  /** Anything, a tie, or the next number after a tie, around float16's range; both signs. */
  private static double nearTie(int i) {
    long fraction = i * 0x9e3779b97f4a7c15L >>> 12;
    if (i % 3 != 0) {
      fraction = fraction & -1L << 42 | 1L << 41;
      fraction += i % 3 - 1;
    }
    long exponent = 1023 - 30 + i % 50;
    return Double.longBitsToDouble((i & 1L) << 63 | exponent << 52 | fraction);
  }

  @Test
  void allBitsComeBackFromTheirValues() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      double value = Float16.value((short) bits);
      short expected = value != value ? Float16.NAN : (short) bits;
      assertEquals(expected, Float16.bits(value));
    }
  }
}
