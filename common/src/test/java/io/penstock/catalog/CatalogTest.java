package io.penstock.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.TestingFileSystem.Disk;
import io.penstock.catalog.TestingFileSystem.Fault;
import io.penstock.config.CatalogSettings;
import io.penstock.config.Settings;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.feed.DatasetSpec.Partitions;
import io.penstock.feed.PartitionType;
import io.penstock.model.ColumnSchema;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogTest {
  private static final CatalogSettings SETTINGS = Settings.defaults().catalog();
  private static final byte[] ONE = TestingParquet.ids(1);

  private final Disk disk = Disk.fresh();

  private DatasetSpec dataset(String... paths) {
    return new DatasetSpec(
        Arrays.stream(paths).map(disk::uri).toList(),
        List.of(),
        Partitions.NONE,
        Map.of(),
        BadRowGroup.FAIL,
        0.001);
  }

  private DatasetSpec excluding(List<String> exclude, String... paths) {
    return new DatasetSpec(
        dataset(paths).paths(), exclude, Partitions.NONE, Map.of(), BadRowGroup.FAIL, 0.001);
  }

  private DatasetSpec hive(Map<String, PartitionType> types, String... paths) {
    return new DatasetSpec(
        dataset(paths).paths(), List.of(), Partitions.HIVE, types, BadRowGroup.FAIL, 0.001);
  }

  private Catalog read(DatasetSpec dataset, String... columns) {
    return Catalog.read(dataset, schema -> List.of(columns), disk.configuration(), SETTINGS);
  }

  private String error(DatasetSpec dataset, String... columns) {
    return assertThrows(UsageException.class, () -> read(dataset, columns))
        .getMessage()
        .replace(disk.uri(""), "");
  }

  private List<String> paths(Catalog catalog) {
    return catalog.files().stream().map(file -> file.path().replace(disk.uri(""), "")).toList();
  }

  @Test
  void filesAreInTheOrderOfTheUtf8BytesOfTheirPathBelowTheRoot() {
    // Expected: Python's sorted(names, key=lambda s: s.encode()). Java puts the last one third.
    List<String> names =
        List.of(
            "/d/a!b.parquet",
            "/d/a.parquet",
            "/d/a/b.parquet",
            "/d/ab.parquet",
            "/d/\u00e9.parquet",
            "/d/\uff5e.parquet",
            "/d/\ud83d\ude00.parquet");
    for (String name : names) {
      disk.put(name, ONE);
    }
    assertEquals(names, paths(read(dataset("/d"))));
  }

  @Test
  void rootsAreInTheOrderGiven() {
    disk.put("/b/1", ONE).put("/a/1", ONE).put("/c", ONE);
    assertEquals(List.of("/c", "/b/1", "/a/1"), paths(read(dataset("/c", "/b", "/a"))));
  }

  @Test
  void theMatchesOfAGlobAreRootsInTheOrderOfTheirUtf8Bytes() {
    disk.put("/d/x/2", ONE).put("/d/x-/1", ONE).put("/d/y\ud83d\ude00", ONE).put("/d/y\uff5e", ONE);
    // Roots x, x-, ...: as files below one root, x-/1 would come before x/2.
    assertEquals(
        List.of("/d/x/2", "/d/x-/1", "/d/y\uff5e", "/d/y\ud83d\ude00"),
        paths(read(dataset("/d/*"))));
    assertEquals(
        List.of("/d/x-/1", "/d/x/2", "/d/y\uff5e", "/d/y\ud83d\ude00"), paths(read(dataset("/d"))));
  }

  @Test
  void aNameWithOddCharactersIsReadAsItIs() {
    List<String> names =
        List.of("/d/a b#1;?\u00e9.parquet", "/d/p%41.parquet", "/d/t:u.parquet", "/d/x=1&y+z/[q]*");
    for (String name : names) {
      disk.put(name, ONE);
    }
    Catalog catalog = read(dataset("/d"));
    assertEquals(names, paths(catalog));
    for (String name : names) {
      assertEquals(List.of(name), paths(read(dataset(name))), "as a root of its own");
    }
  }

  @Test
  void aPathThatExistsAsWrittenIsNoGlob() {
    disk.put("/d/[ab]", ONE).put("/d/a", ONE);
    assertEquals(List.of("/d/[ab]"), paths(read(dataset("/d/[ab]"))));
    assertEquals(List.of("/d/a"), paths(read(dataset("/d/[a]"))));
  }

  @Test
  void whatIsHiddenBelowARootIsNoData() {
    disk.put("/d/_SUCCESS", new byte[0])
        .put("/d/.x.parquet", ONE)
        .put("/d/_tmp/x", ONE)
        .put("/d/.tmp/x", ONE)
        .put("/d/_day=1/x", ONE)
        .put("/d/a/_b", ONE)
        .put("/_e/.f/x", ONE);
    assertEquals(List.of("/d/_day=1/x"), paths(read(dataset("/d"))));
    assertEquals(List.of("/_e/.f/x"), paths(read(dataset("/_e/.f"))), "a root may be hidden");
    assertEquals(List.of("/d/_tmp/x"), paths(read(dataset("/d/_tmp/*"))));
    assertEquals(List.of("/d/_day=1/x"), paths(read(dataset("/d/*"))));
    assertEquals(List.of("/d/_day=1/x"), paths(read(dataset("/d/*/x"))));
  }

  @Test
  void excludeGlobsAreOnNamesAtAnyDepthOrOnPathsBelowTheRoot() {
    disk.put("/d/a.crc", ONE)
        .put("/d/old/a", ONE)
        .put("/d/new/old/b", ONE)
        .put("/d/new/c.crc", ONE)
        .put("/d/new/d", ONE)
        .put("/d/new/e/f", ONE);
    assertEquals(
        List.of("/d/new/d", "/d/new/e/f"), paths(read(excluding(List.of("*.crc", "old"), "/d"))));
    assertEquals(
        List.of("/d/a.crc", "/d/new/e/f", "/d/new/old/b", "/d/old/a"),
        paths(read(excluding(List.of("new/c*", "new/d"), "/d"))));
    assertEquals(List.of("/d/a.crc", "/d/old/a"), paths(read(excluding(List.of("new/**"), "/d"))));
    assertEquals(
        List.of("/d/new/d", "/d/new/e/f", "/d/old/a"),
        paths(read(excluding(List.of("*.crc", "new/o[k-m]d"), "/d"))));
    assertEquals(
        List.of("/d/new/d", "/d/new/e/f", "/d/new/old/b", "/d/old/a"),
        paths(read(excluding(List.of("{*.crc,x}"), "/d/*"))),
        "a glob's match too");
  }

  @Test
  void aFileReachedTwiceIsAnError() {
    disk.put("/d/a", ONE);
    assertEquals(
        "must be reached once but dataset.paths reaches it twice: file /d/a",
        error(dataset("/d", "/d/a")));
    assertEquals(
        "must be reached once but dataset.paths reaches it twice: file /d/a",
        error(dataset("/d", "/d")));
  }

  @Test
  void aMissingPathIsAnError() {
    disk.put("/d/a", ONE);
    assertEquals("must exist: dataset.paths=/e", error(dataset("/d", "/e")));
    assertEquals(
        "must exist: dataset.paths=/e\nmust match a file or folder: dataset.paths=/f?",
        error(dataset("/e", "/d", "/f?")),
        "all at once");
    assertEquals("must exist: dataset.paths=/d/a/b", error(dataset("/d/a/b")));
    assertEquals("must match a file or folder: dataset.paths=/e/*", error(dataset("/e/*")));
  }

  @Test
  void aFolderWithoutAFileIsAnError() {
    disk.folder("/d/e").put("/h/.a", ONE).put("/f/a", ONE);
    assertEquals(
        "must have a file that is neither hidden nor excluded: dataset.paths=/d",
        error(dataset("/f", "/d")));
    assertEquals(
        "must have a file that is neither hidden nor excluded: dataset.paths=/h",
        error(dataset("/h")));
    assertEquals(
        "must have a file that is neither hidden nor excluded: dataset.paths=/f",
        error(excluding(List.of("a"), "/f")));
  }

  @Test
  void aDatasetWithoutARowIsAnError() {
    disk.put("/d/a", TestingParquet.ids(0)).put("/d/b", TestingParquet.ids(0));
    assertEquals("must have at least one row: dataset.paths=/d (files: 2)", error(dataset("/d")));
  }

  @Test
  void everyFileThatIsBrokenIsNamedWithTheReason() {
    disk.put("/d/a", ONE)
        .put("/d/b", new byte[0])
        .put("/d/c", "no,parquet,at,all\n".getBytes(StandardCharsets.US_ASCII))
        .put("/d/d", TestingParquet.cut(ONE, ONE.length - 3));
    assertEquals(
        "file /d/b: the file is empty\n"
            + "file /d/c: not a Parquet file: it does not begin with PAR1\n"
            + "file /d/d: cut short: it begins as a Parquet file but has no footer at its end",
        error(dataset("/d")));
    assertEquals("file /d/b: the file is empty", error(dataset("/d/b", "/d/a")));
  }

  @Test
  void ofManyBrokenFilesTenAreNamed() {
    disk.put("/d/a", ONE);
    for (int i = 10; i < 35; i++) {
      disk.put("/d/b" + i, new byte[0]);
    }
    List<String> lines = error(dataset("/d")).lines().toList();
    assertEquals(11, lines.size());
    assertEquals("file /d/b10: the file is empty", lines.get(0));
    assertEquals("and 15 more files with errors", lines.get(10));
  }

  @Test
  void rowGroupsAreInContractOrderWithoutEmptyOnesAndKeepTheirOrdinals() {
    byte[] gap =
        TestingParquet.changed(
            TestingParquet.ids(25), meta -> meta.getRow_groups().get(1).setNum_rows(0));
    disk.put("/d/a", gap).put("/d/b", TestingParquet.ids(0)).put("/d/c", TestingParquet.ids(12));
    Catalog catalog = read(dataset("/d"), "id");
    assertEquals(3, catalog.files().size());
    assertEquals(
        List.of(
            new RowGroupRef(0, disk.uri("/d/a"), 0, 10),
            new RowGroupRef(1, disk.uri("/d/a"), 2, 5),
            new RowGroupRef(2, disk.uri("/d/c"), 0, 10),
            new RowGroupRef(3, disk.uri("/d/c"), 1, 2)),
        List.of(catalog.ref(0), catalog.ref(1), catalog.ref(2), catalog.ref(3)));
    assertEquals(
        List.of(0L, 10L, 15L, 25L),
        catalog.rowGroups().stream().map(RowGroupInfo::firstRow).toList());
    assertEquals(27, catalog.rows());
    assertEquals(List.of(10, 5, 10, 2), Arrays.stream(catalog.rowCounts()).boxed().toList());
    assertEquals(disk.uri("/d/c"), catalog.fileOf(3).path());
    assertEquals(1700000000000L, catalog.fileOf(3).modificationTime());
  }

  @Test
  void theBytesOfTheColumnsAskedForAreCountedOnce() throws IOException {
    byte[] file =
        TestingParquet.nulls(
            "optional int64 x; optional group l (LIST) { repeated group list { optional int32 element; } } optional int32 z;",
            5);
    disk.put("/d/a", file);
    Catalog all = read(dataset("/d"), "x", "l", "z");
    Catalog list = read(dataset("/d"), "l", "l.list.element");
    Catalog others = read(dataset("/d"), "x", "z");
    assertTrue(list.compressedBytes() > 0);
    assertEquals(all.compressedBytes(), list.compressedBytes() + others.compressedBytes());
    assertEquals(all.uncompressedBytes(), list.uncompressedBytes() + others.uncompressedBytes());
    assertEquals(0, read(dataset("/d")).compressedBytes());
    assertEquals(list.compressedBytes(), list.rowGroups().get(0).largestChunkBytes());
    long largest =
        Stream.of("x", "l", "z")
            .mapToLong(c -> read(dataset("/d"), c).compressedBytes())
            .max()
            .orElseThrow();
    assertEquals(largest, all.rowGroups().get(0).largestChunkBytes());
    // x: 8 bytes and a flag; l: 4, a flag, an offset and a flag a list; z: 4 and a flag; 5 rows.
    assertEquals(
        List.of(5L * (9 + 10 + 5), 5L * 10, 5L * (9 + 5)),
        List.of(decoded(all), decoded(list), decoded(others)));
  }

  @Test
  void whatIsDecodedAtOnceIsTheWidestColumns() throws IOException {
    String narrow = "optional int32 a; optional int32 b; ";
    String wide =
        IntStream.range(0, 20)
            .mapToObj(k -> "optional int64 w" + k + ";")
            .collect(Collectors.joining(" "));
    disk.put("/d/a", TestingParquet.nulls(narrow + wide, 5));
    List<String> columns = new ArrayList<>(List.of("a", "b"));
    IntStream.range(0, 20).forEach(k -> columns.add("w" + k));
    // 16 of them, 8 bytes and a flag each, 5 rows.
    assertEquals(16 * 9 * 5, decoded(read(dataset("/d"), columns.toArray(String[]::new))));
  }

  private static long decoded(Catalog catalog) {
    return catalog.rowGroups().stream().mapToLong(RowGroupInfo::decodedBytes).sum();
  }

  @Test
  void aRowGroupOfTooManyRowsIsRefused() {
    disk.put(
        "/d/a",
        TestingParquet.changed(
            TestingParquet.ids(1), meta -> meta.getRow_groups().get(0).setNum_rows(2147483647L)));
    assertEquals(
        "file /d/a, row group 0: must have < 2147483647 rows: rows=2147483647",
        error(dataset("/d")));
  }

  @Test
  void aColumnThatAFileLacksIsRefusedWithBothFiles() {
    disk.put("/d/a", TestingParquet.nulls("optional int32 x; optional int32 y;", 1))
        .put("/d/b", TestingParquet.nulls("optional int32 x;", 1));
    assertEquals(
        "column 'y' must be in every file: file /d/a has it, file /d/b does not",
        error(dataset("/d"), "x", "y"));
    assertEquals(2, read(dataset("/d"), "x").files().size(), "others may differ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optional int32 x | optional binary x (STRING) | int32 | binary (STRING)",
        "optional int64 x | optional int64 x (INTEGER(64,false)) | int64 | int64 (INTEGER(64,false))",
        "optional float x | optional double x | float | double",
        "optional int32 x (DECIMAL(9,2)) | optional int32 x (DECIMAL(9,3)) | int32 (DECIMAL(9,2)) | int32 (DECIMAL(9,3))",
        "optional int32 x | repeated int32 x | int32 | list<int32>",
        "optional int32 x | optional group x { optional int32 y; } | int32 | STRUCT",
      })
  void aColumnOfTwoTypesIsRefusedWithBothFiles(String a, String b, String typeA, String typeB) {
    disk.put("/d/a", TestingParquet.nulls(fields(a), 1))
        .put("/d/b", TestingParquet.nulls(fields(b), 1));
    assertEquals(
        "column 'x' must have one type in every file: it is "
            + typeA
            + " in file /d/a and "
            + typeB
            + " in file /d/b",
        error(dataset("/d"), "x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optional int32 x | optional int64 x",
        "optional int32 x (INTEGER(8,true)) | optional int32 x (INTEGER(32,false))",
        "optional int64 x (TIMESTAMP(MILLIS,true)) | optional int96 x",
        "optional binary x (STRING) | optional binary x",
        "optional int32 x (DECIMAL(9,2)) | optional int64 x (DECIMAL(18,2))",
        "repeated int32 x | optional group x (LIST) { repeated group list { optional int64 element; } }",
        "optional int32 x | required int32 x",
      })
  void typesThatBecomeTheSameAgree(String a, String b) {
    disk.put("/d/a", TestingParquet.nulls(fields(a), 1));
    disk.put(
        "/d/b",
        TestingParquet.file(
            fields(b),
            1,
            row -> {
              if (b.startsWith("required")) {
                row.group().append("x", 1);
              }
            }));
    assertEquals(2, read(dataset("/d"), "x").files().size());
  }

  private static String fields(String field) {
    return field.endsWith("}") ? field : field + ";";
  }

  @Test
  void aColumnThatCannotBeReadIsRefused() {
    disk.put("/d/a", TestingParquet.nulls("optional group s { optional int32 x; }", 1));
    assertEquals(
        "file /d/a: column 's' has the type STRUCT, which is not supported\n"
            + "file /d/a: there is no column 't'",
        error(dataset("/d"), "s", "t"));
  }

  @Test
  void theSchemaIsThatOfTheFirstFileThenTheHiveColumns() {
    disk.put("/d/day=1/city=x/a", TestingParquet.nulls("optional int32 b; optional int32 a;", 1))
        .put("/d/day=2/city=x/a", TestingParquet.nulls("optional int32 a; optional int32 c;", 1));
    Catalog catalog = read(hive(Map.of("day", PartitionType.INT64), "/d"), "a", "day");
    assertEquals(
        List.of("b", "a", "day", "city"),
        catalog.schema().stream().map(ColumnSchema::path).toList());
    ColumnSchema day = catalog.schema().get(2);
    assertTrue(day.partition());
    assertEquals("integer", day.type().orElseThrow().toString());
    assertEquals("bytes", catalog.schema().get(3).type().orElseThrow().toString());
    assertEquals(List.of("a"), catalog.columns());
  }

  @Test
  void hiveValuesArePercentDecodedAndTheDefaultOneIsNull() {
    disk.put("/d/k=a%20b%2Fc/v=%C3%A9%zz/a", ONE)
        .put("/d/k=__HIVE_DEFAULT_PARTITION__/v=x=y/a", ONE)
        .put("/d/k=/v=%/a", ONE);
    List<Map<String, Optional<String>>> values =
        read(hive(Map.of(), "/d")).files().stream().map(CatalogFile::partitions).toList();
    assertEquals(
        List.of(
            Map.of("k", Optional.of(""), "v", Optional.of("%")),
            Map.of("k", Optional.empty(), "v", Optional.of("x=y")),
            Map.of("k", Optional.of("a b/c"), "v", Optional.of("\u00e9%zz"))),
        values);
  }

  @Test
  void withoutPartitionsFoldersAreFolders() {
    disk.put("/d/id=1/a", ONE);
    assertEquals(Map.of(), read(dataset("/d"), "id").files().get(0).partitions());
  }

  @Test
  void aHiveKeyThatIsAColumnOfAFileIsRefused() {
    disk.put("/d/id=1/a", ONE);
    assertEquals(
        "file /d/id=1/a: its column 'id' has the name of a hive folder;"
            + " one of both must go by another name",
        error(hive(Map.of(), "/d")));
  }

  @Test
  void hiveKeysThatDifferAreRefusedWithBothFiles() {
    disk.put("/d/day=1/a", ONE).put("/d/hour=1/a", ONE).put("/d/x", ONE);
    assertEquals(
        "hive folders must have the same keys for every file:"
            + " [day] for file /d/day=1/a and [hour] for file /d/hour=1/a\n"
            + "hive folders must have the same keys for every file:"
            + " [day] for file /d/day=1/a and [] for file /d/x",
        error(hive(Map.of(), "/d")));
  }

  @Test
  void aHiveKeyTwiceInOnePathIsRefused() {
    disk.put("/d/k=1/k=2/a", ONE);
    assertEquals(
        "the hive key 'k' is twice in the path of file /d/k=1/k=2/a", error(hive(Map.of(), "/d")));
  }

  @Test
  void aHiveValueThatIsNotUtf8IsRefused() {
    disk.put("/d/k=%ff/a", ONE);
    assertEquals(
        "must be UTF-8 when percent-decoded: folder '%ff' in the path of file /d/k=%ff/a",
        error(hive(Map.of(), "/d")));
  }

  @Test
  void aHiveValueOfAnotherTypeIsRefused() {
    disk.put("/d/day=1/a", ONE)
        .put("/d/day=x/a", ONE)
        .put("/d/day=__HIVE_DEFAULT_PARTITION__/a", ONE);
    assertEquals(
        "the hive value must be of type int64: day=x for file /d/day=x/a\n"
            + "must be the key of a hive folder: dataset.partition_types=dya;"
            + " did you mean 'day'?",
        error(hive(Map.of("day", PartitionType.INT64, "dya", PartitionType.STRING), "/d")));
  }

  @Test
  void noPermissionIsAnErrorOfItsOwnThatNamesThePath() {
    disk.put("/d/a", ONE).put("/d/b", ONE).fault("/d/b", Fault.DENIED);
    assertEquals(
        "no permission while reading the footer of /d/b: Permission denied: user=alice, inode=/d/b",
        unreachable(dataset("/d"), SETTINGS));
    disk.fault("/d", Fault.DENIED);
    assertEquals(
        "no permission while listing /d: Permission denied: user=alice, inode=/d",
        unreachable(dataset("/d"), SETTINGS));
    disk.fault("stat:/d", Fault.DENIED);
    assertTrue(
        unreachable(dataset("/d"), SETTINGS).startsWith("no permission while looking for /d: "));
  }

  @Test
  void aFileSystemThatRefusesIsNotReached() {
    disk.put("/d/a", ONE).fault("stat:/d", Fault.REFUSED);
    assertEquals(
        "not reached while looking for /d: Connection refused",
        unreachable(dataset("/d"), SETTINGS));
  }

  @Test
  void aFileSystemThatHangsIsNotReachedInTimeAndIsInterrupted() throws InterruptedException {
    CatalogSettings settings =
        new CatalogSettings(2, Duration.ofMinutes(1), Duration.ofMillis(200), 1 << 20, "none", 0);
    disk.put("/d/a", ONE).put("/d/b", ONE).fault("/d/b", Fault.HANGS);
    assertEquals(
        "no answer within 200ms (penstock.catalog.connect-timeout) while reading the footer of"
            + " /d/b; 1 of 2 requests were answered",
        unreachable(dataset("/d"), settings));
    assertTrue(disk.interrupted.await(10, TimeUnit.SECONDS));
  }

  @Test
  void allOfItHasADeadlineToo() {
    CatalogSettings settings =
        new CatalogSettings(2, Duration.ofMillis(200), Duration.ofMinutes(1), 1 << 20, "none", 0);
    disk.put("/d/a", ONE).fault("/d", Fault.HANGS);
    assertEquals(
        "not done within 200ms (penstock.catalog.timeout) while listing /d; 0 of 1 requests were"
            + " answered",
        unreachable(dataset("/d"), settings));
  }

  private String unreachable(DatasetSpec dataset, CatalogSettings settings) {
    return assertThrows(
            UnreachableException.class,
            () -> Catalog.read(dataset, schema -> List.of(), disk.configuration(), settings))
        .getMessage()
        .replace(disk.uri(""), "");
  }

  @Test
  void aFileRemovedAfterItWasListedIsSaidSo() {
    disk.put("/d/a", ONE).put("/d/b", ONE).fault("/d/b", Fault.GONE);
    assertEquals("file /d/b: it was removed while it was read", error(dataset("/d")));
  }

  @Test
  void aHostThatNobodyKnowsIsNotReached() {
    Configuration configuration = new Configuration();
    DatasetSpec dataset =
        new DatasetSpec(
            List.of("hdfs://no-such-host.invalid:8020/d"),
            List.of(),
            Partitions.NONE,
            Map.of(),
            BadRowGroup.FAIL,
            0);
    String message =
        assertThrows(
                UnreachableException.class,
                () -> Catalog.read(dataset, schema -> List.of(), configuration, SETTINGS))
            .getMessage();
    assertTrue(message.contains("hdfs://no-such-host.invalid:8020/d"), message);
  }

  @Test
  void aKindOfFileSystemThatNobodyKnowsIsRefused() {
    DatasetSpec dataset =
        new DatasetSpec(
            List.of("nofs://x/d"), List.of(), Partitions.NONE, Map.of(), BadRowGroup.FAIL, 0);
    String message =
        assertThrows(
                UsageException.class,
                () ->
                    Catalog.read(dataset, schema -> List.of(), new Configuration(false), SETTINGS))
            .getMessage();
    assertTrue(
        message.startsWith("no such kind of file system while looking for nofs://x/d"), message);
  }

  @Test
  void whatIsWrittenIsReadAgain() throws Exception {
    disk.put("/d/k=1/\u00e9 #\ud83d\ude00", TestingParquet.ids(25))
        .put("/d/k=__HIVE_DEFAULT_PARTITION__/b", TestingParquet.ids(3));
    Catalog catalog = read(hive(Map.of("k", PartitionType.INT8), "/d"), "id", "k");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    catalog.write(out);
    assertEquals(catalog, Catalog.read(new ByteArrayInputStream(out.toByteArray())));
    byte[] text = new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes();
    assertEquals(
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text)),
        catalog.digest());
  }

  @Test
  void aTextThatIsNoCatalogIsRefused() throws IOException {
    disk.put("/d/a", ONE);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    read(dataset("/d")).write(out);
    byte[] written = out.toByteArray();
    for (int length = 0; length < written.length; length++) {
      byte[] cut = Arrays.copyOf(written, length);
      assertThrows(IOException.class, () -> Catalog.read(new ByteArrayInputStream(cut)));
    }
  }

  @Test
  void theDigestTellsDatasetsApart() {
    disk.put("/d/a", TestingParquet.ids(5)).put("/e/a", TestingParquet.ids(6));
    String digest = read(dataset("/d"), "id").digest();
    assertEquals(digest, read(dataset("/d"), "id").digest());
    assertNotEquals(digest, read(dataset("/e"), "id").digest());
    assertNotEquals(digest, read(dataset("/d")).digest());
  }

  @Test
  void filesOfTheLocalFileSystemAreReadToo(@TempDir java.nio.file.Path folder) throws IOException {
    Files.createDirectories(folder.resolve("x"));
    Files.write(folder.resolve("x/a b#1;.parquet"), TestingParquet.ids(12));
    DatasetSpec dataset =
        new DatasetSpec(
            List.of(folder.toUri().toString()),
            List.of(),
            Partitions.NONE,
            Map.of(),
            BadRowGroup.FAIL,
            0);
    Catalog catalog = Catalog.read(dataset, schema -> List.of("id"), new Configuration(), SETTINGS);
    assertEquals(12, catalog.rows());
    assertTrue(catalog.files().get(0).path().endsWith("/x/a b#1;.parquet"));
  }
}
