package io.penstock.cli.starter;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the first row group says of a column.
 *
 * @param nullable whether the schema lets a value, an item or a list be null
 * @param nulls how many are, of {@code rows} (of a list column: rows that are null or have a null
 *     in them)
 * @param largest the greatest magnitude of finite floats
 * @param distinct different values, at most {@value #MOST_DISTINCT}
 * @param words these values, if they are few and text
 * @param payload of bytes
 * @param axes of a list column
 */
record ColumnSample(
    String path,
    ColumnType type,
    boolean nullable,
    int rows,
    long nulls,
    double largest,
    long distinct,
    Optional<List<String>> words,
    Optional<Payload> payload,
    List<Axis> axes) {
  static final int MOST_DISTINCT = 1_000_000;
  private static final int MOST_WORDS = 1000;
  private static final int MOST_BYTES = 64 << 20;
  private static final int MOST_SAMPLES = 10_000;

  /** Lists are taken to be of fixed size if that many rows agree. */
  private static final int ENOUGH_ROWS = 8;

  private static final double COVERED = 0.99;

  /**
   * One list axis.
   *
   * @param length the least that 99 % of the rows fit in, at least 1
   * @param fixed whether every list has exactly that length, and there are enough to believe it
   */
  record Axis(int length, boolean fixed) {}

  ColumnSample {
    words = words.map(List::copyOf);
    axes = List.copyOf(axes);
  }

  /** Looks at a decoded column. */
  static ColumnSample of(String path, boolean nullable, Column column) {
    boolean bytes = column.type().kind() == ColumnType.Kind.BYTES;
    Set<Object> distinct = new HashSet<>();
    List<byte[]> samples = new ArrayList<>();
    double largest = 0;
    long sampled = 0;
    for (int item = 0; item < column.items(); item++) {
      if (column.isNull(item)) {
        continue;
      }
      if (bytes) {
        byte[] value = bytes(column.values(), item);
        if (samples.size() < MOST_SAMPLES && sampled < MOST_BYTES) {
          samples.add(value);
          sampled += value.length;
        }
        add(distinct, ByteBuffer.wrap(value));
      } else if (column.type().kind() == ColumnType.Kind.FLOAT) {
        double magnitude = Math.abs(real(column.values(), item));
        if (Double.isFinite(magnitude)) {
          largest = Math.max(largest, magnitude);
        }
      } else if (column.type().kind() != ColumnType.Kind.DECIMAL) {
        add(distinct, whole(column.values(), item));
      }
    }
    return new ColumnSample(
        path,
        column.type(),
        nullable,
        column.rows(),
        nullRows(column),
        largest,
        distinct.size(),
        bytes ? words(distinct) : Optional.empty(),
        bytes ? Optional.of(Payload.of(samples)) : Optional.empty(),
        axes(column));
  }

  private static void add(Set<Object> distinct, Object value) {
    if (distinct.size() < MOST_DISTINCT) {
      distinct.add(value);
    }
  }

  private static byte[] bytes(Values values, int item) {
    if (values instanceof Values.Dictionary dictionary) {
      return bytes(dictionary.entries(), dictionary.indices()[item]);
    }
    Values.Bytes all = (Values.Bytes) values;
    return Arrays.copyOfRange(all.data(), all.offsets()[item], all.offsets()[item + 1]);
  }

  private static long whole(Values values, int item) {
    if (values instanceof Values.Dictionary dictionary) {
      return whole(dictionary.entries(), dictionary.indices()[item]);
    }
    return values instanceof Values.Ints ints
        ? ints.array()[item]
        : ((Values.Longs) values).array()[item];
  }

  private static double real(Values values, int item) {
    if (values instanceof Values.Dictionary dictionary) {
      return real(dictionary.entries(), dictionary.indices()[item]);
    }
    return values instanceof Values.Floats floats
        ? floats.array()[item]
        : ((Values.Doubles) values).array()[item];
  }

  private static Optional<List<String>> words(Set<Object> distinct) {
    if (distinct.size() > MOST_WORDS) {
      return Optional.empty();
    }
    List<String> words = new ArrayList<>();
    for (Object value : distinct) {
      Payload.text(((ByteBuffer) value).array()).ifPresent(words::add);
    }
    return words.size() == distinct.size()
        ? Optional.of(words.stream().sorted().toList())
        : Optional.empty();
  }

  private static long nullRows(Column column) {
    long nulls = 0;
    for (int row = 0; row < column.rows(); row++) {
      if (hasNull(column, 0, row)) {
        nulls++;
      }
    }
    return nulls;
  }

  private static boolean hasNull(Column column, int level, int place) {
    if (level == column.lists().size()) {
      return column.isNull(place);
    }
    ListLevel lists = column.lists().get(level);
    if (lists.isNull(place)) {
      return true;
    }
    for (int below = lists.offsets()[place]; below < lists.offsets()[place + 1]; below++) {
      if (hasNull(column, level + 1, below)) {
        return true;
      }
    }
    return false;
  }

  private static List<Axis> axes(Column column) {
    List<Axis> axes = new ArrayList<>();
    for (int level = 0; level < column.lists().size(); level++) {
      int[] longest = new int[column.rows()];
      int shortest = Integer.MAX_VALUE;
      ListLevel lists = column.lists().get(level);
      int list = 0;
      for (int row = 0; row < column.rows(); row++) {
        for (int end = listsUpTo(column, level, row + 1); list < end; list++) {
          int length = lists.offsets()[list + 1] - lists.offsets()[list];
          longest[row] = Math.max(longest[row], length);
          shortest = Math.min(shortest, length);
        }
      }
      Arrays.sort(longest);
      int covering = longest[(int) Math.ceil(COVERED * longest.length) - 1];
      boolean fixed =
          column.rows() >= ENOUGH_ROWS
              && shortest >= 1
              && shortest == longest[longest.length - 1]
              && longest[0] == shortest;
      axes.add(new Axis(Math.max(1, covering), fixed));
    }
    return axes;
  }

  /** How many lists of a level the first rows have. */
  private static int listsUpTo(Column column, int level, int rows) {
    int lists = rows;
    for (int above = 0; above < level; above++) {
      lists = column.lists().get(above).offsets()[lists];
    }
    return lists;
  }

  boolean isList() {
    return type.listDepth() > 0;
  }

  /** Whether every row's lists have the same lengths. */
  boolean isFixed() {
    return axes.stream().allMatch(Axis::fixed);
  }

  double nullShare() {
    return (double) nulls / rows;
  }
}
