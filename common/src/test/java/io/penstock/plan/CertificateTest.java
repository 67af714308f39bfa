package io.penstock.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.model.Digest128;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The literals were computed in Python from the contract's formulas and Python's xxhash. */
class CertificateTest {
  @Test
  void mixIsTheSplitMix64Finaliser() {
    assertEquals(0, Certificate.mix(0));
    assertEquals(0x5692161d100b05e5L, Certificate.mix(1));
    assertEquals(0xb4d055fcf2cbbd7bL, Certificate.mix(-1));
  }

  @Test
  void rowHashMixesEpochThenPositionThenRow() {
    assertEquals(0x44c05e07b0a69e9cL, Certificate.rowHash(Certificate.FIRST, 3, 1000, 77));
    assertEquals(0x37c80fe33778efb9L, Certificate.rowHash(Certificate.SECOND, 3, 1000, 77));
  }

  @Test
  void orderDigestSumsRowHashes() {
    long[] rows = {-9, 77, 5, 0, 1L << 40, -9};
    DigestSums atOnce = new DigestSums(3);
    atOnce.add(1000, rows, 1, 4);
    assertEquals("6e1818db8a0377eb91024dfc99d6c4b2", atOnce.digest().hex());

    DigestSums some = new DigestSums(3);
    some.add(1003, 1L << 40);
    some.add(1000, 77);
    DigestSums others = new DigestSums(3);
    others.add(1001, rows, 2, 2);
    assertEquals(atOnce.digest(), some.digest().plus(others.digest()));
    assertEquals(Digest128.ZERO, new DigestSums(3).digest());
  }

  @Test
  void valuesDigestTakesInTheBytesOfEachTensor() {
    byte[] floats =
        ByteBuffer.allocate(16)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putFloat(1.5f)
            .putFloat(-2)
            .putFloat(0)
            .putFloat(0)
            .array();
    byte[] bytes = {1, 2, 3, (byte) 255, 0, 9};
    long[] expected = {0x55618ac5374c317bL, 0x2e484e081492f5beL};

    long[] values = {RowValue.VALID, RowValue.NOT_VALID};
    byte[] slot = ByteBuffer.allocate(30).put(4, floats).put(20, bytes).array();
    RowValue.next(values, 0, 2, slot, 4, 8, 0);
    RowValue.next(values, 0, 2, slot, 20, 3, 1);
    assertArrayEquals(expected, values);

    DigestSums sums = new DigestSums(2);
    sums.add(40, values, 0, 2);
    assertEquals("8c74dc376f5c2a529e8a1d82422e5a16", sums.digest().hex());
  }

  /** Expected values from python-xxhash and ORDER.md. */
  @Test
  void valuesOfManyRowsAreThoseOfEachAlone() {
    int rows = 150;
    ByteBuffer numbers = ByteBuffer.allocate(rows * 4).order(ByteOrder.LITTLE_ENDIAN);
    byte[] bytes = new byte[rows];
    for (int i = 0; i < rows; i++) {
      numbers.putInt(i);
      bytes[i] = (byte) i;
    }
    byte[] values = new byte[rows * 8 + 3];
    RowValue.ofRows(rows, new byte[][] {numbers.array(), bytes}, new int[] {4, 1}, values);
    assertEquals(0x5bf815a7a4b1fb41L, RowValue.at(values, 0));
    assertEquals(0xe71d118651808985L, RowValue.at(values, 63));
    assertEquals(0x673a69973f4167f1L, RowValue.at(values, 64));
    assertEquals(0xb41e367db45d1ccbL, RowValue.at(values, 149));
  }
}
