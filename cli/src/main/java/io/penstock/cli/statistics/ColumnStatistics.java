package io.penstock.cli.statistics;

import io.penstock.model.ColumnType;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What is known of a column: of one row group, or of all so far. Not thread-safe.
 *
 * <p>An item is a value or a null; of a list column, an item of its innermost lists.
 */
public final class ColumnStatistics {
  private final ColumnType type;
  private final DistinctValues distinct;
  private long rows;
  private long items;
  private long nulls;
  private long nullLists;
  private long nans;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private Moments moments = Moments.NONE;

  ColumnStatistics(ColumnType type, int distinctLimit) {
    this.type = type;
    this.distinct = new DistinctValues(distinctLimit);
  }

  void count(long moreRows, long moreItems, long moreNulls, long moreNullLists) {
    rows += moreRows;
    items += moreItems;
    nulls += moreNulls;
    nullLists += moreNullLists;
  }

  /**
   * Takes in the numbers of a row group.
   *
   * @param values the first {@code count} of them, none NaN
   */
  void numbers(double[] values, int count, long moreNans) {
    nans += moreNans;
    for (int i = 0; i < count; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    moments = moments.plus(Moments.of(values, count));
  }

  DistinctValues distinct() {
    return distinct;
  }

  /** Takes in what comes next in the catalog. */
  void addAll(ColumnStatistics later) {
    count(later.rows, later.items, later.nulls, later.nullLists);
    nans += later.nans;
    min = Math.min(min, later.min);
    max = Math.max(max, later.max);
    moments = moments.plus(later.moments);
    distinct.addAll(later.distinct);
  }

  public ColumnType type() {
    return type;
  }

  public long rows() {
    return rows;
  }

  public long items() {
    return items;
  }

  public long nulls() {
    return nulls;
  }

  /** Lists that are null, on any level. */
  public long nullLists() {
    return nullLists;
  }

  public long nans() {
    return nans;
  }

  /** Nulls among the items; empty if there are no items. */
  public OptionalDouble nullShare() {
    return items == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) nulls / items);
  }

  /** Of the values that are neither null nor NaN; empty if there are none, or it is not finite. */
  public OptionalDouble mean() {
    return finite(moments.mean());
  }

  /** Over the population; empty as {@link #mean}. */
  public OptionalDouble deviation() {
    return finite(moments.deviation());
  }

  public OptionalDouble min() {
    return finite(min);
  }

  public OptionalDouble max() {
    return finite(max);
  }

  private OptionalDouble finite(double value) {
    return moments.count() == 0 || !Double.isFinite(value)
        ? OptionalDouble.empty()
        : OptionalDouble.of(value);
  }

  /** How many different values there are; empty if more than the limit. */
  public OptionalLong distinctValues() {
    return distinct.size();
  }

  /**
   * The different values, the most frequent first, equally frequent ones ascending: {@code Long},
   * {@code BigInteger}, {@code Double}, or {@code ByteBuffer} of a whole array.
   *
   * @throws IllegalStateException if there are more than the limit
   */
  public List<Object> valuesByFrequency() {
    return distinct.byFrequency();
  }
}
