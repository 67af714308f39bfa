package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.config.Settings;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.decode.TestingParquet.Field;
import io.penstock.container.decode.TestingParquet.Form;
import io.penstock.container.decode.TestingParquet.Written;
import io.penstock.container.fetch.FileBytes;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;

class ParquetRowGroupsTest {
  private static final int ROWS = 30;

  private static Written written() throws IOException {
    List<Field> fields = new ArrayList<>();
    for (TestingParquet.Leaf leaf : TestingParquet.LEAVES.subList(0, 5)) {
      fields.add(new Field("r_" + leaf.name(), Form.REQUIRED, leaf));
      fields.add(new Field("s_" + leaf.name(), Form.STRUCT, leaf));
    }
    return TestingParquet.write(
        fields, ROWS, 12, builder -> builder.withPageWriteChecksumEnabled(true));
  }

  /** The file with another footer. */
  private static MemoryFile with(MemoryFile file, Consumer<FileMetaData> change)
      throws IOException {
    byte[] bytes = file.bytes();
    int footer = LittleEndian.intAt(bytes, bytes.length - 8);
    int dataEnd = bytes.length - 8 - footer;
    FileMetaData meta = Util.readFileMetaData(new ByteArrayInputStream(bytes, dataEnd, footer));
    change.accept(meta);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, dataEnd);
    Util.writeFileMetaData(meta, out);
    int length = out.size() - dataEnd;
    out.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array());
    out.write(bytes, bytes.length - 4, 4);
    return new MemoryFile(file.path(), out.toByteArray());
  }

  private static String failure(FileBytes file, int ordinal, int rows, String column) {
    return assertThrows(
            DataException.class, () -> Reading.columns(file, ordinal, rows, List.of(column)))
        .getMessage();
  }

  @Test
  void columnsComeInTheOrderAskedForAndCanBeAskedForTwice() throws IOException {
    Written written = written();
    List<String> names = List.of("s_int8.leaf", "r_boolean", "s_int8.leaf", "r_int32");
    var columns = Reading.columns(written.file(), 0, ROWS, names);
    for (int k = 0; k < names.size(); k++) {
      assertEquals(written.expected().get(names.get(k)), Reading.objects(columns.get(k)));
    }
  }

  @Test
  void whatIsNotThereOrNotAsCatalogedIsNamed() throws IOException {
    MemoryFile file = written().file();
    String path = "file " + file.path() + ", row group ";
    assertEquals(path + "1: the file has only 1 row groups", failure(file, 1, ROWS, "r_int32"));
    assertEquals(
        path + "0: it has 30 rows by its footer, not 31 as cataloged",
        failure(file, 0, 31, "r_int32"));
    assertEquals(path + "0, column nix: there is no column 'nix'", failure(file, 0, ROWS, "nix"));
    assertTrue(
        failure(file, 0, ROWS, "s_int32").startsWith(path + "0, column s_int32: "),
        failure(file, 0, ROWS, "s_int32"));
  }

  @Test
  void footersThatCannotBeAreRefused() throws IOException {
    MemoryFile file = written().file();
    String column = "file " + file.path() + ", row group 0, column r_int32: ";
    int place = 2;
    assertEquals(
        column + "it is compressed with LZO, which is not supported",
        failure(
            with(
                file,
                meta ->
                    meta.getRow_groups()
                        .get(0)
                        .getColumns()
                        .get(place)
                        .getMeta_data()
                        .setCodec(CompressionCodec.LZO)),
            0,
            ROWS,
            "r_int32"));
    assertEquals(
        column + "its footer entry tells of 29 values in 30 rows",
        failure(
            with(
                file,
                meta ->
                    meta.getRow_groups()
                        .get(0)
                        .getColumns()
                        .get(place)
                        .getMeta_data()
                        .setNum_values(29)),
            0,
            ROWS,
            "r_int32"));
    assertEquals(
        column + "broken footer: the column chunk has type DOUBLE but the schema says INT32",
        failure(
            with(
                file,
                meta ->
                    meta.getRow_groups()
                        .get(0)
                        .getColumns()
                        .get(place)
                        .getMeta_data()
                        .setType(Type.DOUBLE)),
            0,
            ROWS,
            "r_int32"));
    String beyond =
        failure(
            with(
                file,
                meta ->
                    meta.getRow_groups()
                        .get(0)
                        .getColumns()
                        .get(place)
                        .getMeta_data()
                        .setTotal_compressed_size(1L << 40)),
            0,
            ROWS,
            "r_int32");
    assertTrue(beyond.startsWith(column + "broken footer: "), beyond);
  }

  @Test
  void aChunkOfTwoGibibytesIsRefusedBeforeItIsRead() throws IOException {
    MemoryFile file =
        with(
            written().file(),
            meta ->
                meta.getRow_groups()
                    .get(0)
                    .getColumns()
                    .get(2)
                    .getMeta_data()
                    .setTotal_compressed_size(1L << 31));
    int footer = LittleEndian.intAt(file.bytes(), file.bytes().length - 8) + 8;
    long more = 3L << 30;
    // The file with a hole of 3 GiB before its footer.
    FileBytes large =
        new FileBytes() {
          @Override
          public String path() {
            return file.path();
          }

          @Override
          public long length() {
            return file.length() + more;
          }

          @Override
          public void readFully(long position, byte[] into, int offset, int length)
              throws IOException {
            long skipped = Math.max(0, length() - footer - position);
            if (position == 0) {
              file.readFully(0, into, offset, length);
            } else if (skipped < length) {
              int tail = (int) (length - skipped);
              file.readFully(position + skipped - more, into, offset + (int) skipped, tail);
            }
          }
        };
    assertEquals(
        "file "
            + file.path()
            + ", row group 0, column r_int32: a chunk must be < 2 GiB: it has 2147483648 bytes",
        failure(large, 0, ROWS, "r_int32"));
  }

  @Test
  void filesThatAreNotParquetAreRefused() throws IOException {
    byte[] good = written().file().bytes();
    byte[] encrypted = good.clone();
    encrypted[good.length - 1] = 'E';
    for (byte[] bytes :
        List.of(
            new byte[0],
            "PAR1".getBytes(),
            "hello, world: this is a text".getBytes(),
            Arrays.copyOf(good, good.length - 1),
            encrypted)) {
      String message = failure(new MemoryFile("mem:/x", bytes), 0, ROWS, "r_int32");
      assertTrue(message.startsWith("file mem:/x: "), message);
    }
  }

  @Test
  void aFlippedBitInAPageIsFoundByItsChecksum() throws IOException {
    Written written = written();
    MemoryFile file = written.file();
    ChunkBytes chunk = Reading.fetch(file, 0, ROWS, List.of("r_int32")).chunk(0);
    byte[] bytes = file.bytes().clone();
    // The chunk was read into a buffer of its own; find it in the file.
    int at = indexOf(bytes, Arrays.copyOfRange(chunk.bytes(), chunk.offset(), chunk.offset() + 40));
    bytes[at + chunk.length() - 1] ^= 1;
    assertEquals(
        "file "
            + file.path()
            + ", row group 0, column r_int32: page 0: its checksum does not match its bytes",
        failure(new MemoryFile(file.path(), bytes), 0, ROWS, "r_int32"));
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    throw new AssertionError("not in the file");
  }

  @Test
  void aFooterIsReadOnceWhileItFitsTheCache() throws IOException {
    Written written = written();
    AtomicInteger reads = new AtomicInteger();
    FileBytes counted = new WatchedFile(written.file(), reads::incrementAndGet);
    RowGroupRef ref = new RowGroupRef(0, counted.path(), 0, ROWS);
    for (long capacity : new long[] {1 << 20, 100}) {
      reads.set(0);
      ParquetRowGroups files =
          new ParquetRowGroups(new FooterCache(capacity), Settings.defaults().fetch());
      files.fetch(counted, ref, List.of("r_int32"));
      int first = reads.get();
      files.fetch(counted, ref, List.of("r_int32"));
      assertEquals(capacity == 100 ? 2 * first : first + 1, reads.get(), "capacity " + capacity);
    }
  }

  @Test
  void chunksAreDecodedOnce() throws IOException {
    Written written = written();
    RowGroupChunks chunks = Reading.fetch(written.file(), 0, ROWS, List.of("r_int32"));
    try (RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY)) {
      decoder.decode(chunks);
      assertThrows(IllegalStateException.class, () -> decoder.decode(chunks));
    }
  }
}
