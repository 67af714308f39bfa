package io.penstock.cli.statistics;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Makes statistics of decoded columns on one thread, in a buffer that it keeps. */
final class ColumnReader {
  /** Powers of ten that float64 holds exactly. */
  private static final double[] TENS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private double[] numbers = new double[0];

  /**
   * Reads a column of one row group.
   *
   * @param distinctLimit most different values to tell apart
   */
  ColumnStatistics read(Column column, int distinctLimit) {
    ColumnStatistics statistics = new ColumnStatistics(column.type(), distinctLimit);
    long nulls = 0;
    for (int item = 0; item < column.items(); item++) {
      nulls += column.isNull(item) ? 1 : 0;
    }
    long nullLists = 0;
    for (ListLevel lists : column.lists()) {
      for (int list = 0; list < lists.count(); list++) {
        nullLists += lists.isNull(list) ? 1 : 0;
      }
    }
    statistics.count(column.rows(), column.items(), nulls, nullLists);
    if (column.type().kind() != Kind.BYTES) {
      numbers(column, statistics);
    }
    distinct(column, statistics.distinct());
    return statistics;
  }

  private void numbers(Column column, ColumnStatistics statistics) {
    if (numbers.length < column.items()) {
      numbers = new double[column.items()];
    }
    boolean coded = column.values() instanceof Values.Dictionary;
    double[] entries = new double[0];
    int[] indices = new int[0];
    if (column.values() instanceof Values.Dictionary dictionary) {
      entries = new double[dictionary.size()];
      indices = dictionary.indices();
      for (int entry = 0; entry < entries.length; entry++) {
        entries[entry] = number(column.type(), dictionary.entries(), entry);
      }
    }
    int count = 0;
    long nans = 0;
    for (int item = 0; item < column.items(); item++) {
      if (column.isNull(item)) {
        continue;
      }
      double number = coded ? entries[indices[item]] : number(column.type(), column.values(), item);
      if (Double.isNaN(number)) {
        nans++;
      } else {
        numbers[count++] = number;
      }
    }
    statistics.numbers(numbers, count, nans);
  }

  /** The value as float64, rounded to the nearest. */
  static double number(ColumnType type, Values values, int item) {
    if (values instanceof Values.Doubles doubles) {
      return doubles.array()[item];
    } else if (values instanceof Values.Floats floats) {
      return floats.array()[item];
    } else if (values instanceof Values.Bytes bytes) {
      BigInteger unscaled =
          new BigInteger(
              Arrays.copyOfRange(bytes.data(), bytes.offsets()[item], bytes.offsets()[item + 1]));
      return new BigDecimal(unscaled, type.scale()).doubleValue();
    }
    long whole = whole(values, item);
    return switch (type.kind()) {
      case UNSIGNED -> whole >= 0 ? whole : unsigned(whole);
      case DECIMAL -> decimal(whole, type.scale());
      case BOOLEAN, INTEGER, FLOAT, DATE, TIME, TIMESTAMP, BYTES -> whole;
    };
  }

  /** The sticky last bit keeps the halved number on the right side of a tie. */
  private static double unsigned(long bits) {
    return 2.0 * ((bits >>> 1) | (bits & 1));
  }

  private static double decimal(long unscaled, int scale) {
    boolean exact = Math.abs(unscaled) <= 1L << 53 && unscaled != Long.MIN_VALUE;
    return exact && scale >= 0 && scale < TENS.length
        ? unscaled / TENS[scale]
        : BigDecimal.valueOf(unscaled, scale).doubleValue();
  }

  private static long whole(Values values, int item) {
    return values instanceof Values.Ints ints
        ? ints.array()[item]
        : ((Values.Longs) values).array()[item];
  }

  private static void distinct(Column column, DistinctValues distinct) {
    if (column.values() instanceof Values.Dictionary dictionary) {
      long[] times = new long[dictionary.size()];
      for (int item = 0; item < column.items(); item++) {
        if (!column.isNull(item)) {
          times[dictionary.indices()[item]]++;
        }
      }
      for (int entry = 0; entry < times.length && !distinct.overflowed(); entry++) {
        if (times[entry] > 0) {
          distinct.add(value(column.type(), dictionary.entries(), entry), times[entry]);
        }
      }
      return;
    }
    for (int item = 0; item < column.items() && !distinct.overflowed(); item++) {
      if (!column.isNull(item)) {
        distinct.add(value(column.type(), column.values(), item), 1);
      }
    }
  }

  private static Object value(ColumnType type, Values values, int item) {
    if (type.kind() == Kind.BYTES) {
      Values.Bytes bytes = (Values.Bytes) values;
      return ByteBuffer.wrap(
          Arrays.copyOfRange(bytes.data(), bytes.offsets()[item], bytes.offsets()[item + 1]));
    }
    if (type.kind() == Kind.FLOAT || type.kind() == Kind.DECIMAL) {
      return number(type, values, item);
    }
    long whole = whole(values, item);
    return type.kind() == Kind.UNSIGNED && whole < 0
        ? new BigInteger(Long.toUnsignedString(whole))
        : (Object) whole;
  }
}
