package io.penstock.cli.statistics;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How often each value is there, up to a number of different values; beyond it, only that there are
 * more. Whether there are more does not depend on how the values are split among row groups.
 */
final class DistinctValues {
  private final int limit;
  private Map<Object, Long> counts = new HashMap<>();

  /**
   * @param limit most different values that are told apart, &gt;= 0
   */
  DistinctValues(int limit) {
    this.limit = limit;
  }

  /** Whether there are more than the limit. */
  boolean overflowed() {
    return counts == null;
  }

  /**
   * Counts a value.
   *
   * @param value a {@code Long}, {@code BigInteger}, {@code Double} or {@code ByteBuffer}
   */
  void add(Object value, long times) {
    if (counts == null) {
      return;
    }
    counts.merge(value, times, Long::sum);
    if (counts.size() > limit) {
      counts = null;
    }
  }

  void addAll(DistinctValues later) {
    if (later.counts == null) {
      counts = null;
    } else {
      later.counts.forEach(this::add);
    }
  }

  /** How many there are; empty if more than the limit. */
  OptionalLong size() {
    return counts == null ? OptionalLong.empty() : OptionalLong.of(counts.size());
  }

  /** All of them, the most frequent first, equally frequent ones in ascending order. */
  List<Object> byFrequency() {
    if (counts == null) {
      throw new IllegalStateException("more than " + limit + " values");
    }
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<Object, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey(ASCENDING)))
        .<Object>map(Map.Entry::getKey)
        .toList();
  }

  private static final Comparator<Object> ASCENDING =
      (a, b) -> {
        if (a instanceof ByteBuffer x && b instanceof ByteBuffer y) {
          return Arrays.compareUnsigned(x.array(), y.array());
        }
        if (a instanceof Double x && b instanceof Double y) {
          return x.compareTo(y);
        }
        return whole(a).compareTo(whole(b));
      };

  private static BigInteger whole(Object value) {
    return value instanceof BigInteger big ? big : BigInteger.valueOf((Long) value);
  }
}
