package io.penstock.container.transform;

import static io.penstock.container.transform.TestingFeeds.BYTES;
import static io.penstock.container.transform.TestingFeeds.binary;
import static io.penstock.container.transform.TestingFeeds.bytes;
import static io.penstock.container.transform.TestingFeeds.clip;
import static io.penstock.container.transform.TestingFeeds.column;
import static io.penstock.container.transform.TestingFeeds.fill;
import static io.penstock.container.transform.TestingFeeds.hash;
import static io.penstock.container.transform.TestingFeeds.masked;
import static io.penstock.container.transform.TestingFeeds.npy;
import static io.penstock.container.transform.TestingFeeds.one;
import static io.penstock.container.transform.TestingFeeds.pad;
import static io.penstock.container.transform.TestingFeeds.whole;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.feed.BoundTensor;
import io.penstock.feed.Op;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Arrays that NumPy wrote; see make.py beside the test's resources. */
class NpyDecoderTest {
  static byte[] resource(String name) {
    try (InputStream in = NpyDecoderTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }

  private static BoundTensor tensor(DType dtype, Op after, Integer... shape) {
    return after == null
        ? one("x", dtype, column("c", BYTES, npy()), shape)
        : one("x", dtype, column("c", BYTES, npy(), after), shape);
  }

  private static byte[] decoded(String name, DType dtype, Integer... shape) {
    return bytes(tensor(dtype, null, shape), binary(resource(name)));
  }

  private static long[] longs(byte[] block) {
    long[] values = new long[block.length / 8];
    ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
    return values;
  }

  private static void fails(byte[] file, String detail, DType dtype, Integer... shape) {
    DataException e =
        assertThrows(DataException.class, () -> bytes(tensor(dtype, null, shape), binary(file)));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column c, row 0: tensor x: " + detail,
        e.getMessage());
  }

  @Test
  void wholeNumbersOfEveryWidthByteOrderAndLayout() {
    assertArrayEquals(
        new long[] {1, -2, 3, 4, 5, -6}, longs(decoded("plain.npy", DType.INT64, 2, 3)));
    assertArrayEquals(
        new long[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
        longs(decoded("fortran.npy", DType.INT64, 2, 3, 2)));
    assertArrayEquals(new byte[] {-128, 127}, decoded("narrow.npy", DType.INT8, 1, 2));
    assertArrayEquals(new byte[] {1, 0, 1}, decoded("bool.npy", DType.BOOL, 3));
    assertArrayEquals(new long[] {9, 8}, longs(decoded("version2.npy", DType.INT64, 2)));
    assertArrayEquals(new long[] {9, 8}, longs(decoded("version3.npy", DType.INT64, 2)));
  }

  @Test
  void floatsOfEveryWidthAndByteOrder() {
    assertArrayEquals(
        new long[] {
          0x3ff8000000000000L, 0x8000000000000000L, 0x7ff8000000000000L, 0x7ff0000000000000L
        },
        longs(decoded("big.npy", DType.FLOAT64, 4)));
    assertArrayEquals(
        new long[] {0x3fd5540000000000L, 0x40effc0000000000L, 0xbe70000000000000L, 0},
        longs(decoded("half.npy", DType.FLOAT64, 4)));
    assertArrayEquals(
        new byte[] {(byte) 0xcd, (byte) 0xcc, (byte) 0xcc, 0x3d, 1, 0, 0, (byte) 0x80},
        decoded("single.npy", DType.FLOAT32, 2, 1));
  }

  @Test
  void unsignedNumbersStayUnsigned() {
    assertArrayEquals(
        new long[] {0x43f0000000000000L, 0x43e0000000000000L, 0},
        longs(decoded("unsigned.npy", DType.FLOAT64, 3)));
    fails(
        resource("unsigned.npy"),
        "must be a whole number in -9223372036854775808..9223372036854775807 to become int64:"
            + " 18446744073709551615",
        DType.INT64,
        3);
  }

  @Test
  void anArchiveOfOneArrayIsThatArray() {
    assertArrayEquals(new long[] {0, 1, 2, 3, 4, 5}, longs(decoded("one.npz", DType.INT64, 2, 3)));
    assertArrayEquals(
        new long[] {0, 1, 2, 3, 4, 5}, longs(decoded("packed.npz", DType.INT64, 3, 2)));
    fails(resource("two.npz"), "an .npz file must hold one array: more than one", DType.INT64, 2);
  }

  @Test
  void anArrayWithoutAxesIsANumber() {
    assertArrayEquals(new long[] {7}, longs(decoded("scalar.npy", DType.INT64)));
  }

  @Test
  void theShapeMustBeTheTensors() {
    fails(resource("plain.npy"), "must have the shape [3, 2]: [2, 3]", DType.INT64, 3, 2);
    fails(resource("plain.npy"), "must have the shape [6]: [2, 3]", DType.INT64, 6);
    fails(resource("empty.npy"), "must have the shape [1]: [0]", DType.INT64, 1);
  }

  @Test
  void arraysOfAnyLengthCanBePadded() {
    BoundTensor tensor = tensor(DType.INT8, pad(whole(9), 3, 2), 3, 2);
    assertArrayEquals(new byte[] {1, -2, 4, 5, 9, 9}, bytes(tensor, binary(resource("plain.npy"))));
    assertArrayEquals(
        new byte[] {-128, 127, 9, 9, 9, 9}, bytes(tensor, binary(resource("narrow.npy"))));
    assertArrayEquals(
        new byte[] {5, 5},
        bytes(tensor(DType.INT8, pad(whole(5), 2), 2), binary(resource("empty.npy"))));
  }

  @Test
  void opsGoOnWithTheArraysNumbers() {
    assertArrayEquals(
        new byte[] {1, 0, 2, 2, 2, 0},
        bytes(tensor(DType.INT8, clip(whole(0), whole(2)), 2, 3), binary(resource("plain.npy"))));
    DataException e =
        assertThrows(
            DataException.class,
            () -> bytes(tensor(DType.INT64, hash(5, 0), 4), binary(resource("big.npy"))));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column c, row 0: tensor x:"
            + " op hash does not take floats this way: column c",
        e.getMessage());
  }

  @Test
  void aNullArrayIsMaskedOrRefused() {
    RowGroupTensors made =
        TestingFeeds.run(
            TestingFeeds.feed(masked("x", DType.INT8, column("c", BYTES, npy()), 1, 2)),
            3,
            binary(null, resource("narrow.npy"), null));
    assertArrayEquals(new byte[] {0, 0, -128, 127, 0, 0}, made.blocks()[0]);
    assertArrayEquals(new byte[] {0, 0, 1, 1, 0, 0}, made.blocks()[1]);
    DataException e =
        assertThrows(
            DataException.class,
            () -> bytes(tensor(DType.INT8, null, 1, 2), binary(resource("narrow.npy"), null)));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column c, row 1: tensor x:"
            + " must not be null without fill or mask: null",
        e.getMessage());
  }

  @Test
  void fillMakesANullArrayAnEmptyOne() {
    DataException e =
        assertThrows(
            DataException.class,
            () -> bytes(tensor(DType.INT8, fill(whole(0)), 1, 2), binary((byte[]) null)));
    assertTrue(
        e.getMessage()
            .endsWith("must have the shape [1, 2]: a null array, which fill makes an empty one"),
        e.getMessage());
    BoundTensor padded =
        one("x", DType.INT8, column("c", BYTES, npy(), fill(whole(0)), pad(whole(4), 1, 2)), 1, 2);
    assertArrayEquals(new byte[] {4, 4}, bytes(padded, binary((byte[]) null)));
  }

  @Test
  void whatIsNoArrayOfNumbersIsNamed() {
    fails(
        resource("complex.npy"),
        "an array must be of bool, whole numbers or floats of at most 8 bytes: <c16",
        DType.INT8,
        1);
    fails(
        resource("text.npy"),
        "an array must be of bool, whole numbers or floats of at most 8 bytes: <U2",
        DType.INT8,
        1);
    fails(
        new byte[] {1, 2, 3},
        "must be an .npy or .npz file: 3 bytes without its magic",
        DType.INT8,
        1);
  }

  @Test
  void everyTruncationIsAnErrorThatNamesTheRow() {
    for (String name : new String[] {"plain.npy", "packed.npz", "version2.npy"}) {
      byte[] file = resource(name);
      int lastRefused = name.endsWith(".npz") ? 100 : file.length - 1;
      for (int length = 0; length <= lastRefused; length++) {
        byte[] cut = Arrays.copyOf(file, length);
        DataException e =
            assertThrows(
                DataException.class,
                () -> bytes(tensor(DType.INT64, null, 2, 3), binary(cut)),
                name + " cut to " + length);
        assertEquals(0, e.place().row().orElseThrow());
      }
    }
  }
}
