package io.penstock.container.transform;

import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.container.tensors.Values;
import io.penstock.feed.BoundColumn;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.BoundTensor;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.Feed;
import io.penstock.feed.Op;
import io.penstock.feed.PartitionType;
import io.penstock.feed.Scalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.feed.TensorFeed;
import io.penstock.feed.TensorFeed.Axis;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DType;
import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Remainder;
import io.penstock.model.RowGroupRef;
import io.penstock.model.Shuffle;
import io.penstock.model.TensorSpec;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Feeds and columns made by hand. */
final class TestingFeeds {
  static final String FILE = "hdfs:///data/part-0.parquet";
  static final ColumnType INTEGER = ColumnType.scalar(Kind.INTEGER);
  static final ColumnType UNSIGNED = ColumnType.scalar(Kind.UNSIGNED);
  static final ColumnType FLOAT = ColumnType.scalar(Kind.FLOAT);
  static final ColumnType BYTES = ColumnType.scalar(Kind.BYTES);

  private TestingFeeds() {}

  static Optional<List<String>> all() {
    return Optional.empty();
  }

  static Scalar whole(long value) {
    return IntegerScalar.of(value);
  }

  static Scalar whole(String value) {
    return new IntegerScalar(new BigInteger(value));
  }

  static Scalar real(double value) {
    return new FloatScalar(value);
  }

  static Scalar text(String value) {
    return new StringScalar(value);
  }

  static Op fill(Scalar value) {
    return new Op.Fill(value, Op.NaN.KEEP, all());
  }

  static Op fillNaN(Scalar value) {
    return new Op.Fill(value, Op.NaN.FILL, all());
  }

  static Op clip(Scalar min, Scalar max) {
    return new Op.Clip(Optional.ofNullable(min), Optional.ofNullable(max), all());
  }

  static Op log1p() {
    return new Op.Log1p(all());
  }

  static Op standardize(Map<String, Double> mean, Map<String, Double> std) {
    return new Op.Standardize(mean, std, Optional.empty(), all());
  }

  static Op bucketize(Scalar... bounds) {
    return new Op.Bucketize(List.of(bounds), all());
  }

  static Op hash(long buckets, long seed) {
    return new Op.HashOp(buckets, seed, all());
  }

  static Op vocabulary(long unknown, Scalar... values) {
    return new Op.Vocabulary(Optional.empty(), List.of(values), unknown, all());
  }

  static Op unscaled() {
    return new Op.Unscaled(all());
  }

  static Op pad(Scalar value, Integer... lengths) {
    return new Op.Pad(List.of(lengths), value, all());
  }

  static Op npy() {
    return new Op.DecodeNpy(all());
  }

  static Op image(int height, int width, int channels, Op.DecodeImage.Resize resize) {
    return new Op.DecodeImage(height, width, channels, resize, all());
  }

  static BoundColumn column(String path, ColumnType type, Op... ops) {
    return new BoundColumn(path, type, false, List.of(ops));
  }

  /** {@code column: ...}, with the ops that the column has. */
  static BoundTensor one(String name, DType dtype, BoundColumn column, Integer... axes) {
    return tensor(name, dtype, Axis.NONE, false, List.of(column), axes);
  }

  /** The same with a mask. */
  static BoundTensor masked(String name, DType dtype, BoundColumn column, Integer... axes) {
    return tensor(name, dtype, Axis.NONE, true, List.of(column), axes);
  }

  /** {@code columns: [...]}. */
  static BoundTensor many(
      String name, DType dtype, List<BoundColumn> columns, Integer... itemAxes) {
    return tensor(name, dtype, Axis.COLUMNS, false, columns, itemAxes);
  }

  static BoundTensor tensor(
      String name,
      DType dtype,
      Axis axis,
      boolean mask,
      List<BoundColumn> columns,
      Integer... itemAxes) {
    List<Integer> shape = new ArrayList<>(List.of(itemAxes));
    if (axis == Axis.COLUMNS) {
      shape.add(0, columns.size());
    }
    List<Op> ops = columns.get(0).ops();
    TensorFeed feed =
        new TensorFeed(
            name,
            axis,
            columns.stream().map(BoundColumn::path).toList(),
            dtype,
            ops,
            Optional.empty(),
            mask,
            1,
            Collections.nCopies(ops.size(), 1));
    return new BoundTensor(
        feed,
        columns,
        new TensorSpec(name, dtype, shape),
        mask ? Optional.of(new TensorSpec(name + "_mask", DType.BOOL, shape)) : Optional.empty());
  }

  static BoundFeed feed(BoundTensor... tensors) {
    return feed(Map.of(), tensors);
  }

  static BoundFeed feed(Map<String, PartitionType> partitionTypes, BoundTensor... tensors) {
    DatasetSpec dataset =
        new DatasetSpec(
            List.of("/data"),
            List.of(),
            DatasetSpec.Partitions.HIVE,
            partitionTypes,
            DatasetSpec.BadRowGroup.FAIL,
            DatasetSpec.DEFAULT_MAX_BAD_ROWS);
    OrderSpec order = new OrderSpec(1, 1, 1, 1, Shuffle.NONE, Deal.FIXED, Remainder.DROP);
    List<TensorFeed> written = Arrays.stream(tensors).map(BoundTensor::feed).toList();
    return new BoundFeed(
        new Feed("feed.yaml", dataset, order, 1, written, Map.of(), "{}", "00"), List.of(tensors));
  }

  static RowGroupRef at(int rows) {
    return new RowGroupRef(7, FILE, 3, rows);
  }

  static RowGroupTensors run(BoundFeed feed, int rows, Column... columns) {
    try (Transforms transforms = Transforms.compile(feed);
        Transformer transformer = transforms.newTransformer(usedBlocks(feed, rows))) {
      return transformer.apply(at(rows), RowGroupColumns.of(List.of(columns)), Map.of());
    }
  }

  /** Blocks of the right size in which something else was before. */
  static BlockPool usedBlocks(BoundFeed feed, int rows) {
    BlockPool pool = new BlockPool(1 << 30);
    byte[][] blocks = new byte[feed.specs().size()][];
    for (int k = 0; k < blocks.length; k++) {
      blocks[k] = new byte[rows * feed.specs().get(k).rowBytes()];
      Arrays.fill(blocks[k], (byte) 0x5a);
    }
    pool.giveBack(blocks);
    return pool;
  }

  /** The only tensor's bytes. */
  static byte[] bytes(BoundTensor tensor, Column... columns) {
    return run(feed(tensor), columns[0].rows(), columns).blocks()[0];
  }

  static Column longs(long... values) {
    return Column.scalar(INTEGER, values.length, new Values.Longs(values), null);
  }

  static Column unsigned(String... values) {
    long[] bits = Arrays.stream(values).mapToLong(Long::parseUnsignedLong).toArray();
    return Column.scalar(UNSIGNED, bits.length, new Values.Longs(bits), null);
  }

  static Column doubles(double... values) {
    return Column.scalar(FLOAT, values.length, new Values.Doubles(values), null);
  }

  static Column floats(float... values) {
    return Column.scalar(FLOAT, values.length, new Values.Floats(values), null);
  }

  static Column strings(String... values) {
    return binary(
        Arrays.stream(values)
            .map(value -> value == null ? null : value.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new));
  }

  /** Bytes; null where null. */
  static Column binary(byte[]... values) {
    int[] offsets = new int[values.length + 1];
    boolean[] valid = new boolean[values.length];
    boolean nulls = false;
    for (int i = 0; i < values.length; i++) {
      valid[i] = values[i] != null;
      nulls |= values[i] == null;
      offsets[i + 1] = offsets[i] + (values[i] == null ? 0 : values[i].length);
    }
    byte[] data = new byte[offsets[values.length]];
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        System.arraycopy(values[i], 0, data, offsets[i], values[i].length);
      }
    }
    return Column.scalar(
        BYTES, values.length, new Values.Bytes(data, offsets), nulls ? valid : null);
  }

  /** The column with the given items null. */
  static Column withNulls(Column column, int... nulls) {
    boolean[] valid = new boolean[column.items()];
    Arrays.fill(valid, true);
    for (int item : nulls) {
      valid[item] = false;
    }
    return new Column(
        column.type(), column.rows(), column.items(), column.values(), valid, column.lists());
  }

  /** Whole numbers in lists; a null array is a null list, a null element a null item. */
  static Column lists(Long[]... rows) {
    int[] offsets = new int[rows.length + 1];
    boolean[] listValid = new boolean[rows.length];
    List<Long> items = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      listValid[i] = rows[i] != null;
      if (rows[i] != null) {
        items.addAll(Arrays.asList(rows[i]));
      }
      offsets[i + 1] = items.size();
    }
    boolean[] valid = new boolean[items.size()];
    long[] values = new long[items.size()];
    for (int i = 0; i < values.length; i++) {
      valid[i] = items.get(i) != null;
      values[i] = valid[i] ? items.get(i) : 77;
    }
    return new Column(
        new ColumnType(Kind.INTEGER, 0, 1),
        rows.length,
        values.length,
        new Values.Longs(values),
        valid,
        List.of(new ListLevel(rows.length, offsets, listValid)));
  }

  static Long[] list(long... items) {
    return Arrays.stream(items).boxed().toArray(Long[]::new);
  }
}
