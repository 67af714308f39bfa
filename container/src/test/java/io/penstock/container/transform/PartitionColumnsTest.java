package io.penstock.container.transform;

import static io.penstock.container.transform.TestingFeeds.at;
import static io.penstock.container.transform.TestingFeeds.feed;
import static io.penstock.container.transform.TestingFeeds.hash;
import static io.penstock.container.transform.TestingFeeds.longs;
import static io.penstock.container.transform.TestingFeeds.many;
import static io.penstock.container.transform.TestingFeeds.one;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.feed.BoundColumn;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Op;
import io.penstock.feed.PartitionType;
import io.penstock.feed.TensorFeed.Axis;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionColumnsTest {
  private static BoundColumn key(String name, PartitionType type, Op... ops) {
    return new BoundColumn(name, type.type(), true, List.of(ops));
  }

  private static RowGroupTensors run(
      BoundFeed feed, int rows, Map<String, Optional<String>> values) {
    try (Transforms transforms = Transforms.compile(feed);
        Transformer transformer = transforms.newTransformer(new BlockPool(0))) {
      return transformer.apply(at(rows), RowGroupColumns.of(List.of()), values);
    }
  }

  private static byte[] value(PartitionType type, DType dtype, String text) {
    BoundFeed feed = feed(Map.of("k", type), one("x", dtype, key("k", type)));
    return run(feed, 1, Map.of("k", Optional.of(text))).blocks()[0];
  }

  @Test
  void aKeyIsAConstantOfItsType() {
    assertArrayEquals(
        new byte[] {-5, -1, -1, -1, -1, -1, -1, -1}, value(PartitionType.INT64, DType.INT64, "-5"));
    assertArrayEquals(new byte[] {1}, value(PartitionType.BOOL, DType.BOOL, "true"));
    assertArrayEquals(
        new byte[] {0, 0, (byte) 0xc0, 0x3f}, value(PartitionType.FLOAT64, DType.FLOAT32, "1.5"));
    assertArrayEquals(
        new byte[] {0, 0, (byte) 0x80, 0x5f},
        value(PartitionType.UINT64, DType.FLOAT32, "18446744073709551615"));
    assertArrayEquals(new byte[] {31, 0}, value(PartitionType.DATE, DType.INT16, "1970-02-01"));
  }

  @Test
  void everyRowHasIt() {
    BoundFeed feed =
        feed(
            Map.of("day", PartitionType.INT64),
            many(
                "x",
                DType.INT8,
                List.of(
                    key("day", PartitionType.INT64),
                    TestingFeeds.column("c", TestingFeeds.INTEGER))));
    try (Transforms transforms = Transforms.compile(feed);
        Transformer transformer = transforms.newTransformer(new BlockPool(0))) {
      RowGroupTensors three =
          transformer.apply(
              at(3), RowGroupColumns.of(List.of(longs(1, 2, 3))), Map.of("day", Optional.of("7")));
      assertArrayEquals(new byte[] {7, 1, 7, 2, 7, 3}, three.blocks()[0]);
      RowGroupTensors one =
          transformer.apply(
              at(1), RowGroupColumns.of(List.of(longs(9))), Map.of("day", Optional.of("8")));
      assertArrayEquals(new byte[] {8, 9}, one.blocks()[0]);
    }
  }

  @Test
  void aKeyWithoutTypeIsText() {
    // xxh64(b"pa\\xc3\\xads") % 1000 = 540
    BoundFeed feed =
        feed(one("x", DType.INT16, key("country", PartitionType.STRING, hash(1000, 0))));
    assertArrayEquals(
        new byte[] {28, 2, 28, 2},
        run(feed, 2, Map.of("country", Optional.of("país"))).blocks()[0]);
  }

  @Test
  void theDefaultPartitionIsNull() {
    BoundFeed masked =
        feed(
            Map.of("k", PartitionType.INT64),
            TestingFeeds.tensor(
                "x", DType.INT8, Axis.NONE, true, List.of(key("k", PartitionType.INT64))));
    RowGroupTensors made = run(masked, 2, Map.of("k", Optional.empty()));
    assertArrayEquals(new byte[] {0, 0}, made.blocks()[0]);
    assertArrayEquals(new byte[] {0, 0}, made.blocks()[1]);
    DataException e =
        assertThrows(
            DataException.class,
            () ->
                run(
                    feed(
                        Map.of("k", PartitionType.INT64),
                        one("x", DType.INT8, key("k", PartitionType.INT64))),
                    2,
                    Map.of("k", Optional.empty())));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column k, row 0: tensor x:"
            + " must not be null without fill or mask: null",
        e.getMessage());
  }

  @Test
  void aValueOfAnotherTypeIsAnError() {
    DataException e =
        assertThrows(DataException.class, () -> value(PartitionType.INT64, DType.INT64, "monday"));
    assertEquals(
        "file hdfs:///data/part-0.parquet, column k: must be of partition type int64: k=monday",
        e.getMessage());
    DataException missing =
        assertThrows(
            DataException.class,
            () ->
                run(
                    feed(
                        Map.of("k", PartitionType.INT64),
                        one("x", DType.INT8, key("k", PartitionType.INT64))),
                    1,
                    Map.of()));
    assertEquals(
        "file hdfs:///data/part-0.parquet, column k: the path has no folder k=...",
        missing.getMessage());
  }
}
