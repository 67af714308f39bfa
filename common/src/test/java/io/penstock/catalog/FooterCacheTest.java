package io.penstock.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.TestingFileSystem.Disk;
import io.penstock.config.CatalogSettings;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.feed.DatasetSpec.Partitions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FooterCacheTest {
  private static final int FILES = 20;
  private static final long LIMIT = 1 << 20;

  private final Disk disk = Disk.fresh();
  @TempDir Path folder;

  private CatalogSettings settings(long bytes) {
    return new CatalogSettings(
        4,
        Duration.ofMinutes(1),
        Duration.ofSeconds(30),
        1 << 20,
        folder.resolve("footers").toUri().toString(),
        bytes);
  }

  private Catalog read(long bytes, String... columns) {
    DatasetSpec dataset =
        new DatasetSpec(
            List.of(disk.uri("/d")), List.of(), Partitions.NONE, Map.of(), BadRowGroup.FAIL, 0);
    return Catalog.read(dataset, schema -> List.of(columns), disk.configuration(), settings(bytes));
  }

  private void files(int count) {
    for (int i = 0; i < count; i++) {
      disk.put("/d/f%05d.parquet".formatted(i), TestingParquet.ids(1 + i % 25));
    }
  }

  /** The one file of known footers. */
  private Path cache() throws IOException {
    try (var files = Files.list(folder.resolve("footers"))) {
      List<Path> all =
          files.filter(file -> file.getFileName().toString().endsWith(".footers")).toList();
      assertEquals(1, all.size(), all.toString());
      return all.get(0);
    }
  }

  @Test
  void aSecondStartOpensNoFileAndMakesTheSameCatalog() {
    files(FILES);
    Catalog first = read(LIMIT, "id");
    assertEquals(FILES, disk.opened());
    assertEquals(first, read(LIMIT, "id"));
    assertEquals(0, disk.opened());
    // Columns that nobody asked for before are known too.
    assertEquals(List.of(), read(LIMIT).columns());
    assertEquals(0, disk.opened());
  }

  @Test
  void onlyFilesThatChangedOrCameAreRead() {
    files(FILES);
    read(LIMIT, "id");
    disk.opened();
    disk.put("/d/f00003.parquet", TestingParquet.ids(31));
    disk.modified("/d/f00007.parquet", 1_700_000_001_000L);
    disk.put("/d/new.parquet", TestingParquet.ids(7));
    Catalog changed = read(LIMIT, "id");
    assertEquals(3, disk.opened());
    assertEquals(read(0, "id"), changed);
    disk.opened();
    assertEquals(changed, read(LIMIT, "id"));
    assertEquals(0, disk.opened());
  }

  @Test
  void aDamagedCacheIsIgnoredFromTheDamageOnAndWrittenAnew() throws IOException {
    files(FILES);
    Catalog first = read(LIMIT, "id");
    byte[] whole = Files.readAllBytes(cache());
    Random random = new Random(5);
    for (int i = 0; i < 30; i++) {
      byte[] bytes =
          i % 3 == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
      if (i % 3 == 1) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      } else if (i % 3 == 2) {
        random.nextBytes(bytes);
      }
      Files.write(cache(), bytes);
      assertEquals(first, read(LIMIT, "id"), "damage " + i);
      disk.opened();
      assertEquals(first, read(LIMIT, "id"));
      assertEquals(0, disk.opened(), "damage " + i);
    }
  }

  @Test
  void aFolderThatCanNotBeMadeOrWrittenChangesNothing() throws IOException {
    files(FILES);
    Files.writeString(folder.resolve("footers"), "no folder");
    Catalog first = read(LIMIT, "id");
    assertEquals(first, read(LIMIT, "id"));
    assertEquals(2 * FILES, disk.opened());
  }

  @Test
  void fewFilesAreReadAsTheyAreAndSoAreAllWhereItIsOff() {
    files(FooterCache.FEWEST_FILES - 1);
    read(LIMIT, "id");
    files(FILES);
    read(0, "id");
    assertFalse(Files.exists(folder.resolve("footers")));
  }

  @Test
  void nothingIsKeptBeyondTheLimit() throws IOException {
    files(FILES);
    read(2_000, "id");
    disk.opened();
    read(2_000, "id");
    int opened = disk.opened();
    assertTrue(opened > 0 && opened < FILES, "opened " + opened);
    assertTrue(Files.size(cache()) < 2_000);
  }

  @Test
  void aFileThatMayYetChangeWithinItsTimeIsReadAgain() {
    files(FILES);
    disk.modified("/d/f00001.parquet", System.currentTimeMillis() + 60_000);
    read(LIMIT, "id");
    disk.opened();
    read(LIMIT, "id");
    assertEquals(1, disk.opened());
  }

  /** Footers as written by parquet-java with types, nesting and encryption of every kind. */
  @Test
  void aKnownFooterIsTheOneThatWasRead() throws IOException {
    List<String> schemas =
        List.of(
            "required int64 id; optional binary name (STRING); optional int32 d (DATE);",
            "optional group l (LIST) { repeated group list { optional int32 element; } }"
                + " optional fixed_len_byte_array(5) x (DECIMAL(10,2));",
            "optional int64 t (TIMESTAMP(MICROS,true)); optional int32 u (INTEGER(8,false));"
                + " optional group s { required double a; repeated float b; }",
            "optional int96 old; optional fixed_len_byte_array(2) h (FLOAT16);"
                + " optional fixed_len_byte_array(16) v (UUID);"
                + " optional group m (MAP) { repeated group key_value { required binary key (STRING);"
                + " optional int32 value; } } required boolean f = 7;");
    KnownFooters known = new KnownFooters(LIMIT);
    Map<org.apache.hadoop.fs.Path, Footer> read = new LinkedHashMap<>();
    for (String schema : schemas) {
      for (int rows : new int[] {0, 35}) {
        byte[] file =
            rows == 0
                ? TestingParquet.file(schema, 0, row -> {})
                : TestingParquet.file(schema, rows, FooterCacheTest::fill);
        remember(known, read, file.length, Footer.read("x", file.length, bytes(file)));
      }
    }
    MessageType message = TestingParquet.schema("required int64 a; required int64 b;");
    remember(
        known,
        read,
        500,
        new Footer(
            "x",
            500,
            "ab".repeat(32),
            Optional.empty(),
            message,
            ParquetColumns.of(message, Set.of(List.of("b"))),
            List.of(
                new Footer.RowGroup(
                    0,
                    9,
                    List.of(
                        new Footer.Chunk(CompressionCodec.ZSTD, 400, 50, 70, 12),
                        new Footer.Chunk(CompressionCodec.UNCOMPRESSED, 0, 0, 0, 0))))));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    known.write(List.copyOf(read.keySet()), out);
    KnownFooters again =
        KnownFooters.read("test", new ByteArrayInputStream(out.toByteArray()), LIMIT);
    assertEquals(read.size(), again.size());
    for (Map.Entry<org.apache.hadoop.fs.Path, Footer> one : read.entrySet()) {
      Footer expected = one.getValue();
      Footer found = again.find(status(one.getKey(), expected.length(), 5)).orElseThrow();
      assertEquals(expected.digest(), found.digest());
      assertEquals(expected.createdBy(), found.createdBy());
      assertEquals(expected.schema(), found.schema());
      assertEquals(expected.rowGroups(), found.rowGroups());
      assertEquals(expected.columns().schema(), found.columns().schema());
      assertEquals(one.getKey().toString(), found.path());
      assertTrue(again.find(status(one.getKey(), expected.length() + 1, 5)).isEmpty());
      assertTrue(again.find(status(one.getKey(), expected.length(), 6)).isEmpty());
    }
  }

  @Test
  void filesOfTooManySchemasAreNotKept() {
    KnownFooters known = new KnownFooters(64 << 20);
    Map<org.apache.hadoop.fs.Path, Footer> read = new LinkedHashMap<>();
    for (int i = 0; i < KnownFooters.MOST_SCHEMAS + 5; i++) {
      MessageType message = TestingParquet.schema("required int64 a" + i + ";");
      remember(
          known,
          read,
          500,
          new Footer(
              "x",
              500,
              "ab".repeat(32),
              Optional.empty(),
              message,
              ParquetColumns.of(message),
              List.of()));
    }
    assertEquals(KnownFooters.MOST_SCHEMAS, known.size());
  }

  private static void remember(
      KnownFooters known, Map<org.apache.hadoop.fs.Path, Footer> read, long length, Footer footer) {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/x/" + read.size());
    known.add(status(path, length, 5), footer, 10_000);
    read.put(path, footer);
  }

  private static void fill(TestingParquet.Row row) {
    if (row.group().getType().containsField("id")) {
      row.group().append("id", row.number());
    }
    if (row.group().getType().containsField("s")) {
      row.group().addGroup("s").append("a", 0.5).append("b", 1f).append("b", 2f);
    }
    if (row.group().getType().containsField("f")) {
      row.group().append("f", true);
    }
  }

  private static FileStatus status(org.apache.hadoop.fs.Path path, long length, long time) {
    return new FileStatus(length, false, 1, 1 << 20, time, path);
  }

  private static Footer.Bytes bytes(byte[] file) {
    return (position, into, offset, count) ->
        System.arraycopy(file, (int) position, into, offset, count);
  }

  /** 100,000 files with {@code -Dpenstock.tests.all=true}. */
  @Test
  void manyFilesAreKnownWithinTheDefaultLimit() throws IOException {
    int count = Boolean.getBoolean("penstock.tests.all") ? 100_000 : 2_000;
    byte[] one = TestingParquet.ids(25);
    for (int i = 0; i < count; i++) {
      disk.put("/d/part-%06d.parquet".formatted(i), one);
    }
    Catalog first = read(64 << 20, "id");
    assertEquals(count, disk.opened());
    assertTrue(Files.size(cache()) < 100L * count, "bytes " + Files.size(cache()));
    Catalog second = read(64 << 20, "id");
    assertEquals(0, disk.opened());
    assertEquals(first, second);
  }
}
