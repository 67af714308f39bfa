package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.PartitionType;
import io.penstock.feed.Scalar;
import io.penstock.feed.Scalar.BoolScalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.ColumnType;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * Columns of hive folder names: a dictionary of one entry that every row takes, so that ops are
 * done once a row group. Belongs to one transformer.
 */
final class PartitionColumns {
  private final DatasetSpec dataset;

  /** All places 0; as long as the longest row group so far. */
  private int[] zeros = new int[0];

  PartitionColumns(DatasetSpec dataset) {
    this.dataset = dataset;
  }

  /**
   * @param values by hive key, decoded; an empty one is null
   * @throws DataException if the value is not of the key's type
   */
  Column column(String key, ColumnType type, RowGroupRef at, Map<String, Optional<String>> values) {
    Optional<String> text = values.get(key);
    DataException.Place place = DataException.Place.of(at.path()).inColumn(key);
    if (text == null) {
      throw new DataException(place, "the path has no folder " + key + "=...");
    }
    if (zeros.length < at.rows()) {
      zeros = new int[at.rows()];
    }
    if (text.isEmpty()) {
      return Column.scalar(
          type,
          at.rows(),
          new Values.Dictionary(entry(Optional.empty(), type), 1, zeros),
          new boolean[at.rows()]);
    }
    PartitionType declared = dataset.partitionTypes().getOrDefault(key, PartitionType.STRING);
    Optional<Scalar> value = declared.parse(text.get());
    if (value.isEmpty()) {
      throw new DataException(
          place, "must be of partition type " + declared.text() + ": " + key + "=" + text.get());
    }
    return Column.scalar(
        type, at.rows(), new Values.Dictionary(entry(value, type), 1, zeros), null);
  }

  private static Values entry(Optional<Scalar> value, ColumnType type) {
    Scalar scalar = value.orElse(IntegerScalar.of(0));
    switch (Form.of(type.kind())) {
      case BYTES -> {
        byte[] bytes =
            scalar instanceof StringScalar text
                ? text.value().getBytes(StandardCharsets.UTF_8)
                : new byte[0];
        return new Values.Bytes(bytes, new int[] {0, bytes.length});
      }
      case FLOAT -> {
        double number = scalar instanceof FloatScalar real ? real.value() : 0;
        return new Values.Doubles(new double[] {number});
      }
      case WHOLE, UNSIGNED -> {
        long whole = 0;
        if (scalar instanceof IntegerScalar integer) {
          whole = integer.value().longValue();
        } else if (scalar instanceof BoolScalar bool) {
          whole = bool.value() ? 1 : 0;
        }
        return new Values.Longs(new long[] {whole});
      }
    }
    throw new IllegalStateException(type.toString());
  }
}
