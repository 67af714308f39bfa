package io.penstock.container.transform;

import static io.penstock.container.transform.TestingFeeds.all;
import static io.penstock.container.transform.TestingFeeds.feed;
import static io.penstock.container.transform.TestingFeeds.real;
import static io.penstock.container.transform.TestingFeeds.tensor;
import static io.penstock.container.transform.TestingFeeds.text;
import static io.penstock.container.transform.TestingFeeds.whole;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.feed.BoundColumn;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.BoundTensor;
import io.penstock.feed.Op;
import io.penstock.feed.Scalar;
import io.penstock.feed.TensorFeed.Axis;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.statistics.Statistics;

/** Random columns through random chains of ops, against {@link FeedOracle}. */
class RandomChainTest {
  private static final String PATH = "c";

  @Property(tries = 200, seed = "20261129", shrinking = ShrinkingMode.OFF)
  void everyLayoutOfAColumnGivesWhatTheFeedSays(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    int depth = Math.max(0, random.nextInt(5) - 2);
    List<Integer> axes = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      axes.add(1 + random.nextInt(3));
    }
    char kind = "wufdb".charAt(random.nextInt(5));
    int count = random.nextInt(8) == 0 ? 256 + random.nextInt(600) : 1 + random.nextInt(20);
    int tame = random.nextInt(3) == 0 ? Integer.MAX_VALUE : 4 + random.nextInt(6);
    RandomColumn data = new RandomColumn(random, kind, depth, axes, count, tame);
    List<Op> ops = ops(random, kind, axes);
    DType dtype = DType.values()[random.nextInt(DType.values().length)];
    boolean masked = random.nextBoolean();
    boolean axis = random.nextBoolean();
    BoundColumn column = new BoundColumn(PATH, data.type, false, ops);
    List<BoundColumn> columns = axis ? List.of(column, column, column) : List.of(column);
    BoundTensor tensor =
        tensor(
            "x",
            dtype,
            axis ? Axis.COLUMNS : Axis.NONE,
            masked,
            columns,
            axes.toArray(Integer[]::new));
    BoundFeed feed = feed(tensor);
    try (Transforms transforms = Transforms.compile(feed);
        Transformer transformer = transforms.newTransformer(new BlockPool(0))) {
      for (Column layout : List.of(data.plain(), data.narrow(), data.dictionary(), data.plain())) {
        check(transformer, layout, new FeedOracle(PATH, ops, axes, dtype, masked), data, axis);
      }
    }
  }

  private static void check(
      Transformer transformer, Column column, FeedOracle oracle, RandomColumn data, boolean axis)
      throws Exception {
    oracle.depth = data.type.listDepth();
    List<FeedOracle.Row> expected = new ArrayList<>();
    Set<Long> broken = new TreeSet<>();
    for (int row = 0; row < data.rows.size(); row++) {
      try {
        expected.add(oracle.row(data.rows.get(row), data.kind));
      } catch (FeedOracle.Broken e) {
        broken.add((long) row);
      }
    }
    RowGroupTensors made;
    try {
      made =
          transformer.apply(
              TestingFeeds.at(data.rows.size()), RowGroupColumns.of(List.of(column)), Map.of());
    } catch (DataException e) {
      assertTrue(broken.contains(e.place().row().orElseThrow()), e.getMessage() + " of " + broken);
      assertEquals(PATH, e.place().column());
      assertEquals(TestingFeeds.FILE, e.place().file());
      assertEquals(3, e.place().rowGroup().orElseThrow());
      Statistics.label("outcome").collect("broken");
      return;
    }
    if (!broken.isEmpty()) {
      fail("rows break the feed: " + broken);
    }
    int copies = axis ? 3 : 1;
    int at = 0;
    int maskAt = 0;
    for (FeedOracle.Row row : expected) {
      for (int copy = 0; copy < copies; copy++) {
        int length = row.bytes().length;
        byte[] got = java.util.Arrays.copyOfRange(made.blocks()[0], at, at + length);
        assertArrayEquals(row.bytes(), got);
        at += length;
        for (boolean bit : row.mask()) {
          if (made.blocks().length > 1) {
            assertEquals(bit ? 1 : 0, made.blocks()[1][maskAt++]);
          }
        }
      }
    }
    assertEquals(made.blocks()[0].length, at);
    Statistics.label("outcome")
        .collect("made")
        .coverage(
            coverage -> {
              coverage.check("made").percentage(share -> share > 25);
              coverage.check("broken").percentage(share -> share > 25);
            });
  }

  /** A chain that the kind of column takes. */
  private static List<Op> ops(Random random, char kind, List<Integer> axes) {
    List<Op> ops = new ArrayList<>();
    char now = kind;
    if (now == 'd') {
      if (random.nextBoolean()) {
        ops.add(new Op.Unscaled(all()));
        now = 'w';
      } else {
        now = 'f';
      }
    }
    int padAt = axes.isEmpty() || random.nextInt(4) == 0 ? -1 : random.nextInt(3);
    int length = padAt >= 0 ? Math.max(padAt + 1, random.nextInt(4)) : random.nextInt(4);
    for (int i = 0; i < length || now == 'b'; i++) {
      if (i == padAt) {
        Scalar value = constant(random, now);
        ops.add(new Op.Pad(axes, value, all()));
        now = value instanceof Scalar.FloatScalar ? 'f' : now;
      } else {
        now = add(ops, random, now);
      }
    }
    return ops;
  }

  private static char add(List<Op> ops, Random random, char now) {
    switch (random.nextInt(7)) {
      case 0, 1 -> {
        Scalar value = constant(random, now);
        ops.add(new Op.Fill(value, random.nextBoolean() ? Op.NaN.FILL : Op.NaN.KEEP, all()));
        return value instanceof Scalar.FloatScalar ? 'f' : now;
      }
      case 2 -> {
        return now == 'b' ? now : addClip(ops, random, now);
      }
      case 3 -> {
        if (now == 'b') {
          return now;
        }
        ops.add(
            random.nextBoolean()
                ? new Op.Log1p(all())
                : new Op.Standardize(
                    Map.of(PATH, 1.2), Map.of(PATH, 0.7), Optional.empty(), all()));
        return 'f';
      }
      case 4 -> {
        if (now == 'b') {
          return now;
        }
        boolean floats = random.nextBoolean();
        ops.add(
            new Op.Bucketize(
                floats
                    ? List.of(real(-1), whole(0), real(0.5), whole(1L << 53))
                    : List.of(whole(-1), whole(0), whole(2), whole((1L << 53) + 1)),
                all()));
        return 'w';
      }
      case 5 -> {
        if (now == 'f') {
          return now;
        }
        long[] buckets = {1, 10, 256, 1_000_000, Long.MAX_VALUE};
        ops.add(new Op.HashOp(buckets[random.nextInt(5)], random.nextInt(3), all()));
        return 'w';
      }
      default -> {
        if (now == 'f') {
          return now;
        }
        List<Scalar> values =
            now == 'b'
                ? List.of(text("a"), text("país"), text(""), text("zzz"))
                : List.of(whole(3), whole(-1), whole(0), whole("18446744073709551615"));
        ops.add(new Op.Vocabulary(Optional.empty(), values, random.nextInt(3) - 1, all()));
        return 'w';
      }
    }
  }

  private static char addClip(List<Op> ops, Random random, char now) {
    List<Scalar> mins = List.of(whole(0), whole(1), real(-0.5), real(0.0));
    List<Scalar> maxs = List.of(whole(2), whole(200), real(2.5), whole((1L << 53) + 2));
    Scalar min = mins.get(random.nextInt(4));
    Scalar max = maxs.get(random.nextInt(4));
    int which = random.nextInt(3);
    Optional<Scalar> low = which == 0 ? Optional.empty() : Optional.of(min);
    Optional<Scalar> high = which == 1 ? Optional.empty() : Optional.of(max);
    ops.add(new Op.Clip(low, high, all()));
    boolean floats =
        low.filter(Scalar.FloatScalar.class::isInstance).isPresent()
            || high.filter(Scalar.FloatScalar.class::isInstance).isPresent();
    return floats ? 'f' : now;
  }

  private static Scalar constant(Random random, char now) {
    if (now == 'b') {
      return text(random.nextBoolean() ? "NO" : "");
    }
    List<Scalar> values = List.of(whole(0), whole(5), real(0.25), real(-0.0), real(Double.NaN));
    return values.get(random.nextInt(random.nextBoolean() ? 2 : 5));
  }
}
