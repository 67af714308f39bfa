package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.config.FetchSettings;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.decode.RowGroupDecoder.Opened;
import io.penstock.container.decode.TestingParquet.Written;
import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.Fetcher;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Row groups read part by part from a file on disk. */
@Timeout(20)
class StreamedFetchTest {
  private static final int ROWS = 300;

  /** Parts of one column, or a little more. */
  private static final ReadAhead AHEAD = new ReadAhead(4000, 2000);

  private static final FetchSettings SETTINGS =
      new FetchSettings(2, Duration.ofSeconds(10), 1, Duration.ZERO, 100, 1 << 20);

  @TempDir Path folder;

  private final ParquetRowGroups files = new ParquetRowGroups(new FooterCache(1 << 20), SETTINGS);
  private final RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY);
  private final Fetcher fetcher = new Fetcher(new Configuration(false), SETTINGS);
  private Written written;
  private RowGroupRef rowGroup;

  @BeforeEach
  void write() throws IOException {
    written = TestingParquet.write(TestingParquet.scalars(), ROWS, 11, builder -> builder);
    Path path = Files.write(folder.resolve("x.parquet"), written.file().bytes());
    rowGroup = new RowGroupRef(0, path.toUri().toString(), 0, ROWS);
  }

  @AfterEach
  void close() {
    fetcher.close();
    decoder.close();
  }

  private Fetch<RowGroupChunks> start() {
    return files.start(fetcher, rowGroup, written.columns(), AHEAD);
  }

  @Test
  void everyColumnIsTheOneThatWasWritten() {
    for (int pass = 0; pass < 3; pass++) {
      Fetch<RowGroupChunks> fetch = start();
      RowGroupChunks chunks = fetch.await();
      assertTrue(chunks.bytes() > 10 * AHEAD.bytes(), "bytes " + chunks.bytes());
      try (Opened columns = decoder.open(chunks)) {
        for (int k = 0; k < columns.size(); k++) {
          String name = written.columns().get(k);
          assertEquals(written.expected().get(name), Reading.objects(columns.decode(k, 0)), name);
        }
      }
      assertEquals(0, fetch.retries());
    }
  }

  @Test
  void givenUpInTheMiddleNothingMoreIsRead() {
    Fetch<RowGroupChunks> fetch = start();
    try (Opened columns = decoder.open(fetch.await())) {
      columns.decode(0, 0);
      fetch.cancel();
      assertThrows(
          CancellationException.class,
          () -> {
            for (int k = 1; k < columns.size(); k++) {
              columns.decode(k, 0);
            }
          });
    }
  }

  @Test
  void aFileThatIsNotAsCatalogedIsNamedBeforeAnythingIsDecoded() {
    Fetch<RowGroupChunks> fetch =
        files.start(
            fetcher, new RowGroupRef(0, rowGroup.path(), 0, ROWS + 1), List.of("nix"), AHEAD);
    DataException failure = assertThrows(DataException.class, fetch::await);
    assertTrue(failure.getMessage().contains("not 301 as cataloged"), failure.getMessage());
  }
}
