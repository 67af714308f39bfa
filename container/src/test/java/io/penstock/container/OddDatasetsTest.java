package io.penstock.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.tensors.RowGroupSource.Reader;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.lifecycle.SystemClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets that are unlike most: from files with odd names or shapes to tensors. */
class OddDatasetsTest {
  private static final Duration SOON = Duration.ofMinutes(1);

  @TempDir Path folder;

  private void write(
      String name, String fields, int rows, int rowsOfGroup, BiConsumer<Group, Integer> fill)
      throws IOException {
    MessageType schema = MessageTypeParser.parseMessageType("message m { " + fields + " }");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(
                new org.apache.hadoop.fs.Path(null, null, folder.resolve(name).toString()))
            .withType(schema)
            .withConf(new Configuration(false))
            .withRowGroupRowCountLimit(rowsOfGroup)
            .build()) {
      for (int row = 0; row < rows; row++) {
        SimpleGroup group = new SimpleGroup(schema);
        fill.accept(group, row);
        writer.write(group);
      }
    }
  }

  /** The tensors of all row groups, in the catalog's order. */
  private List<RowGroupTensors> tensors(String tensors) {
    Feed feed =
        FeedParser.parse(
            """
            penstock: 1
            dataset: {paths: ["%s"]}
            order: {seed: 1, lanes: 1, batch: 1}
            tensors:
            %s
            """
                .formatted(folder.toUri(), tensors.indent(2)),
            "feed.yaml",
            path -> {
              throw new IOException("no file is named");
            });
    Settings settings = Settings.defaults();
    Catalog catalog =
        Catalog.read(
            feed.dataset(),
            schema -> BoundFeed.bind(feed, schema).fileColumns(),
            new Configuration(false),
            settings.catalog());
    List<RowGroupTensors> read = new ArrayList<>();
    try (Fetcher fetcher = new Fetcher(new Configuration(false), settings.fetch());
        StoredRowGroups source =
            new StoredRowGroups(
                PreparedFeed.of(feed, catalog),
                Path::of,
                fetcher,
                settings.decode(),
                settings.batch().valuesDigest(),
                Optional.empty(),
                (rowGroup, reason) -> {
                  throw new AssertionError(reason);
                },
                SOON,
                SystemClock.INSTANCE);
        Reader reader = source.newReader()) {
      for (int k = 0; k < catalog.rowGroups().size(); k++) {
        read.add(reader.read(source.request(catalog.ref(k))).tensors());
      }
    }
    return read;
  }

  private static ByteBuffer block(RowGroupTensors tensors, int tensor) {
    return ByteBuffer.wrap(tensors.blocks()[tensor]).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static List<Integer> ints(RowGroupTensors tensors, int tensor) {
    ByteBuffer block = block(tensors, tensor);
    List<Integer> values = new ArrayList<>();
    while (values.size() < tensors.rows()) {
      values.add(block.getInt());
    }
    return values;
  }

  @Test
  void filesWithOddNamesAreRead() throws IOException {
    List<String> names =
        List.of("a b#1;?é.parquet", "a%20b.parquet", "x=1&y+z.parquet", "ü'\"{}[]~.parquet");
    for (int k = 0; k < names.size(); k++) {
      int number = k;
      write(names.get(k), "required int32 x;", 2, 10, (row, n) -> row.add("x", 10 * number + n));
    }
    assertEquals(
        List.of(List.of(0, 1), List.of(10, 11), List.of(20, 21), List.of(30, 31)),
        tensors("x: {column: x, dtype: int32}").stream().map(read -> ints(read, 0)).toList());
  }

  @Test
  void columnsAreFoundByNameWhateverTheirOrderAndWhateverWasAdded() throws IOException {
    write(
        "1",
        "required int32 a; optional int32 b;",
        2,
        10,
        (row, n) -> row.append("a", n).append("b", 10 + n));
    write(
        "2",
        "optional int64 added; required int64 b; optional group s { required int32 t; } optional int32 a;",
        2,
        10,
        (row, n) -> row.append("a", 20 + n).append("b", 30L + n).append("added", 99L));
    write(
        "3",
        "required int32 b; required binary added; required int32 a;",
        1,
        10,
        (row, n) -> row.append("b", 50).append("added", "x").append("a", 40));
    List<RowGroupTensors> read =
        tensors("a: {column: a, dtype: int32}\nb: {column: b, dtype: int32}");
    assertEquals(
        List.of(List.of(0, 1), List.of(20, 21), List.of(40)),
        read.stream().map(one -> ints(one, 0)).toList());
    assertEquals(
        List.of(List.of(10, 11), List.of(30, 31), List.of(50)),
        read.stream().map(one -> ints(one, 1)).toList());
  }

  @Test
  void oneRowIsADataset() throws IOException {
    write("one", "required int32 x;", 1, 10, (row, n) -> row.add("x", 7));
    assertEquals(
        List.of(List.of(7)),
        tensors("x: {column: x, dtype: int32}").stream().map(read -> ints(read, 0)).toList());
  }

  @Test
  void oneRowGroupCanHaveAllRows() throws IOException {
    int rows = 600_000;
    write(
        "huge",
        "required int32 x; optional int32 few;",
        rows,
        rows,
        (row, n) -> {
          row.append("x", n * 7);
          if (n % 3 != 0) {
            row.append("few", n % 11);
          }
        });
    List<RowGroupTensors> read =
        tensors(
            "x: {column: x, dtype: int32}\nfew: {column: few, dtype: int32, ops: [{fill: -1}]}");
    assertEquals(1, read.size());
    assertEquals(rows, read.get(0).rows());
    ByteBuffer x = block(read.get(0), 0);
    ByteBuffer few = block(read.get(0), 1);
    int right = 0;
    for (int n = 0; n < rows; n++) {
      right += x.getInt() == n * 7 && few.getInt() == (n % 3 == 0 ? -1 : n % 11) ? 1 : 0;
    }
    assertEquals(rows, right);
  }

  @Test
  void tenThousandColumnsMakeOneTensor() throws IOException {
    int columns = 10_000;
    String fields =
        IntStream.range(0, columns)
            .mapToObj(k -> (k % 2 == 0 ? "required float c" : "optional float c") + k + ";")
            .collect(Collectors.joining(" "));
    write(
        "wide",
        fields,
        3,
        2,
        (row, n) -> {
          for (int k = 0; k < columns; k++) {
            row.add(k, (float) (k + 20_000 * n));
          }
        });
    List<RowGroupTensors> read = tensors("all: {columns: ['c*'], dtype: float32}");
    assertEquals(List.of(2, 1), read.stream().map(RowGroupTensors::rows).toList());
    int row = 0;
    for (RowGroupTensors rowGroup : read) {
      ByteBuffer block = block(rowGroup, 0);
      for (int n = 0; n < rowGroup.rows(); n++, row++) {
        for (int k = 0; k < columns; k++) {
          assertEquals(k + 20_000f * row, block.getFloat());
        }
      }
      assertTrue(!block.hasRemaining());
    }
  }
}
