package io.penstock.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import java.math.BigInteger;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionTypeTest {
  private static Optional<Scalar> whole(long value) {
    return Optional.of(IntegerScalar.of(value));
  }

  @Test
  void wholeNumbersAreReadInTheirRangeAlone() {
    assertEquals(whole(-128), PartitionType.INT8.parse("-128"));
    assertEquals(Optional.empty(), PartitionType.INT8.parse("128"));
    assertEquals(whole(7), PartitionType.INT64.parse("07"));
    assertEquals(Optional.empty(), PartitionType.UINT8.parse("-1"));
    assertEquals(
        Optional.of(new IntegerScalar(new BigInteger("18446744073709551615"))),
        PartitionType.UINT64.parse("18446744073709551615"));
    assertEquals(Optional.empty(), PartitionType.UINT64.parse("18446744073709551616"));
    for (String bad : new String[] {"", "1.0", " 1", "0x1", "+1", "一"}) {
      assertEquals(Optional.empty(), PartitionType.INT64.parse(bad), bad);
    }
  }

  @Test
  void floatsAreReadWithNaNAndInfinity() {
    assertEquals(Optional.of(new FloatScalar(-0.25)), PartitionType.FLOAT64.parse("-2.5e-1"));
    assertEquals(Optional.of(new FloatScalar(0.1f)), PartitionType.FLOAT32.parse("0.1"));
    assertEquals(Optional.of(new FloatScalar(Double.NaN)), PartitionType.FLOAT64.parse("NaN"));
    assertEquals(
        Optional.of(new FloatScalar(Double.NEGATIVE_INFINITY)),
        PartitionType.FLOAT64.parse("-inf"));
    assertEquals(Optional.empty(), PartitionType.FLOAT64.parse("0x1p3"));
    assertEquals(Optional.empty(), PartitionType.FLOAT64.parse("1d"));
  }

  @Test
  void boolsDaysAndStringsAreRead() {
    assertEquals(whole(1), PartitionType.BOOL.parse("True"));
    assertEquals(whole(0), PartitionType.BOOL.parse("0"));
    assertEquals(Optional.empty(), PartitionType.BOOL.parse("yes"));
    assertEquals(whole(19723), PartitionType.DATE.parse("2024-01-01"));
    assertEquals(whole(-1), PartitionType.DATE.parse("1969-12-31"));
    assertEquals(Optional.empty(), PartitionType.DATE.parse("2023-02-29"));
    assertEquals(Optional.empty(), PartitionType.DATE.parse("20240101"));
    assertEquals(Optional.of(new StringScalar("NO")), PartitionType.STRING.parse("NO"));
  }
}
