package io.penstock.container.decode;

import io.penstock.config.Settings;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.fetch.FileBytes;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reads files in memory, and columns as plain objects: null, Long (whole numbers, bits of unsigned
 * ones), Double, BigInteger (decimals), String (bytes, in hex), List.
 */
final class Reading {
  private Reading() {}

  static RowGroupChunks fetch(FileBytes file, int ordinal, int rows, List<String> columns) {
    try {
      return new ParquetRowGroups(new FooterCache(0), Settings.defaults().fetch())
          .fetch(file, new RowGroupRef(0, file.path(), ordinal, rows), columns);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static List<ChunkBytes> chunks(RowGroupChunks fetched) {
    return IntStream.range(0, fetched.size()).mapToObj(fetched::chunk).toList();
  }

  static List<Column> columns(FileBytes file, int ordinal, int rows, List<String> columns) {
    // Not closed: what it returned would be no less good, and its native memory is small.
    try (RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY)) {
      return decoder.decode(fetch(file, ordinal, rows, columns));
    }
  }

  /** One object a row. */
  static List<Object> objects(Column column) {
    check(column);
    List<Object> rows = new ArrayList<>();
    for (int row = 0; row < column.rows(); row++) {
      rows.add(object(column, 0, row));
    }
    return rows;
  }

  /** What {@link Column} promises of its offsets. */
  private static void check(Column column) {
    int expected = column.rows();
    for (ListLevel level : column.lists()) {
      if (level.count() != expected || level.offsets()[0] != 0) {
        throw new AssertionError("lists: " + level.count() + " of " + expected);
      }
      for (int k = 0; k < level.count(); k++) {
        int length = level.offsets()[k + 1] - level.offsets()[k];
        if (length < 0 || length > 0 && level.isNull(k)) {
          throw new AssertionError("list " + k + " has " + length + " items");
        }
      }
      expected = level.offsets()[level.count()];
    }
    if (column.items() != expected) {
      throw new AssertionError("items: " + column.items() + " of " + expected);
    }
  }

  private static Object object(Column column, int level, int place) {
    if (level == column.lists().size()) {
      return column.isNull(place) ? null : leaf(column.values(), column.type().kind(), place);
    }
    ListLevel lists = column.lists().get(level);
    if (lists.isNull(place)) {
      return null;
    }
    List<Object> items = new ArrayList<>();
    for (int k = lists.offsets()[place]; k < lists.offsets()[place + 1]; k++) {
      items.add(object(column, level + 1, k));
    }
    return items;
  }

  private static Object leaf(Values values, Kind kind, int place) {
    if (values instanceof Values.Dictionary dictionary) {
      int index = dictionary.indices()[place];
      if (index < 0 || index >= dictionary.size()) {
        throw new AssertionError("index " + index + " of " + dictionary.size());
      }
      return leaf(dictionary.entries(), kind, index);
    }
    if (values instanceof Values.Bytes bytes) {
      byte[] one =
          Arrays.copyOfRange(bytes.data(), bytes.offsets()[place], bytes.offsets()[place + 1]);
      return kind == Kind.DECIMAL ? new BigInteger(one) : HexFormat.of().formatHex(one);
    }
    if (values instanceof Values.Floats floats) {
      return (double) floats.array()[place];
    }
    if (values instanceof Values.Doubles doubles) {
      return doubles.array()[place];
    }
    long whole =
        values instanceof Values.Ints ints
            ? ints.array()[place]
            : ((Values.Longs) values).array()[place];
    return kind == Kind.DECIMAL ? BigInteger.valueOf(whole) : (Object) whole;
  }
}
