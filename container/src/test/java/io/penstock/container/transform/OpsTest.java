package io.penstock.container.transform;

import static io.penstock.container.transform.TestingFeeds.FLOAT;
import static io.penstock.container.transform.TestingFeeds.bucketize;
import static io.penstock.container.transform.TestingFeeds.bytes;
import static io.penstock.container.transform.TestingFeeds.clip;
import static io.penstock.container.transform.TestingFeeds.column;
import static io.penstock.container.transform.TestingFeeds.doubles;
import static io.penstock.container.transform.TestingFeeds.feed;
import static io.penstock.container.transform.TestingFeeds.fill;
import static io.penstock.container.transform.TestingFeeds.fillNaN;
import static io.penstock.container.transform.TestingFeeds.floats;
import static io.penstock.container.transform.TestingFeeds.hash;
import static io.penstock.container.transform.TestingFeeds.log1p;
import static io.penstock.container.transform.TestingFeeds.longs;
import static io.penstock.container.transform.TestingFeeds.many;
import static io.penstock.container.transform.TestingFeeds.masked;
import static io.penstock.container.transform.TestingFeeds.one;
import static io.penstock.container.transform.TestingFeeds.real;
import static io.penstock.container.transform.TestingFeeds.run;
import static io.penstock.container.transform.TestingFeeds.standardize;
import static io.penstock.container.transform.TestingFeeds.strings;
import static io.penstock.container.transform.TestingFeeds.text;
import static io.penstock.container.transform.TestingFeeds.unscaled;
import static io.penstock.container.transform.TestingFeeds.unsigned;
import static io.penstock.container.transform.TestingFeeds.vocabulary;
import static io.penstock.container.transform.TestingFeeds.whole;
import static io.penstock.container.transform.TestingFeeds.withNulls;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.container.tensors.Values;
import io.penstock.feed.Op;
import io.penstock.feed.Scalar;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import io.penstock.model.UsageException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The ops of FEED.md one by one. Expected values are NumPy 2.2's and xxhash 3's, or by hand. */
class OpsTest {
  private static double[] floatsOf(Column column, Op... ops) {
    byte[] block = bytes(one("x", DType.FLOAT64, column("c", column.type(), ops)), column);
    double[] values = new double[block.length / 8];
    ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
    return values;
  }

  private static long[] wholesOf(Column column, Op... ops) {
    byte[] block = bytes(one("x", DType.INT64, column("c", column.type(), ops)), column);
    long[] values = new long[block.length / 8];
    ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
    return values;
  }

  private static void fails(Column column, int row, String detail, Op... ops) {
    DataException e = assertThrows(DataException.class, () -> floatsOf(column, ops));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column c, row "
            + row
            + ": tensor x: "
            + detail,
        e.getMessage());
  }

  @Test
  void fillPutsItsValueWhereNullIs() {
    assertArrayEquals(
        new long[] {5, 7, 5}, wholesOf(withNulls(longs(1, 7, 2), 0, 2), fill(whole(5))));
    assertArrayEquals(
        new double[] {0.25, 7, 3}, floatsOf(withNulls(longs(1, 7, 3), 0), fill(real(0.25))));
    assertArrayEquals(
        new double[] {-1, Double.NaN, 3},
        floatsOf(withNulls(doubles(1, Double.NaN, 3), 0), fill(whole(-1))));
    assertArrayEquals(
        new double[] {-1, -1, 3},
        floatsOf(withNulls(doubles(1, Double.NaN, 3), 0), fillNaN(whole(-1))));
    assertArrayEquals(new double[] {-0.0}, floatsOf(withNulls(doubles(1), 0), fill(real(-0.0))));
  }

  @Test
  void fillOfTextComesBeforeTheHash() {
    // xxh64(b"NO") % 1000 and xxh64(b"a") % 1000
    assertArrayEquals(
        new long[] {wholesOf(strings("NO"), hash(1000, 0))[0], 955},
        wholesOf(strings(null, "a"), fill(text("NO")), hash(1000, 0)));
  }

  @Test
  void aSecondFillFindsNothing() {
    assertArrayEquals(
        new long[] {5}, wholesOf(withNulls(longs(1), 0), fill(whole(5)), fill(whole(6))));
  }

  @Test
  void clipOfIntegersLeavesWholeNumbersWhole() {
    long big = (1L << 53) + 1;
    assertArrayEquals(
        new long[] {0, 0, 3, big, big},
        wholesOf(longs(Long.MIN_VALUE, -1, 3, big, Long.MAX_VALUE), clip(whole(0), whole(big))));
    assertArrayEquals(
        new long[] {Long.MIN_VALUE, 2}, wholesOf(longs(Long.MIN_VALUE, 9), clip(null, whole(2))));
    assertArrayEquals(
        new long[] {2, Long.MAX_VALUE}, wholesOf(longs(-9, Long.MAX_VALUE), clip(whole(2), null)));
  }

  @Test
  void clipOfFloatsMakesFloats() {
    assertArrayEquals(
        new double[] {0.5, 1, 9007199254740992.0},
        floatsOf(longs(-3, 1, 1L << 53), clip(real(0.5), null)));
    fails(
        longs(1, (1L << 53) + 1),
        1,
        "must be within -2^53..2^53 where an op is written with a float: 9007199254740993",
        clip(whole(0), real(1.0)));
    fails(
        unsigned("9007199254740992", "18446744073709551615"),
        1,
        "must be within -2^53..2^53 where an op is written with a float: 18446744073709551615",
        clip(whole(0), real(1.0)));
    fails(
        longs(-(1L << 53) - 1),
        0,
        "must be within -2^53..2^53 where an op is written with a float: -9007199254740993",
        fill(real(0.5)));
  }

  @Test
  void clipKeepsNaNAndTheSignOfZero() {
    double[] clipped =
        floatsOf(
            doubles(Double.NaN, -0.0, 0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY),
            clip(whole(0), whole(1)));
    assertArrayEquals(new double[] {Double.NaN, -0.0, 0.0, 1, 0}, clipped);
  }

  @Test
  void clipComparesUnsignedNumbersUnsigned() {
    Column column = unsigned("0", "5", "9223372036854775808", "18446744073709551615");
    assertArrayEquals(new long[] {3, 5, 7, 7}, wholesOf(column, clip(whole(3), whole(7))));
    assertArrayEquals(
        new double[] {
          9223372036854775808.0,
          9223372036854775808.0,
          9223372036854775808.0,
          18446744073709551615.0
        },
        floatsOf(column, clip(whole("9223372036854775808"), null)));
  }

  @Test
  void log1pIsThatOfStrictMath() {
    assertArrayEquals(
        new double[] {
          0.0,
          -0.0,
          Double.longBitsToDouble(0x3fe62e42fefa39efL),
          Double.longBitsToDouble(0x3ddb7cdfd9d1d693L),
          Double.longBitsToDouble(0xbfe62e42fefa39efL),
          Double.longBitsToDouble(0x401ba2909ce4f864L),
          Double.NEGATIVE_INFINITY,
          Double.NaN,
          Double.POSITIVE_INFINITY
        },
        floatsOf(
            doubles(0.0, -0.0, 1, 1e-10, -0.5, 1000, -1, -2, Double.POSITIVE_INFINITY), log1p()));
    assertArrayEquals(
        new double[] {Double.longBitsToDouble(0x401ba2909ce4f864L)},
        floatsOf(longs(1000), log1p()));
  }

  @Test
  void standardizeUsesTheColumnsOwnNumbers() {
    assertArrayEquals(
        new double[] {2.9999999999999996},
        floatsOf(
            doubles(3.3), standardize(Map.of("c", 1.2, "d", 9.0), Map.of("c", 0.7, "d", 1.0))));
    assertArrayEquals(
        new double[] {-1.5}, floatsOf(longs(1), standardize(Map.of("c", 4.0), Map.of("c", 2.0))));
  }

  @Test
  void bucketizeIsSearchsortedFromTheRight() {
    assertArrayEquals(
        new long[] {0, 1, 1, 2, 2, 3, 3, 3, 3, 0, 1},
        wholesOf(
            doubles(
                -1,
                0,
                0.25,
                0.5,
                9.99,
                10,
                11,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                -0.0),
            bucketize(whole(0), real(0.5), whole(10))));
    assertArrayEquals(
        new long[] {0, 1, 2, 3, 3},
        wholesOf(
            longs(0, 1, 1L << 53, (1L << 53) + 1, 1L << 62),
            bucketize(whole(1), whole(1L << 53), whole((1L << 53) + 1))));
    assertArrayEquals(
        new long[] {1, 1, 2, 3},
        wholesOf(
            unsigned("0", "9223372036854775807", "9223372036854775808", "18446744073709551615"),
            bucketize(
                whole(-4),
                whole("9223372036854775808"),
                whole("18446744073709551615"),
                whole("18446744073709551616"))));
  }

  @Test
  void hashIsXxHash64UnsignedModuloTheBuckets() {
    assertArrayEquals(
        new long[] {376921, 12955, 467878, 308540},
        wholesOf(strings("", "a", "New York", "país"), hash(1_000_000, 0)));
    assertArrayEquals(new long[] {809295}, wholesOf(strings("penstock"), hash(1_000_000, 7)));
    assertArrayEquals(
        new long[] {291579, 61269, 2761, 965587},
        wholesOf(longs(0, 1, -1, 42), hash(1_000_000, 0)));
    assertArrayEquals(
        new long[] {2761, 674848},
        wholesOf(unsigned("18446744073709551615", "9223372036854775808"), hash(1_000_000, 0)));
    assertArrayEquals(
        new long[] {3803688792395291579L, 2245549191594285462L, 419176360057226954L},
        wholesOf(longs(0, 1, -1), hash(Long.MAX_VALUE, 0)));
    assertArrayEquals(new long[] {0}, wholesOf(longs(99), hash(1, 0)));
  }

  @Test
  void vocabularyIsThePlaceInTheListPlusOne() {
    assertArrayEquals(
        new long[] {2, 1, 0, 3},
        wholesOf(strings("b", "a", "A", ""), vocabulary(0, text("a"), text("b"), text(""))));
    assertArrayEquals(
        new long[] {2, 1, -1, -1},
        wholesOf(longs(-7, 100, 0, 7), vocabulary(-1, whole(100), whole(-7))));
    assertArrayEquals(
        new long[] {2, 9},
        wholesOf(
            unsigned("18446744073709551615", "1"),
            vocabulary(9, whole(-1), whole("18446744073709551615"))));
    Op fromFile =
        new Op.Vocabulary(
            Optional.of("v.txt"), List.of(text("10"), text("-3")), 0, Optional.empty());
    assertArrayEquals(new long[] {2, 1, 0}, wholesOf(longs(-3, 10, 3), fromFile));
  }

  @Test
  void aLargeVocabularyFindsEveryValue() {
    Scalar[] values = new Scalar[5000];
    String[] rows = new String[5000];
    long[] places = new long[5000];
    for (int i = 0; i < values.length; i++) {
      values[i] = text("value " + i * 7);
      rows[i] = "value " + i * 7;
      places[i] = i + 1;
    }
    assertArrayEquals(places, wholesOf(strings(rows), vocabulary(0, values)));
  }

  @Test
  void unscaledIsTheWholeNumberOfADecimal() {
    ColumnType type = new ColumnType(Kind.DECIMAL, 2, 0);
    Column narrow = Column.scalar(type, 2, new Values.Longs(new long[] {12345, -1}), null);
    assertArrayEquals(new long[] {12345, -1}, wholesOf(narrow, unscaled()));
    assertArrayEquals(new double[] {123.45, -0.01}, floatsOf(narrow));
    byte[] fits = BigInteger.valueOf(Long.MIN_VALUE).toByteArray();
    byte[] wide = BigInteger.TWO.pow(63).toByteArray();
    byte[] data = new byte[fits.length + wide.length];
    System.arraycopy(fits, 0, data, 0, fits.length);
    System.arraycopy(wide, 0, data, fits.length, wide.length);
    Column column =
        Column.scalar(
            type, 2, new Values.Bytes(data, new int[] {0, fits.length, data.length}), null);
    fails(
        column,
        1,
        "must fit a signed 64-bit number to be unscaled: 9223372036854775808",
        unscaled());
    Column first = Column.scalar(type, 1, new Values.Bytes(data, new int[] {0, fits.length}), null);
    assertArrayEquals(new long[] {Long.MIN_VALUE}, wholesOf(first, unscaled()));
  }

  @Test
  void aNullPassesEveryOpButFill() {
    Column column = withNulls(longs(3, Long.MAX_VALUE, 5), 1);
    Op[] ops = {
      clip(real(0.5), null),
      log1p(),
      standardize(Map.of("c", 0.0), Map.of("c", 1.0)),
      bucketize(whole(1), whole(2)),
      hash(10, 0),
      vocabulary(0, whole(1)),
      fill(whole(77))
    };
    assertEquals(77, wholesOf(column, ops)[1]);
    fails(column, 1, "must not be null without fill or mask: null", clip(real(0.5), null), log1p());
  }

  @Test
  void aMaskSaysWhereTheFileHadAValue() {
    RowGroupTensors made =
        run(
            feed(
                masked("a", DType.FLOAT32, column("c", FLOAT)),
                masked("b", DType.FLOAT32, column("c", FLOAT, fillNaN(real(1.5))))),
            4,
            withNulls(floats(2, Float.NaN, 3, 4), 0, 3));
    assertEquals(
        List.of("a", "a_mask", "b", "b_mask"),
        made.specs().stream().map(spec -> spec.name()).toList());
    ByteBuffer a = ByteBuffer.wrap(made.blocks()[0]).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer b = ByteBuffer.wrap(made.blocks()[2]).order(ByteOrder.LITTLE_ENDIAN);
    float[] values = new float[8];
    a.asFloatBuffer().get(values, 0, 4);
    b.asFloatBuffer().get(values, 4, 4);
    assertArrayEquals(new float[] {0, Float.NaN, 3, 0, 1.5f, 1.5f, 3, 1.5f}, values);
    assertArrayEquals(new byte[] {0, 1, 1, 0}, made.blocks()[1]);
    assertArrayEquals(new byte[] {0, 1, 1, 0}, made.blocks()[3]);
  }

  @Test
  void aMaskOfAColumnWithoutNullsIsAllTrue() {
    RowGroupTensors made =
        run(feed(masked("a", DType.FLOAT32, column("c", FLOAT))), 3, floats(2, 1, 3));
    assertArrayEquals(new byte[] {1, 1, 1}, made.blocks()[1]);
  }

  @Test
  void severalColumnsLieSideBySideWithOpsOfTheirOwn() {
    byte[] block =
        run(
                feed(
                    many(
                        "x",
                        DType.INT16,
                        List.of(
                            column("a", TestingFeeds.INTEGER, clip(whole(0), null)),
                            column("b", FLOAT),
                            column("c", TestingFeeds.BYTES, vocabulary(0, text("q")))))),
                2,
                longs(-5, 300),
                floats(2, -3),
                strings("q", "z"))
            .blocks()[0];
    assertArrayEquals(new byte[] {0, 0, 2, 0, 1, 0, 44, 1, -3, -1, 0, 0}, block);
  }

  @Test
  void aColumnOfTwoTensorsIsReadOnce() {
    RowGroupTensors made =
        run(
            feed(
                one("x", DType.INT8, column("c", TestingFeeds.INTEGER)),
                one("y", DType.UINT8, column("c", TestingFeeds.INTEGER, fill(whole(9))))),
            1,
            longs(3));
    assertArrayEquals(new byte[] {3}, made.blocks()[0]);
    assertArrayEquals(new byte[] {3}, made.blocks()[1]);
  }

  @Test
  void aFilesOwnIntegerTypeCounts() {
    byte[] block =
        bytes(
            one("x", DType.FLOAT32, column("c", TestingFeeds.INTEGER)),
            unsigned("18446744073709551615"));
    assertArrayEquals(new byte[] {0, 0, (byte) 0x80, 0x5f}, block);
  }

  @Test
  void anOpThatDoesNotTakeItsColumnIsRefusedBeforeAnyRow() {
    refused("op hash does not take floats this way: column c", column("c", FLOAT, hash(5, 0)));
    refused(
        "op fill does not take bytes this way: column c",
        column("c", TestingFeeds.BYTES, fill(whole(0))));
    refused(
        "op log1p does not take bytes this way: column c",
        column("c", TestingFeeds.BYTES, log1p()));
    refused(
        "standardize has no mean or std for column c",
        column("c", FLOAT, standardize(Map.of(), Map.of())));
  }

  private static void refused(String message, io.penstock.feed.BoundColumn column) {
    UsageException e =
        assertThrows(
            UsageException.class,
            () -> Transforms.compile(feed(one("x", DType.INT64, column))).close());
    assertEquals(message, e.getMessage());
  }
}
