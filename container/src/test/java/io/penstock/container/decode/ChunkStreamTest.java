package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.Footer;
import io.penstock.container.decode.ChunkPlaces.ChunkPlace;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.decode.RowGroupDecoder.Opened;
import io.penstock.container.decode.TestingParquet.Field;
import io.penstock.container.decode.TestingParquet.Form;
import io.penstock.container.decode.TestingParquet.Written;
import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.FileBytes;
import io.penstock.container.fetch.MergedReads.Range;
import io.penstock.container.fetch.ReadPart;
import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.Column;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UnreachableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Six columns in three parts of two, or in parts of one, of which two parts may be in memory. */
class ChunkStreamTest {
  private static final int ROWS = 500;
  private static final int COLUMNS = 6;

  private final BlockPool pool = new BlockPool(1 << 20);
  private final RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY);
  private final List<TestingFetch> fetches = new ArrayList<>();
  private Written written;
  private List<ReadPart> parts;
  private ChunkStream stream;
  private boolean ended;

  /** Reads when it is told to, or awaited. */
  private final class TestingFetch implements Fetch<byte[]> {
    final int part;
    private byte[] read;
    private RuntimeException failure;
    private boolean cancelled;

    TestingFetch(int part) {
      this.part = part;
    }

    void finish() {
      try {
        read = stream.read(written.file(), part);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public byte[] await() {
      if (failure != null) {
        throw failure;
      }
      if (read == null) {
        finish();
      }
      return read;
    }

    @Override
    public boolean isDone() {
      return read != null || failure != null;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public int retries() {
      return 0;
    }
  }

  @BeforeEach
  void open() throws IOException {
    List<Field> fields =
        IntStream.range(0, COLUMNS)
            .mapToObj(
                k ->
                    new Field(
                        "c" + k,
                        Form.REQUIRED,
                        TestingParquet.LEAVES.stream()
                            .filter(leaf -> leaf.name().equals("int64"))
                            .findFirst()
                            .orElseThrow()))
            .toList();
    written =
        TestingParquet.write(
            fields,
            ROWS,
            5,
            builder ->
                builder
                    .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                    .withDictionaryEncoding(false));
    open(2);
    assertEquals(List.of(0, 2, 4), parts.stream().map(ReadPart::first).toList());
  }

  private void open(int columnsPerPart) throws IOException {
    begin(columnsPerPart, written.file());
    assertEquals(List.of(1), fetches.stream().map(fetch -> fetch.part).toList());
    fetches.remove(0).finish();
  }

  private void begin(int columnsPerPart, FileBytes file) throws IOException {
    RowGroupRef rowGroup = new RowGroupRef(0, written.file().path(), 0, ROWS);
    Footer footer =
        Footer.read(written.file().path(), written.file().length(), written.file()::readFully);
    List<ChunkPlace> places = ChunkPlaces.of(footer, rowGroup, written.columns());
    List<Range> ranges =
        places.stream().map(place -> new Range(place.position(), place.length())).toList();
    int partBytes = columnsPerPart * ranges.stream().mapToInt(Range::length).max().orElseThrow();
    parts = ReadPart.of(ranges, 0, partBytes);
    assertEquals(
        Collections.nCopies(COLUMNS / columnsPerPart, partBytes),
        parts.stream().map(ReadPart::room).toList());
    ChunkStream.Rest rest =
        new ChunkStream.Rest() {
          @Override
          public Fetch<byte[]> start(ChunkStream of, int part) {
            TestingFetch fetch = new TestingFetch(part);
            fetches.add(fetch);
            return fetch;
          }

          @Override
          public void end() {
            ended = true;
          }
        };
    stream = new ChunkStream(rowGroup, places, parts, pool, 2L * partBytes, rest);
    fetches.clear();
    stream.begin(file);
  }

  @AfterEach
  void close() {
    decoder.close();
  }

  private byte[] take() {
    return pool.take(parts.get(0).room());
  }

  private List<Object> expected(int column) {
    return written.expected().get(written.columns().get(column));
  }

  @Test
  void theNextPartIsReadWhenTheFirstOnesLastColumnIsDecoded() {
    assertFalse(ended, "the file is needed for the third part");
    try (Opened columns = decoder.open(stream)) {
      columns.decode(0, 0);
      assertEquals(List.of(), fetches);
      columns.decode(1, 1);
      assertEquals(2, fetches.get(0).part);
      columns.decode(2, 2);
      assertFalse(fetches.get(0).isDone(), "nobody waits for what is not needed yet");
      columns.decode(3, 3);
      Column fifth = columns.decode(4, 4);
      assertEquals(expected(4), Reading.objects(fifth));
      assertTrue(ended);
      assertEquals(expected(5), Reading.objects(columns.decode(5, 5)));
      assertEquals(1, fetches.size());
    }
  }

  @Test
  void aPartIsReadWhileOneBeforeItIsStillBeingRead() throws IOException {
    open(1);
    try (Opened columns = decoder.open(stream)) {
      columns.decode(0, 0);
      columns.decode(1, 1);
      assertEquals(List.of(2, 3), fetches.stream().map(fetch -> fetch.part).toList());
      fetches.get(1).finish();
      assertEquals(expected(2), Reading.objects(columns.decode(2, 2)));
      assertTrue(fetches.get(0).isDone(), "the first one was waited for");
      assertEquals(expected(3), Reading.objects(columns.decode(3, 3)));
      assertEquals(expected(4), Reading.objects(columns.decode(4, 4)));
      assertEquals(expected(5), Reading.objects(columns.decode(5, 5)));
    }
    assertEquals(4, fetches.size(), "one for each part but the first two");
  }

  @Test
  void whatWasStartedIsGivenUpIfTheFirstPartCannotBeRead() {
    IOException failure = new IOException("the cable is out");
    FileBytes broken =
        new WatchedFile(
            written.file(),
            () -> {
              throw failure;
            });
    assertSame(failure, assertThrows(IOException.class, () -> begin(2, broken)));
    assertEquals(List.of(true), fetches.stream().map(fetch -> fetch.cancelled).toList());
    assertFalse(ended, "it is tried again");
  }

  @Test
  void allThatIsBeingReadIsGivenUpAtTheEnd() throws IOException {
    open(1);
    try (Opened columns = decoder.open(stream)) {
      columns.decode(0, 0);
      columns.decode(1, 1);
    }
    assertEquals(List.of(true, true), fetches.stream().map(fetch -> fetch.cancelled).toList());
  }

  @Test
  void aBufferIsUsedAgainAsSoonAsItsColumnsAreDecodedAndNoneTwice() {
    byte[] first;
    byte[] second;
    try (Opened columns = decoder.open(stream)) {
      columns.decode(0, 0);
      columns.decode(1, 1);
      fetches.get(0).finish();
      first = fetches.get(0).read;
      columns.decode(2, 2);
      columns.decode(3, 3);
      second = take();
      assertNotSame(first, second);
      columns.decode(4, 4);
      columns.decode(5, 5);
      assertSame(first, take());
    }
    byte[] third = take();
    assertNotSame(first, third);
    assertNotSame(second, third);
  }

  @Test
  void columnsAreGoodAfterTheirBytesAreGone() {
    try (Opened columns = decoder.open(stream)) {
      Column zero = columns.decode(0, 0);
      Column one = columns.decode(1, 1);
      Arrays.fill(take(), (byte) 0x5a);
      assertEquals(expected(0), Reading.objects(zero));
      assertEquals(expected(1), Reading.objects(one));
    }
  }

  @Test
  void whatIsNotDecodedComesBackAtTheEndAndWhatIsBeingReadNever() {
    byte[] second;
    try (Opened columns = decoder.open(stream)) {
      columns.decode(0, 0);
      columns.decode(1, 1);
      second = stream.chunk(2).bytes();
      fetches.get(0).finish();
    }
    byte[] underWay = fetches.get(0).read;
    assertTrue(ended);
    assertTrue(fetches.get(0).cancelled);
    assertSame(second, take());
    assertNotSame(underWay, take());
  }

  @Test
  void aBrokenColumnEndsReadingAndItsBufferComesBackOnce() {
    byte[] wiped;
    try (Opened columns = decoder.open(stream)) {
      columns.decode(0, 0);
      wiped = stream.chunk(1).bytes();
      Arrays.fill(wiped, (byte) 0);
      stream.decoded(1);
      assertSame(wiped, take());
      pool.giveBack(wiped);
      fetches.get(0).finish(); // into the buffer that was wiped
      columns.decode(2, 2);
      columns.decode(3, 3);
      Arrays.fill(wiped, (byte) 0);
      assertThrows(DataException.class, () -> columns.decode(4, 4));
    }
    byte[] first = take();
    byte[] second = take();
    assertNotSame(first, second);
    assertTrue(first == wiped || second == wiped);
    assertNotSame(wiped, take());
  }

  @Test
  void storageThatFailsIsNoFaultOfTheData() {
    try (Opened columns = decoder.open(stream)) {
      for (int k = 0; k < 4; k++) {
        columns.decode(k, k);
      }
      UnreachableException failure = new UnreachableException("no answer", null);
      fetches.get(0).failure = failure;
      assertSame(failure, assertThrows(UnreachableException.class, () -> columns.decode(4, 4)));
    }
    assertTrue(ended);
  }

  @Test
  void columnsOutOfOrderAreRefused() {
    try (Opened columns = decoder.open(stream)) {
      columns.decode(0, 0);
      assertThrows(IllegalStateException.class, () -> columns.decode(2, 0));
      assertThrows(IllegalStateException.class, () -> columns.decode(0, 0));
    }
  }
}
