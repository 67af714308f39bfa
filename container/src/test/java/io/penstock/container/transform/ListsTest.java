package io.penstock.container.transform;

import static io.penstock.container.transform.TestingFeeds.clip;
import static io.penstock.container.transform.TestingFeeds.column;
import static io.penstock.container.transform.TestingFeeds.feed;
import static io.penstock.container.transform.TestingFeeds.fill;
import static io.penstock.container.transform.TestingFeeds.list;
import static io.penstock.container.transform.TestingFeeds.lists;
import static io.penstock.container.transform.TestingFeeds.many;
import static io.penstock.container.transform.TestingFeeds.masked;
import static io.penstock.container.transform.TestingFeeds.one;
import static io.penstock.container.transform.TestingFeeds.pad;
import static io.penstock.container.transform.TestingFeeds.real;
import static io.penstock.container.transform.TestingFeeds.run;
import static io.penstock.container.transform.TestingFeeds.vocabulary;
import static io.penstock.container.transform.TestingFeeds.whole;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.container.tensors.Values;
import io.penstock.feed.BoundColumn;
import io.penstock.feed.BoundTensor;
import io.penstock.feed.Op;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import io.penstock.model.UsageException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists, {@code pad} and {@code shape}; expected cells by hand from FEED.md. */
class ListsTest {
  private static final ColumnType LIST = new ColumnType(Kind.INTEGER, 0, 1);
  private static final ColumnType NESTED = new ColumnType(Kind.INTEGER, 0, 2);

  private static byte[] made(Column column, int items, Op... ops) {
    return TestingFeeds.bytes(one("x", DType.INT8, column("c", LIST, ops), items), column);
  }

  private static void fails(BoundTensor tensor, Column column, int row, String detail) {
    DataException e = assertThrows(DataException.class, () -> TestingFeeds.bytes(tensor, column));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column c, row "
            + row
            + ": tensor x: "
            + detail,
        e.getMessage());
  }

  private static BoundTensor int8(ColumnType type, Op[] ops, Integer... axes) {
    return one("x", DType.INT8, column("c", type, ops), axes);
  }

  private static Op[] ops(Op... ops) {
    return ops;
  }

  /** [[[1, 2], [3]], [], null, [[], null, [4, null, 6]]], as rows of lists of lists. */
  private static Column nested() {
    return new Column(
        NESTED,
        4,
        6,
        new Values.Longs(new long[] {1, 2, 3, 4, 55, 6}),
        new boolean[] {true, true, true, true, false, true},
        List.of(
            new ListLevel(4, new int[] {0, 2, 2, 2, 5}, new boolean[] {true, true, false, true}),
            new ListLevel(
                5, new int[] {0, 2, 3, 3, 3, 6}, new boolean[] {true, true, true, false, true})));
  }

  @Test
  void padCutsAndFillsAtTheEnd() {
    assertArrayEquals(
        new byte[] {1, 2, 3, 4, -1, -1, -1, -1, -1, 5, 6, 7},
        made(lists(list(1, 2, 3), list(4), list(), list(5, 6, 7, 8)), 3, pad(whole(-1), 3)));
  }

  @Test
  void itemsThatPadCutsAreNotCast() {
    assertArrayEquals(new byte[] {1}, made(lists(list(1, 300)), 1, pad(whole(0), 1)));
  }

  @Test
  void anOpBeforePadDoesNotTouchThePaddingAndOneAfterItDoes() {
    assertArrayEquals(
        new byte[] {5, 9, 0}, made(lists(list(1, 9)), 3, clip(whole(5), null), pad(whole(0), 3)));
    assertArrayEquals(
        new byte[] {5, 9, 5}, made(lists(list(1, 9)), 3, pad(whole(0), 3), clip(whole(5), null)));
  }

  @Test
  void aFloatInPadMakesFloats() {
    assertArrayEquals(new byte[] {1, 4}, made(lists(list(1)), 2, pad(real(4.0), 2)));
    fails(
        int8(LIST, ops(pad(real(0.0), 2)), 2),
        lists(list(1), list(2, (1L << 53) + 1)),
        1,
        "must be within -2^53..2^53 where an op is written with a float: 9007199254740993");
  }

  @Test
  void fillFillsNullItemsAndMakesANullListAnEmptyOne() {
    assertArrayEquals(
        new byte[] {1, 7, 9, 9, 9, 9},
        made(lists(new Long[] {1L, null}, null), 3, fill(whole(7)), pad(whole(9), 3)));
  }

  @Test
  void aNullItemOrListWithoutFillIsAnError() {
    BoundTensor tensor = int8(LIST, ops(pad(whole(9), 2)), 2);
    String message = "must not be null without fill or mask: null";
    fails(tensor, lists(list(1), new Long[] {1L, null}), 1, message);
    fails(tensor, lists(list(1), list(), null), 2, message);
    fails(int8(LIST, ops(), 1), lists(list(1), null), 1, message);
  }

  @Test
  void shapeMustBeExact() {
    assertArrayEquals(new byte[] {1, 2, 3, 4}, made(lists(list(1, 2), list(3, 4)), 2));
    fails(int8(LIST, ops(), 2), lists(list(1, 2), list(3)), 1, "must have 2 items: 1");
    fails(int8(LIST, ops(), 1), lists(list(1, 2)), 0, "must have 1 item: 2");
    fails(
        int8(LIST, ops(fill(whole(0))), 1),
        lists(list(1), null),
        1,
        "must have the shape [1]: a null list, which fill makes an empty one");
  }

  @Test
  void fillAfterPadMakesANullListAnEmptyOneThatNothingPads() {
    fails(
        int8(LIST, ops(pad(whole(0), 2), fill(whole(0))), 2),
        lists(list(1), null),
        1,
        "must have the shape [2]: a null list, which fill makes an empty one");
    assertArrayEquals(
        new byte[] {8, 0}, made(lists(new Long[] {null}), 2, pad(whole(0), 2), fill(whole(8))));
  }

  @Test
  void nestedListsArePaddedOutermostFirst() {
    byte[] block =
        TestingFeeds.bytes(int8(NESTED, ops(fill(whole(8)), pad(whole(9), 2, 2)), 2, 2), nested());
    assertArrayEquals(
        new byte[] {
          1, 2, 3, 9,
          9, 9, 9, 9,
          9, 9, 9, 9,
          9, 9, 9, 9
        },
        block);
    byte[] wider =
        TestingFeeds.bytes(int8(NESTED, ops(fill(whole(8)), pad(whole(9), 3, 1)), 3, 1), nested());
    assertArrayEquals(new byte[] {1, 3, 9, 9, 9, 9, 9, 9, 9, 9, 9, 4}, wider);
  }

  @Test
  void aMaskOfListsIsFalseForNullsPaddingAndWhatFillPut() {
    RowGroupTensors made =
        run(
            feed(masked("x", DType.INT8, column("c", NESTED, pad(whole(9), 3, 3)), 3, 3)),
            4,
            nested());
    assertArrayEquals(
        new byte[] {
          1, 2, 9, 3, 9, 9, 9, 9, 9, //
          9, 9, 9, 9, 9, 9, 9, 9, 9, //
          0, 0, 0, 0, 0, 0, 0, 0, 0, //
          9, 9, 9, 0, 0, 0, 4, 0, 6
        },
        made.blocks()[0]);
    assertArrayEquals(
        new byte[] {
          1, 1, 0, 1, 0, 0, 0, 0, 0, //
          0, 0, 0, 0, 0, 0, 0, 0, 0, //
          0, 0, 0, 0, 0, 0, 0, 0, 0, //
          0, 0, 0, 0, 0, 0, 1, 0, 1
        },
        made.blocks()[1]);
  }

  @Test
  void aNestedShapeNamesTheAxisThatIsWrong() {
    fails(int8(NESTED, ops(), 2, 2), nested(), 0, "must have 2 items on axis 2: 1");
    fails(int8(NESTED, ops(), 1, 2), nested(), 0, "must have 1 item on axis 1: 2");
  }

  @Test
  void severalListColumnsMakeRowsOfColumnsOfItems() {
    byte[] block =
        run(
                feed(
                    many(
                        "x",
                        DType.INT8,
                        List.of(
                            column("a", LIST, pad(whole(0), 2)),
                            column("b", LIST, pad(whole(9), 2))),
                        2)),
                2,
                lists(list(1), list(2, 3)),
                lists(list(4, 5, 6), list()))
            .blocks()[0];
    assertArrayEquals(new byte[] {1, 0, 4, 5, 2, 3, 9, 9}, block);
  }

  /** Lists of 3, number k of which is {@code first + k / 4}; the last is NaN with a payload. */
  private static Column threes(int rows, float first, boolean[] valid) {
    float[] values = new float[3 * rows];
    int[] offsets = new int[rows + 1];
    for (int k = 0; k < values.length; k++) {
      values[k] = first + k / 4f;
    }
    values[3 * rows - 1] = Float.intBitsToFloat(0xffc12345);
    for (int row = 0; row <= rows; row++) {
      offsets[row] = 3 * row;
    }
    return new Column(
        new ColumnType(Kind.FLOAT, 0, 1),
        rows,
        3 * rows,
        new Values.Floats(values),
        valid,
        List.of(new ListLevel(rows, offsets, null)));
  }

  @Test
  void listsOfFloatsThatNeedNothingDoneAreCopiedNextToEachOther() {
    ColumnType type = threes(1, 0, null).type();
    List<BoundColumn> columns =
        List.of(
            column("a", type),
            column("b", type, fill(real(-1))),
            column("c", type),
            column("d", type));
    for (int rows : new int[] {1, 255, 700}) {
      boolean[] valid = new boolean[3 * rows];
      Arrays.fill(valid, 1, 3 * rows, true);
      ByteBuffer block =
          ByteBuffer.wrap(
                  run(
                          feed(many("x", DType.FLOAT32, columns, 3)),
                          rows,
                          threes(rows, 1000, null),
                          threes(rows, 2000, valid),
                          threes(rows, 3000, null),
                          threes(rows, 4000, null))
                      .blocks()[0])
              .order(ByteOrder.LITTLE_ENDIAN);
      for (int row = 0; row < rows; row++) {
        for (int c = 0; c < 4; c++) {
          for (int k = 3 * row; k < 3 * row + 3; k++) {
            float value = (c + 1) * 1000 + k / 4f;
            int bits = Float.floatToRawIntBits(c == 1 && k == 0 ? -1 : value);
            assertEquals(k == 3 * rows - 1 ? 0x7fc00000 : bits, block.getInt(), c + ", item " + k);
          }
        }
      }
    }
  }

  @Test
  void listsOfTextCanBePaddedBeforeOrAfterTheyBecomeNumbers() {
    Column words =
        new Column(
            new ColumnType(Kind.BYTES, 0, 1),
            2,
            3,
            new Values.Bytes(new byte[] {'a', 'b', 'a'}, new int[] {0, 1, 2, 3}),
            null,
            List.of(new ListLevel(2, new int[] {0, 2, 3}, null)));
    Op vocabulary = vocabulary(0, TestingFeeds.text("a"), TestingFeeds.text("b"));
    BoundTensor after =
        one("x", DType.INT8, column("c", words.type(), vocabulary, pad(whole(7), 2)), 2);
    BoundTensor before =
        one(
            "x",
            DType.INT8,
            column("c", words.type(), pad(TestingFeeds.text("b"), 2), vocabulary),
            2);
    assertArrayEquals(new byte[] {1, 2, 1, 7}, TestingFeeds.bytes(after, words));
    assertArrayEquals(new byte[] {1, 2, 1, 2}, TestingFeeds.bytes(before, words));
  }

  @Test
  void longListsThatAreCutDoNotMixRows() {
    Long[][] rows = new Long[40][];
    byte[] expected = new byte[80];
    for (int i = 0; i < rows.length; i++) {
      long[] items = new long[1000 + i];
      java.util.Arrays.fill(items, i);
      rows[i] = list(items);
      expected[2 * i] = (byte) i;
      expected[2 * i + 1] = (byte) i;
    }
    assertArrayEquals(expected, made(lists(rows), 2, pad(whole(0), 2)));
  }

  @Test
  void padNeedsALengthForEachAxisAndComesOnce() {
    UsageException axes =
        assertThrows(
            UsageException.class,
            () -> Transforms.compile(feed(int8(NESTED, ops(pad(whole(0), 2)), 2))).close());
    assertEquals(
        "pad must have one length for each of 2 axes: length=[2] column=c", axes.getMessage());
    UsageException twice =
        assertThrows(
            UsageException.class,
            () ->
                Transforms.compile(feed(int8(LIST, ops(pad(whole(0), 2), pad(whole(0), 3)), 3)))
                    .close());
    assertEquals("pad must be used once: column=c", twice.getMessage());
  }
}
