package io.penstock.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The literals were computed with the reference implementation (Python's xxhash). */
class XxHash64Test {
  private static final int SEED = (int) 2654435761L;

  /** Length, hash with seed 0, hash with seed 2654435761. */
  private static final long[][] KNOWN = {
    {0, 0xef46db3751d8e999L, 0xac75fda2929b17efL},
    {1, 0xa96c7f0ce858bbb7L, 0x84e535b36672440dL},
    {3, 0xbed43740ee6332bbL, 0x00b77b485431ce5dL},
    {4, 0xfa212ae44b3bb23dL, 0x60492c4bfcb70cacL},
    {7, 0x2744460dd675d2c0L, 0xcdf83b729545b016L},
    {8, 0x994b676b71ce94ddL, 0xf424edebfea8d23fL},
    {11, 0x97f078da7a1a590cL, 0xec8544d794ba09c3L},
    {12, 0xb92f588ce720786eL, 0xddd89bdbf8aa26e0L},
    {31, 0x6711d55e306b5d8fL, 0xfa1259cc8b20eb58L},
    {32, 0x07f7b8e3bc5d6e25L, 0x920f3e10a5db09c6L},
    {33, 0x09f85eeb4e1cbe9fL, 0x3d805e8712cb4890L},
    {47, 0x79bd9d6dd8c15570L, 0x1f3ac7cc64aebb5cL},
    {63, 0xb7c9968c066cb6a5L, 0x184bc5097530bb9aL},
    {64, 0x50d4159a0411632eL, 0x94667e10d68b3991L},
    {100, 0x9ddada11d3dc2d8fL, 0x5766be6782b96389L},
    {255, 0x15a6db05d4e83df4L, 0x99365070f4f22bf9L},
  };

  private static byte[] data(int length) {
    byte[] data = new byte[length];
    for (int i = 0; i < length; i++) {
      data[i] = (byte) (i * 131 + 7);
    }
    return data;
  }

  @Test
  void ofAnArrayEqualsTheReference() {
    for (long[] known : KNOWN) {
      int length = (int) known[0];
      assertEquals(known[1], XxHash64.hash(data(length), 0, length, 0), () -> "length " + length);
      assertEquals(
          known[2],
          XxHash64.hash(data(length), 0, length, Integer.toUnsignedLong(SEED)),
          () -> "length " + length);
    }
    byte[] text = "xxhash".getBytes(StandardCharsets.US_ASCII);
    assertEquals(0xb559b98d844e0635L, XxHash64.hash(text, 0, text.length, 20141025));
  }

  @Test
  void ofAPartOfAnArrayIsThatOfTheSameBytes() {
    for (long[] known : KNOWN) {
      int length = (int) known[0];
      for (int offset = 0; offset < 9; offset++) {
        byte[] shifted = new byte[offset + length + 3];
        System.arraycopy(data(length), 0, shifted, offset, length);
        assertEquals(known[1], XxHash64.hash(shifted, offset, length, 0));
      }
    }
  }

  @Test
  void ofANumberIsThatOfItsEightLittleEndianBytes() {
    assertEquals(0xb03b68124b3747dcL, XxHash64.hash(0L, 5));
    assertEquals(0x60482ababfd0ba32L, XxHash64.hash(1L, 5));
    assertEquals(0x3c521821cd07ffaeL, XxHash64.hash(-1L, 5));
    assertEquals(0x1402bba68fa5cbf1L, XxHash64.hash(1234567890123456789L, 5));
    assertEquals(0x3f425eacf01544e0L, XxHash64.hash(Long.MIN_VALUE, 0));
  }

  @Test
  void readsNothingOutsideTheBytes() {
    assertThrows(IndexOutOfBoundsException.class, () -> XxHash64.hash(data(8), 4, 5, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> XxHash64.hash(data(8), -1, 5, 0));
  }
}
