package io.penstock.cli.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnReaderTest {
  private static double unsigned(long bits) {
    ColumnType type = ColumnType.scalar(Kind.UNSIGNED);
    return ColumnReader.number(type, new Values.Longs(new long[] {bits}), 0);
  }

  @Test
  void unsignedNumbersAreRoundedOnceTiesToEven() {
    assertEquals(0x1p64, unsigned(-1));
    assertEquals(0x1p63, unsigned(Long.MIN_VALUE));
    assertEquals(0x1p63, unsigned(Long.MIN_VALUE + 1024));
    assertEquals(0x1p63 + 2048, unsigned(Long.MIN_VALUE + 1025));
    assertEquals(0x1p63 + 4096, unsigned(Long.MIN_VALUE + 3072));
    assertEquals(7, unsigned(7));
  }

  @Test
  void decimalsAreTheNearestFloat64() {
    ColumnType type = new ColumnType(Kind.DECIMAL, 3, 0);
    Values values = new Values.Longs(new long[] {1, -4567, 9_007_199_254_740_993_123L});
    assertEquals(0.001, ColumnReader.number(type, values, 0));
    assertEquals(-4.567, ColumnReader.number(type, values, 1));
    assertEquals(9_007_199_254_740_993.123, ColumnReader.number(type, values, 2));
    byte[] wide = new BigInteger("-123456789012345678901234567890").toByteArray();
    Values bytes = new Values.Bytes(wide, new int[] {0, wide.length});
    assertEquals(-123456789012345678901234567.890, ColumnReader.number(type, bytes, 0));
  }

  @Test
  void dictionariesAreReadAsWhatTheyStandFor() {
    ColumnType type = ColumnType.scalar(Kind.INTEGER);
    Column plain =
        Column.scalar(
            type,
            4,
            new Values.Ints(new int[] {5, 9, 0, 5}),
            new boolean[] {true, true, false, true});
    Column coded =
        Column.scalar(
            type,
            4,
            new Values.Dictionary(new Values.Ints(new int[] {9, 5, 77}), 3, new int[] {1, 0, 0, 1}),
            new boolean[] {true, true, false, true});
    for (Column column : List.of(plain, coded)) {
      ColumnStatistics statistics = new ColumnReader().read(column, 2);
      assertEquals(List.of(5L, 9L), statistics.valuesByFrequency());
      assertEquals(19.0 / 3, statistics.mean().orElseThrow());
      assertEquals(0.25, statistics.nullShare().orElseThrow());
      assertEquals(9, statistics.max().orElseThrow());
      assertTrue(new ColumnReader().read(column, 1).distinctValues().isEmpty());
    }
  }
}
