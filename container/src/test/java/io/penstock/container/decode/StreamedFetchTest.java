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
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
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
      new FetchSettings(2, Duration.ofSeconds(10), 2, Duration.ZERO, 100, 1 << 20);

  @TempDir java.nio.file.Path folder;

  private final ParquetRowGroups files = new ParquetRowGroups(new FooterCache(1 << 20), SETTINGS);
  private final RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY);
  private final Fetcher fetcher = new Fetcher(configuration(), SETTINGS);
  private Written written;
  private RowGroupRef rowGroup;

  @BeforeEach
  void write() throws IOException {
    written = TestingParquet.write(TestingParquet.scalars(), ROWS, 11, builder -> builder);
    java.nio.file.Path path = Files.write(folder.resolve("x.parquet"), written.file().bytes());
    rowGroup = new RowGroupRef(0, path.toUri().toString().replace("file:", "counted:"), 0, ROWS);
    CountedFileSystem.READS.set(0);
    CountedFileSystem.FAILING.set(0);
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.set("fs.counted.impl", CountedFileSystem.class.getName());
    return configuration;
  }

  /** This machine's files; reads and open files are counted, and one read can fail. */
  public static final class CountedFileSystem extends RawLocalFileSystem {
    static final AtomicInteger READS = new AtomicInteger();
    static final AtomicInteger OPENED = new AtomicInteger();
    static final AtomicInteger OPEN = new AtomicInteger();

    /** Which read fails, counted from 1. */
    static final AtomicInteger FAILING = new AtomicInteger();

    @Override
    public URI getUri() {
      return URI.create("counted:///");
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      OPENED.incrementAndGet();
      OPEN.incrementAndGet();
      return new FSDataInputStream(super.open(path, bufferSize)) {
        @Override
        public int read(long position, byte[] into, int offset, int length) throws IOException {
          if (READS.incrementAndGet() == FAILING.get()) {
            throw new IOException("the cable is out");
          }
          return super.read(position, into, offset, length);
        }

        @Override
        public void close() throws IOException {
          OPEN.decrementAndGet();
          super.close();
        }
      };
    }
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
      assertEquals(0, read());
    }
  }

  /** Reads all columns; returns how often reading was tried again. */
  private int read() {
    Fetch<RowGroupChunks> fetch = start();
    RowGroupChunks chunks = fetch.await();
    assertTrue(chunks.bytes() > 10 * AHEAD.bytes(), "bytes " + chunks.bytes());
    try (Opened columns = decoder.open(chunks)) {
      for (int k = 0; k < columns.size(); k++) {
        String name = written.columns().get(k);
        assertEquals(written.expected().get(name), Reading.objects(columns.decode(k, 0)), name);
      }
    }
    return fetch.retries();
  }

  @Test
  void theFileIsOpenedOnceAndClosedAfterItsLastPart() {
    int before = CountedFileSystem.OPENED.get();
    read();
    assertEquals(before + 1, CountedFileSystem.OPENED.get());
    fetcher.close();
    assertEquals(0, CountedFileSystem.OPEN.get());
  }

  @Test
  void aReadThatFailsWhileColumnsAreDecodedIsTriedAgain() {
    read();
    int reads = CountedFileSystem.READS.getAndSet(0);
    CountedFileSystem.FAILING.set(reads / 2);
    assertEquals(1, read());
    assertTrue(CountedFileSystem.READS.get() > reads / 2);
    fetcher.close();
    assertEquals(0, CountedFileSystem.OPEN.get());
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
    fetcher.close();
    assertEquals(0, CountedFileSystem.OPEN.get());
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
