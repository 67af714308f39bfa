package io.penstock.container.transform;

import static io.penstock.container.transform.TestingFeeds.INTEGER;
import static io.penstock.container.transform.TestingFeeds.all;
import static io.penstock.container.transform.TestingFeeds.at;
import static io.penstock.container.transform.TestingFeeds.feed;
import static io.penstock.container.transform.TestingFeeds.fill;
import static io.penstock.container.transform.TestingFeeds.hash;
import static io.penstock.container.transform.TestingFeeds.tensor;
import static io.penstock.container.transform.TestingFeeds.whole;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.feed.BoundColumn;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.BoundTensor;
import io.penstock.feed.Op;
import io.penstock.feed.TensorFeed.Axis;
import io.penstock.model.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** A tensor of many columns holds, row by row, what tensors of each column alone hold. */
class SideBySideTest {
  @Property(tries = 80, seed = "20261130", shrinking = ShrinkingMode.OFF)
  void columnsSideBySideAreTheColumnsAlone(@ForAll long seed) {
    Random random = new Random(seed);
    int rows = 1 + random.nextInt(700);
    int count = 1 + random.nextInt(40);
    int depth = Math.max(0, random.nextInt(4) - 2);
    Integer[] axes = depth == 0 ? new Integer[0] : new Integer[] {1 + random.nextInt(5)};
    DType dtype = DType.values()[1 + random.nextInt(8)];
    boolean masked = random.nextInt(3) == 0;
    boolean alike = random.nextBoolean();
    List<BoundColumn> bound = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      char kind = dtype.isFloat() && random.nextInt(6) > 0 ? 'f' : 'w';
      RandomColumn data = new RandomColumn(random, kind, depth, List.of(axes), rows, 4);
      List<Op> ops = new ArrayList<>();
      ops.add(fill(whole(1)));
      if (kind == 'w' || !alike && random.nextInt(4) == 0) {
        ops.add(TestingFeeds.clip(whole(0), whole(3)));
      }
      if (depth > 0) {
        ops.add(new Op.Pad(List.of(axes), whole(7), all()));
      }
      bound.add(new BoundColumn("c" + c, data.type, false, ops));
      int layout = alike ? 1 : random.nextInt(3);
      columns.add(layout == 0 ? data.plain() : layout == 1 ? data.narrow() : data.dictionary());
    }
    RowGroupTensors together =
        run(feed(tensor("x", dtype, Axis.COLUMNS, masked, bound, axes)), rows, columns);
    int width = together.specs().get(0).rowBytes() / count;
    for (int c = 0; c < count; c++) {
      BoundTensor alone = tensor("x", dtype, Axis.NONE, masked, List.of(bound.get(c)), axes);
      RowGroupTensors expected = run(feed(alone), rows, List.of(columns.get(c)));
      for (int b = 0; b < expected.blocks().length; b++) {
        int bytes = b == 0 ? width : width / dtype.bytes();
        for (int row = 0; row < rows; row++) {
          int place = (row * count + c) * bytes;
          for (int i = 0; i < bytes; i++) {
            assertEquals(expected.blocks()[b][row * bytes + i], together.blocks()[b][place + i]);
          }
        }
      }
    }
  }

  private static RowGroupTensors run(BoundFeed feed, int rows, List<Column> columns) {
    return TestingFeeds.run(feed, rows, columns.toArray(Column[]::new));
  }

  @Example
  void workersShareOnePlan() {
    Random random = new Random(5);
    RandomColumn data = new RandomColumn(random, 'b', 0, List.of(), 2000, 9);
    BoundTensor tensor =
        tensor(
            "x",
            DType.INT64,
            Axis.NONE,
            false,
            List.of(
                new BoundColumn(
                    "c", data.type, false, List.of(fill(TestingFeeds.text("-")), hash(1000, 3)))));
    try (Transforms transforms = Transforms.compile(feed(tensor))) {
      List<byte[]> made =
          IntStream.range(0, 40)
              .parallel()
              .mapToObj(
                  i -> {
                    try (Transformer transformer = transforms.newTransformer(new BlockPool(0))) {
                      Column column = i % 2 == 0 ? data.plain() : data.dictionary();
                      return transformer.apply(
                              at(2000), RowGroupColumns.of(List.of(column)), Map.of())
                          .blocks()[0];
                    }
                  })
              .toList();
      made.forEach(block -> assertArrayEquals(made.get(0), block));
      assertEquals(16000, made.get(0).length);
    }
  }

  @Example
  void fewColumnsAreDecodedAtATime() {
    List<BoundColumn> columns =
        IntStream.range(0, 41).mapToObj(c -> TestingFeeds.column("c" + c, INTEGER)).toList();
    BoundFeed narrow = feed(tensor("x", DType.INT32, Axis.COLUMNS, false, columns));
    BoundFeed wide = feed(tensor("x", DType.INT64, Axis.COLUMNS, false, columns));
    assertEquals(16, Transforms.columnsAtOnce(narrow));
    assertEquals(8, Transforms.columnsAtOnce(wide));
    List<Integer> slots = new ArrayList<>();
    try (Transforms transforms = Transforms.compile(wide);
        Transformer transformer = transforms.newTransformer(new BlockPool(0))) {
      transformer.apply(
          at(3),
          (column, slot) -> {
            assertEquals(slots.size(), column, "each once, in the tensor's order");
            slots.add(slot);
            return TestingFeeds.longs(1, 2, 3);
          },
          Map.of());
    }
    assertEquals(IntStream.range(0, 41).map(c -> c % 8).boxed().toList(), slots);
  }

  @Example
  void userCodeHasAllColumnsOfItsTensorAtOnce() {
    Op code = new Op.UserClass("com.example.Any", Optional.empty(), Map.of());
    List<BoundColumn> columns =
        IntStream.range(0, 41).mapToObj(c -> TestingFeeds.column("c" + c, INTEGER, code)).toList();
    BoundFeed feed = feed(tensor("x", DType.INT64, Axis.COLUMNS, false, columns));
    assertEquals(41, Transforms.columnsAtOnce(feed));
  }
}
