package io.penstock.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.catalog.Catalog;
import io.penstock.catalog.RowGroupInfo;
import io.penstock.config.FetchSettings;
import io.penstock.config.Settings;
import io.penstock.container.decode.ReadAhead;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of eight int64 columns, a to h, 1,000 rows, not compressed: chunks of some 8 kB. */
class LoadNeedTest {
  private static final int ROWS = 1_000;
  private static final FetchSettings SETTINGS =
      new FetchSettings(1, Duration.ofSeconds(1), 1, Duration.ZERO, 100, 4096);

  @TempDir static Path dataset;

  @BeforeAll
  static void write() throws IOException {
    StringBuilder text = new StringBuilder("message m {");
    for (char name = 'a'; name <= 'h'; name++) {
      text.append(" required int64 ").append(name).append(";");
    }
    MessageType schema = MessageTypeParser.parseMessageType(text + " }");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(
                new org.apache.hadoop.fs.Path(dataset.resolve("x.parquet").toUri()))
            .withType(schema)
            .withConf(new Configuration(false))
            .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
            .withDictionaryEncoding(false)
            .build()) {
      for (long row = 0; row < ROWS; row++) {
        SimpleGroup group = new SimpleGroup(schema);
        for (char name = 'a'; name <= 'h'; name++) {
          group.add(String.valueOf(name), row * name);
        }
        writer.write(group);
      }
    }
  }

  private static PreparedFeed feed(String... tensors) {
    StringBuilder yaml = new StringBuilder("penstock: 1\n");
    yaml.append("dataset: {paths: ['").append(dataset.toUri()).append("']}\n");
    yaml.append("order: {seed: 1, lanes: 1, batch: 10, window: 1, epochs: 1}\ntensors:\n");
    for (int k = 0; k < tensors.length; k++) {
      yaml.append("  t").append(k).append(": {columns: [").append(tensors[k]);
      yaml.append("], dtype: int64}\n");
    }
    Feed feed =
        FeedParser.parse(
            yaml.toString(),
            "feed.yaml",
            path -> {
              throw new IOException("no file is named");
            });
    Catalog catalog =
        Catalog.read(
            feed.dataset(),
            schema -> BoundFeed.bind(feed, schema).fileColumns(),
            new Configuration(false),
            Settings.defaults().catalog());
    return PreparedFeed.of(feed, catalog);
  }

  private static Optional<ReadAhead> readAhead(String... tensors) {
    PreparedFeed feed = feed(tensors);
    return new LoadNeed(feed, SETTINGS).readAhead(feed.catalog().ref(0));
  }

  /** Beyond the tensors. */
  private static long fetched(FetchSettings settings, String... tensors) {
    PreparedFeed feed = feed(tensors);
    RowGroupRef rowGroup = feed.catalog().ref(0);
    LoadNeed need = new LoadNeed(feed, settings);
    return need.peakBytes(rowGroup) - need.keptBytes(rowGroup);
  }

  private static long stored(String... tensors) {
    RowGroupInfo rowGroup = feed(tensors).catalog().rowGroups().get(0);
    assertEquals(rowGroup.compressedBytes(), rowGroup.uncompressedBytes());
    return rowGroup.compressedBytes();
  }

  @Test
  void tensorsOfNeighbouringColumnsAreReadAhead() {
    // 8 columns of 8 bytes, 1,000 rows: two fifths of 64,000 bytes.
    assertEquals(Optional.of(new ReadAhead(25_600, 4096)), readAhead("a, b, c, d, e, f, g, h"));
    assertEquals(Optional.of(new ReadAhead(25_600, 4096)), readAhead("e, f, g, h", "a, b, c, d"));
    // Two runs a tensor, and no more.
    assertEquals(Optional.of(new ReadAhead(25_600, 4096)), readAhead("a, b, e, f", "c, d, g, h"));
    assertEquals(Optional.empty(), readAhead("a, c, e, g", "b, d, f, h"));
  }

  @Test
  void aColumnOfTwoTensorsIsReadOnceWithAllOthers() {
    assertEquals(Optional.empty(), readAhead("a, b, c, d", "d, e, f"));
  }

  @Test
  void columnsThatAreNotReadDoNotCountAsNeighbours() {
    // 3 columns: two of the largest are more than two fifths of 24,000 bytes. A chunk of 8,000
    // bytes and a header of less than 192 has a buffer of the next step of 256.
    assertEquals(Optional.of(new ReadAhead(16_384, 4096)), readAhead("a, d, g"));
  }

  @Test
  void whatIsReadAheadCountsAndNotWhatIsFetchedInAll() {
    assertEquals(25_600, fetched(SETTINGS, "a, b, c, d, e, f, g, h"));
  }

  @Test
  void whatIsReadAtOnceCountsWithItsGapsAndTheRoomThatBuffersWaste() {
    long all = stored("a, c, e, g", "b, d, f, h");
    assertEquals(all + all / 7, fetched(SETTINGS, "a, c, e, g", "b, d, f, h"));
    // b and d, e, f lie between; nothing counts that lies outside.
    long some = stored("a, c, g", "c") + 2 * 100;
    assertEquals(some + some / 7, fetched(SETTINGS, "a, c, g", "c"));
  }

  @Test
  void aRowGroupThatIsSmallerThanWhatMayBeReadAheadCountsAsItself() {
    FetchSettings large =
        new FetchSettings(1, Duration.ofSeconds(1), 1, Duration.ZERO, 100, 32 << 20);
    long stored = stored("a, b, d") + 100;
    assertEquals(stored + stored / 7, fetched(large, "a, b, d"));
  }
}
