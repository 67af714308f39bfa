package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.decode.TestingParquet.Field;
import io.penstock.container.decode.TestingParquet.Written;
import io.penstock.container.tensors.Column;
import io.penstock.model.DataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Bytes of small files changed at random: the outcome is values or a data error that names the
 * place, soon, and within the memory of the tests' machine.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class MutatedFilesTest {
  /** As many as {@code -Dpenstock.test.mutations} says, and in {@code bin/test --all} more. */
  private static final int MUTATIONS =
      Integer.getInteger(
          "penstock.test.mutations", Boolean.getBoolean("penstock.tests.all") ? 100_000 : 2_000);

  private static final int ROWS = 40;

  private static List<Written> files() throws IOException {
    List<Field> fields = new ArrayList<>();
    List<Field> all = new ArrayList<>(TestingParquet.scalars());
    all.addAll(TestingParquet.lists());
    for (int k = 0; k < all.size(); k += 7) {
      fields.add(all.get(k).repetitive());
    }
    List<Written> files = new ArrayList<>();
    int seed = 20;
    for (WriterVersion version : WriterVersion.values()) {
      for (CompressionCodecName codec :
          List.of(
              CompressionCodecName.UNCOMPRESSED,
              CompressionCodecName.SNAPPY,
              CompressionCodecName.ZSTD,
              CompressionCodecName.GZIP,
              CompressionCodecName.LZ4_RAW)) {
        boolean dictionaries = codec != CompressionCodecName.ZSTD;
        files.add(
            TestingParquet.write(
                fields,
                ROWS,
                seed++,
                builder ->
                    builder
                        .withWriterVersion(version)
                        .withCompressionCodec(codec)
                        .withDictionaryEncoding(dictionaries)
                        .withPageRowCountLimit(15)
                        // Without checksums, so that changes get through to the decoders.
                        .withPageWriteChecksumEnabled(false)));
      }
    }
    return files;
  }

  private static byte[] mutated(byte[] original, int dataEnd, SplittableRandom random) {
    byte[] bytes = original.clone();
    int changes = 1 + random.nextInt(4);
    // Two in three change the pages; the footer is as large as they are in such small files.
    boolean inFooter = random.nextInt(3) == 0;
    for (int k = 0; k < changes; k++) {
      int at = inFooter ? random.nextInt(dataEnd, bytes.length) : random.nextInt(dataEnd);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0x7f);
        default -> bytes[at] = 0;
      }
    }
    return bytes;
  }

  @Test
  void mutationsGiveValuesOrADataError() throws IOException {
    SplittableRandom random = new SplittableRandom(99);
    List<Written> files = files();
    int refused = 0;
    int columnsRead = 0;
    int columnsRefused = 0;
    try (RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY)) {
      for (int k = 0; k < MUTATIONS; k++) {
        Written written = files.get(k % files.size());
        byte[] original = written.file().bytes();
        int dataEnd = original.length - 8 - LittleEndian.intAt(original, original.length - 8);
        MemoryFile file = new MemoryFile("mem:/mutation-" + k, mutated(original, dataEnd, random));
        try {
          decoder.decode(Reading.fetch(file, 0, ROWS, written.columns()));
        } catch (DataException e) {
          refused++;
          assertEquals(file.path(), e.place().file());
        }
        // One by one, too: an early error must not hide what comes after it.
        for (String name : written.columns()) {
          if (random.nextInt(12) != 0) {
            continue;
          }
          try {
            Column column = decoder.decode(Reading.fetch(file, 0, ROWS, List.of(name))).get(0);
            assertEquals(ROWS, Reading.objects(column).size());
            columnsRead++;
          } catch (DataException e) {
            columnsRefused++;
            // A broken footer is refused as a whole, whichever column it is broken at.
            assertTrue(
                e.place().column().equals(name)
                    || e.place().column().isEmpty()
                    || e.detail().startsWith("broken footer"),
                e.getMessage());
          }
        }
      }
    }
    assertTrue(refused > MUTATIONS / 10 && refused < MUTATIONS, "refused " + refused);
    assertTrue(columnsRead > 1_000, "columns read: " + columnsRead);
    assertTrue(columnsRefused > 100, "columns refused: " + columnsRefused);
  }

  @Test
  void aFileCutShortAnywhereIsRefused() throws IOException {
    Written written = files().get(0);
    byte[] original = written.file().bytes();
    for (int length = 0; length < original.length; length += 1 + length / 10) {
      MemoryFile file = new MemoryFile("mem:/cut", java.util.Arrays.copyOf(original, length));
      try {
        Reading.columns(file, 0, ROWS, written.columns());
        throw new AssertionError("read " + length + " of " + original.length + " bytes");
      } catch (DataException e) {
        assertEquals("mem:/cut", e.place().file());
      }
    }
  }
}
