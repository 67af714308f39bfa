package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.decode.TestingParquet.Field;
import io.penstock.container.decode.TestingParquet.Written;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every type, form, encoding, codec and page version that parquet-java writes. */
class ParquetJavaFilesTest {
  private static final int ROWS = 100;

  /** How values are encoded. */
  enum Encoded {
    PLAIN,
    DICTIONARY,
    /** Dictionaries that are given up in mid-chunk. */
    FALLBACK,
    SPLIT
  }

  record Case(WriterVersion version, Encoded encoded, int pageRows) {}

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (WriterVersion version : WriterVersion.values()) {
      for (Encoded encoded : Encoded.values()) {
        for (int pageRows : new int[] {17, 10_000}) {
          cases.add(new Case(version, encoded, pageRows));
        }
      }
    }
    return cases;
  }

  private static UnaryOperator<ExampleParquetWriter.Builder> settings(
      Case one, CompressionCodecName codec) {
    return builder ->
        builder
            .withWriterVersion(one.version())
            .withCompressionCodec(codec)
            .withDictionaryEncoding(
                one.encoded() == Encoded.DICTIONARY || one.encoded() == Encoded.FALLBACK)
            .withDictionaryPageSize(one.encoded() == Encoded.FALLBACK ? 300 : 1 << 20)
            .withByteStreamSplitEncoding(one.encoded() == Encoded.SPLIT)
            .withPageRowCountLimit(one.pageRows())
            .withPageWriteChecksumEnabled(true)
            .withValidation(false);
  }

  private static List<Field> fields(Case one, List<Field> fields) {
    return one.encoded() == Encoded.PLAIN || one.encoded() == Encoded.SPLIT
        ? fields
        : repetitive(fields);
  }

  private static List<Field> repetitive(List<Field> fields) {
    return fields.stream().map(Field::repetitive).toList();
  }

  private static void assertRead(Written written) {
    List<String> names = written.columns();
    List<Column> columns = Reading.columns(written.file(), 0, written.rows(), names);
    for (int k = 0; k < names.size(); k++) {
      assertEquals(
          written.expected().get(names.get(k)), Reading.objects(columns.get(k)), names.get(k));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void scalarsOfEveryTypeAreRead(Case one) throws IOException {
    assertRead(
        TestingParquet.write(
            fields(one, TestingParquet.scalars()),
            ROWS,
            1,
            settings(one, CompressionCodecName.UNCOMPRESSED)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void listsOfEveryFormAreRead(Case one) throws IOException {
    assertRead(
        TestingParquet.write(
            fields(one, TestingParquet.lists()),
            ROWS,
            2,
            settings(one, CompressionCodecName.SNAPPY)));
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodecName.class,
      names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
  void everyCodecIsRead(CompressionCodecName codec) throws IOException {
    for (WriterVersion version : WriterVersion.values()) {
      Case one = new Case(version, Encoded.FALLBACK, 30);
      List<Field> fields = new ArrayList<>(TestingParquet.lists());
      fields.addAll(TestingParquet.scalars());
      assertRead(TestingParquet.write(repetitive(fields), ROWS, 3, settings(one, codec)));
    }
  }

  @ParameterizedTest
  @EnumSource(WriterVersion.class)
  void dictionariesAreKeptWhereEveryPageHasIndices(WriterVersion version) throws IOException {
    List<Field> fields = repetitive(TestingParquet.scalars());
    Written written =
        TestingParquet.write(
            fields,
            600,
            4,
            settings(new Case(version, Encoded.DICTIONARY, 300), CompressionCodecName.ZSTD));
    List<Column> columns = Reading.columns(written.file(), 0, 600, written.columns());
    Set<String> plain = new HashSet<>();
    for (int k = 0; k < columns.size(); k++) {
      // Version 1 of the format has no dictionaries of fixed-length values.
      boolean canHave =
          version == WriterVersion.PARQUET_2_0 || !fields.get(k).leaf().text().startsWith("fixed");
      if (canHave && !(columns.get(k).values() instanceof Values.Dictionary)) {
        plain.add(fields.get(k).leaf().text());
      }
    }
    assertEquals(Set.of("boolean"), plain, "only booleans have no dictionary");
  }

  @ParameterizedTest
  @EnumSource(WriterVersion.class)
  void dictionariesAreGivenUpInMidChunk(WriterVersion version) throws IOException {
    List<Field> fields = repetitive(TestingParquet.scalars());
    Case one = new Case(version, Encoded.FALLBACK, 60);
    Written written =
        TestingParquet.write(fields, 600, 8, settings(one, CompressionCodecName.UNCOMPRESSED));
    int mixed = 0;
    for (ChunkBytes chunk :
        Reading.chunks(Reading.fetch(written.file(), 0, 600, written.columns()))) {
      List<Page> pages =
          PageScan.pages(chunk.bytes(), chunk.offset(), chunk.length(), chunk.values());
      boolean indices = pages.stream().anyMatch(Page::isDictionaryEncoded);
      boolean others =
          pages.stream().anyMatch(page -> page.isData() && !page.isDictionaryEncoded());
      mixed += indices && others ? 1 : 0;
    }
    assertTrue(mixed > 30, "columns of both kinds of pages: " + mixed);
    assertRead(written);
  }

  @ParameterizedTest
  @EnumSource(WriterVersion.class)
  void aDecoderIsReusedForOtherColumnsAndOtherFiles(WriterVersion version) throws IOException {
    List<Written> files = new ArrayList<>();
    for (Encoded encoded : Encoded.values()) {
      Case one = new Case(version, encoded, 100);
      files.add(
          TestingParquet.write(
              TestingParquet.scalars(),
              40 + 30 * encoded.ordinal(),
              5,
              settings(one, CompressionCodecName.ZSTD)));
      files.add(
          TestingParquet.write(
              TestingParquet.lists(),
              130 - 30 * encoded.ordinal(),
              6,
              settings(one, CompressionCodecName.GZIP)));
    }
    int compared = 0;
    try (RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY)) {
      for (Written written : files) {
        List<String> names = written.columns();
        List<Column> columns =
            decoder.decode(Reading.fetch(written.file(), 0, written.rows(), names));
        for (int k = 0; k < names.size(); k++) {
          assertEquals(
              written.expected().get(names.get(k)), Reading.objects(columns.get(k)), names.get(k));
          compared++;
        }
      }
    }
    assertTrue(compared > 400, "compared " + compared);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void columnsWithoutNullsHaveNoFlags(Case one) throws IOException {
    List<Field> required =
        TestingParquet.scalars().stream()
            .filter(field -> field.form() == TestingParquet.Form.REQUIRED)
            .toList();
    Written written =
        TestingParquet.write(required, 100, 7, settings(one, CompressionCodecName.UNCOMPRESSED));
    for (Column column : Reading.columns(written.file(), 0, 100, written.columns())) {
      assertEquals(null, column.valid());
    }
  }
}
