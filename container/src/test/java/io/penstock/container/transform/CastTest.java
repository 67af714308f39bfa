package io.penstock.container.transform;

import static io.penstock.container.transform.TestingFeeds.INTEGER;
import static io.penstock.container.transform.TestingFeeds.bytes;
import static io.penstock.container.transform.TestingFeeds.column;
import static io.penstock.container.transform.TestingFeeds.doubles;
import static io.penstock.container.transform.TestingFeeds.floats;
import static io.penstock.container.transform.TestingFeeds.longs;
import static io.penstock.container.transform.TestingFeeds.one;
import static io.penstock.container.transform.TestingFeeds.unsigned;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The cast rules of FEED.md, "Types". Expected bits are NumPy 2.2's. */
class CastTest {
  private static byte[] cast(DType dtype, Column column) {
    return bytes(one("x", dtype, column("c", column.type())), column);
  }

  private static long[] bits(DType dtype, Column column) {
    ByteBuffer out = ByteBuffer.wrap(cast(dtype, column)).order(ByteOrder.LITTLE_ENDIAN);
    long[] bits = new long[column.rows()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] =
          switch (dtype.bytes()) {
            case 1 -> out.get() & 0xffL;
            case 2 -> out.getShort() & 0xffffL;
            case 4 -> out.getInt() & 0xffffffffL;
            default -> out.getLong();
          };
    }
    return bits;
  }

  private static void fails(DType dtype, Column column, int row, String detail) {
    DataException e = assertThrows(DataException.class, () -> cast(dtype, column));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column c, row "
            + row
            + ": tensor x: "
            + detail,
        e.getMessage());
  }

  @Test
  void float64GoesToFloat16RoundedOnceTiesToEven() {
    assertArrayEquals(
        new long[] {
          0x0, 0x8000, 0x3c00, 0x3555, 0x7bff, 0x7bff, 0x400, 0x3ff, 0x1, 0x0, 0x0, 0x1, 0x2,
          0x3c00, 0x3c02, 0x6800, 0x6802, 0xc100, 0x7c00, 0xfc00, 0x2e66, 0x3c01
        },
        bits(
            DType.FLOAT16,
            doubles(
                0.0,
                -0.0,
                1.0,
                1.0 / 3,
                65504.0,
                65519.99,
                6.103515625e-05,
                6.1e-05,
                5.960464477539063e-08,
                2.98e-08,
                2.9802322387695312e-08,
                2.980232238769532e-08,
                8.940696716308594e-08,
                1.00048828125,
                1.00146484375,
                2049.0,
                2051.0,
                -2.5,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                0.1,
                1.0004882812500002)));
  }

  @Test
  void float16IsNotRoundedByWayOfFloat32() {
    // By way of float32 it would be 0x3c00.
    assertArrayEquals(new long[] {0x3c01}, bits(DType.FLOAT16, doubles(1.0 + 0x1p-11 + 0x1p-30)));
  }

  @Test
  void float64GoesToFloat32TiesToEven() {
    assertArrayEquals(
        new long[] {
          0x3dcccccdL,
          0x3eaaaaabL,
          0x4b800000L,
          0x4b800002L,
          0x1,
          0x0,
          0x1,
          0x80000000L,
          0x4b800001L
        },
        bits(
            DType.FLOAT32,
            doubles(
                0.1,
                1.0 / 3,
                16777217.0,
                16777219.0,
                1e-45,
                7e-46,
                1.4e-45,
                -0.0,
                16777217.0000001)));
  }

  @Test
  void wholeNumbersGoStraightToFloat32() {
    // 9007199791611905 = 2^53 + 2^29 + 1 would end in an even tie by way of float64.
    assertArrayEquals(
        new long[] {
          0x4b800000L, 0x4b800002L, 0x5a000000L, 0x5f000000L, 0x5a000001L, 0xdf000000L, 0x5e800001L
        },
        bits(
            DType.FLOAT32,
            longs(
                16777217,
                16777219,
                9007199254740993L,
                Long.MAX_VALUE,
                9007199791611905L,
                Long.MIN_VALUE,
                (1L << 62) + (1L << 38) + 1)));
  }

  @Test
  void wholeNumbersGoToTheNearestFloat64() {
    assertArrayEquals(
        new long[] {0x4340000000000000L, 0x43e0000000000000L, 0x4340000010000000L},
        bits(DType.FLOAT64, longs(9007199254740993L, Long.MAX_VALUE, 9007199791611905L)));
  }

  @Test
  void unsignedNumbersGoToTheNearestFloat() {
    Column column =
        unsigned(
            "18446744073709551615",
            "9223372036854775808",
            "9223372586610589696",
            "9223372586610589697",
            "9223372036854776833",
            "9223372036854776832",
            "9223372036854778880",
            "18446744073709550591");
    assertArrayEquals(
        new long[] {
          0x5f800000L,
          0x5f000000L,
          0x5f000000L,
          0x5f000001L,
          0x5f000000L,
          0x5f000000L,
          0x5f000000L,
          0x5f800000L
        },
        bits(DType.FLOAT32, column));
    assertArrayEquals(
        new long[] {
          0x43f0000000000000L,
          0x43e0000000000000L,
          0x43e0000010000000L,
          0x43e0000010000000L,
          0x43e0000000000001L,
          0x43e0000000000000L,
          0x43e0000000000002L,
          0x43efffffffffffffL
        },
        bits(DType.FLOAT64, column));
  }

  @Test
  void everyNaNBecomesTheQuietOneWithoutPayload() {
    double odd = Double.longBitsToDouble(0xfff8000000000123L);
    float oddFloat = Float.intBitsToFloat(0xffc00123);
    assertArrayEquals(new long[] {0x7e00}, bits(DType.FLOAT16, doubles(odd)));
    assertArrayEquals(new long[] {0x7fc00000L}, bits(DType.FLOAT32, doubles(odd)));
    assertArrayEquals(new long[] {0x7ff8000000000000L}, bits(DType.FLOAT64, doubles(odd)));
    assertArrayEquals(new long[] {0x7e00}, bits(DType.FLOAT16, floats(oddFloat)));
    assertArrayEquals(new long[] {0x7fc00000L}, bits(DType.FLOAT32, floats(oddFloat)));
    assertArrayEquals(new long[] {0x7ff8000000000000L}, bits(DType.FLOAT64, floats(oddFloat)));
  }

  @Test
  void negativeZeroStaysInFloatsAndIsZeroInWholeNumbers() {
    assertArrayEquals(new long[] {0x8000}, bits(DType.FLOAT16, floats(-0.0f)));
    assertArrayEquals(new long[] {0x80000000L}, bits(DType.FLOAT32, floats(-0.0f)));
    assertArrayEquals(new long[] {Long.MIN_VALUE}, bits(DType.FLOAT64, floats(-0.0f)));
    assertArrayEquals(new long[] {0}, bits(DType.INT64, doubles(-0.0)));
    assertArrayEquals(new long[] {0}, bits(DType.BOOL, doubles(-0.0)));
  }

  @Test
  void aFiniteValueMustStayFinite() {
    fails(
        DType.FLOAT32,
        doubles(0, 3.4028235677973366e38),
        1,
        "must stay finite as float32: 3.4028235677973366E38");
    fails(DType.FLOAT16, doubles(-65520), 0, "must stay finite as float16: -65520.0");
    fails(DType.FLOAT16, longs(65519, 65520), 1, "must stay finite as float16: 65520");
    fails(DType.FLOAT16, longs(-65520), 0, "must stay finite as float16: -65520");
    fails(
        DType.FLOAT16,
        unsigned("18446744073709551615"),
        0,
        "must stay finite as float16: 18446744073709551615");
    assertArrayEquals(new long[] {0x7bff, 0xfbff}, bits(DType.FLOAT16, longs(65519, -65519)));
    assertArrayEquals(
        new long[] {0x7f7fffffL},
        bits(DType.FLOAT32, doubles(Math.nextDown(3.4028235677973366e38))));
  }

  @Test
  void wholeNumbersMustBeInRange() {
    fails(DType.UINT8, longs(255, 256), 1, "must be a whole number in 0..255 to become uint8: 256");
    fails(DType.UINT8, longs(-1), 0, "must be a whole number in 0..255 to become uint8: -1");
    fails(DType.INT8, longs(128), 0, "must be a whole number in -128..127 to become int8: 128");
    fails(
        DType.INT16,
        longs(-32769),
        0,
        "must be a whole number in -32768..32767 to become int16: -32769");
    fails(
        DType.INT32,
        longs(1L << 31),
        0,
        "must be a whole number in -2147483648..2147483647 to become int32: 2147483648");
    fails(
        DType.INT64,
        unsigned("9223372036854775807", "9223372036854775808"),
        1,
        "must be a whole number in -9223372036854775808..9223372036854775807 to become int64:"
            + " 9223372036854775808");
    fails(DType.BOOL, longs(0, 1, 2), 2, "must be 0 or 1 to become bool: 2");
    assertArrayEquals(new byte[] {0, 1}, cast(DType.BOOL, longs(0, 1)));
    assertArrayEquals(new byte[] {(byte) 255, 0}, cast(DType.UINT8, longs(255, 0)));
    assertArrayEquals(new byte[] {-128, 127}, cast(DType.INT8, longs(-128, 127)));
    assertArrayEquals(new byte[] {0, -128, -1, 127}, cast(DType.INT16, longs(-32768, 32767)));
    assertArrayEquals(
        new long[] {0x80000000L, 0x7fffffffL},
        bits(DType.INT32, longs(Integer.MIN_VALUE, Integer.MAX_VALUE)));
    assertArrayEquals(
        new long[] {Long.MAX_VALUE}, bits(DType.INT64, unsigned("9223372036854775807")));
  }

  @Test
  void floatsMustBeWholeToBecomeWholeNumbers() {
    String range = "must be a whole number in -2147483648..2147483647 to become int32: ";
    fails(DType.INT32, doubles(1, 1.5), 1, range + "1.5");
    fails(DType.INT32, doubles(Double.NaN), 0, range + "NaN");
    fails(DType.INT32, doubles(Double.POSITIVE_INFINITY), 0, range + "Infinity");
    fails(DType.INT32, doubles(2147483648.0), 0, range + "2.147483648E9");
    fails(
        DType.INT64,
        doubles(0x1p63),
        0,
        "must be a whole number in -9223372036854775808..9223372036854775807 to become int64:"
            + " 9.223372036854776E18");
    assertArrayEquals(
        new long[] {Long.MIN_VALUE, 0x7ffffffffffffc00L, -3},
        bits(DType.INT64, doubles(-0x1p63, 9223372036854774784.0, -3)));
  }

  @Test
  void aDecimalIsTheNearestFloat64() {
    long[] unscaled = {12345, 9007199254740993L, 123456789012345678L, -1};
    int[] scales = {2, 1, 17, 3};
    long[] expected = {
      0x405edccccccccccdL, 0x430999999999999aL, 0x3ff3c0ca428c59fbL, 0xbf50624dd2f1a9fcL
    };
    for (int i = 0; i < scales.length; i++) {
      ColumnType type = new ColumnType(Kind.DECIMAL, scales[i], 0);
      Column column = Column.scalar(type, 1, new Values.Longs(new long[] {unscaled[i]}), null);
      assertArrayEquals(new long[] {expected[i]}, bits(DType.FLOAT64, column));
    }
    byte[] wide = new BigInteger("99999999999999999999999999999999999999").toByteArray();
    Column column =
        Column.scalar(
            new ColumnType(Kind.DECIMAL, 38, 0),
            1,
            new Values.Bytes(wide, new int[] {0, wide.length}),
            null);
    assertArrayEquals(new long[] {0x3ff0000000000000L}, bits(DType.FLOAT64, column));
    Column small =
        Column.scalar(new ColumnType(Kind.DECIMAL, 10, 0), 1, new Values.Ints(new int[] {1}), null);
    assertArrayEquals(new long[] {0x3ddb7cdfd9d7bdbbL}, bits(DType.FLOAT64, small));
  }

  @Test
  void allPhysicalWidthsOfWholeNumbersGiveTheSame() {
    int[] values = {-5, 0, 7};
    Column ints = Column.scalar(INTEGER, 3, new Values.Ints(values), null);
    Column longs = longs(-5, 0, 7);
    for (DType dtype : DType.values()) {
      if (dtype != DType.BOOL && dtype != DType.UINT8) {
        assertArrayEquals(cast(dtype, longs), cast(dtype, ints), dtype.text());
      }
    }
  }

  @Test
  void everyFloat16GoesThereAndBack() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      double value = Float16.value((short) bits);
      int expected = Double.isNaN(value) ? 0x7e00 : bits;
      assertEquals(expected, Float16.bits(value) & 0xffff);
    }
    assertEquals(0.333251953125, Float16.value((short) 0x3555));
    assertEquals(-65504.0, Float16.value((short) 0xfbff));
    assertEquals(5.960464477539063e-08, Float16.value((short) 1));
  }

  @Test
  void everyMidpointOfFloat16GoesToTheEvenNeighbour() {
    for (int bits = 0; bits < 0x7bff; bits++) {
      double low = Float16.value((short) bits);
      double high = Float16.value((short) (bits + 1));
      double middle = low + (high - low) / 2;
      assertEquals(bits + (bits & 1), Float16.bits(middle));
      assertEquals(bits, Float16.bits(Math.nextDown(middle)));
      assertEquals(bits + 1, Float16.bits(Math.nextUp(middle)));
    }
  }
}
