package io.penstock.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.TestingFileSystem.Disk;
import io.penstock.model.DataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnCryptoMetaData;
import org.apache.parquet.format.EncryptionWithFooterKey;
import org.junit.jupiter.api.Test;

class FooterTest {
  private static Footer read(byte[] content) throws IOException {
    return read(content, content.length);
  }

  private static Footer read(byte[] content, long length) throws IOException {
    Disk disk = Disk.fresh().put("/f.parquet", content);
    Path path = new Path(disk.uri("/f.parquet"));
    try (FileSystem fileSystem = FileSystem.newInstance(path.toUri(), disk.configuration())) {
      return Footer.read(fileSystem, path, length);
    }
  }

  private static String error(byte[] content) {
    DataException e = assertThrows(DataException.class, () -> read(content));
    assertTrue(e.place().file().endsWith("/f.parquet"), e.getMessage());
    return e.detail();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aFootersRowGroupsAreThereByOrdinal() throws IOException {
    byte[] file = TestingParquet.ids(25);
    Footer footer = read(file);
    assertEquals(
        List.of(10L, 10L, 5L), footer.rowGroups().stream().map(Footer.RowGroup::rows).toList());
    assertEquals(
        List.of(0, 1, 2), footer.rowGroups().stream().map(Footer.RowGroup::ordinal).toList());
    assertEquals(25, footer.rows());
    assertEquals(4, footer.rowGroups().get(0).chunks().get(0).offset());
    assertEquals(10, footer.rowGroups().get(0).chunks().get(0).values());
    assertTrue(footer.createdBy().orElseThrow().startsWith("parquet-mr"));
  }

  @Test
  void theDigestIsThatOfTheFootersBytes() throws Exception {
    byte[] file = TestingParquet.ids(3);
    int length = (file[file.length - 8] & 0xff) | (file[file.length - 7] & 0xff) << 8;
    byte[] footer = Arrays.copyOfRange(file, file.length - 8 - length, file.length - 8);
    assertEquals(
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(footer)),
        read(file).digest());
  }

  @Test
  void aFooterLongerThanTheFirstReadIsReadWhole() throws IOException {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      fields.append("optional int32 a_column_with_a_long_name_").append(i).append(';');
    }
    byte[] file = TestingParquet.nulls(fields.toString(), 1);
    assertTrue(file.length > 100_000);
    assertEquals(2000, read(file).columns().readable().size());
  }

  @Test
  void anEmptyRowGroupKeepsItsOrdinal() throws IOException {
    byte[] file =
        TestingParquet.changed(
            TestingParquet.ids(20), meta -> meta.getRow_groups().get(0).setNum_rows(0));
    assertEquals(
        List.of(0L, 10L), read(file).rowGroups().stream().map(Footer.RowGroup::rows).toList());
  }

  @Test
  void anEmptyFileIsSaidToBeEmpty() {
    assertEquals("the file is empty", error(new byte[0]));
  }

  @Test
  void aFileThatWasCutShortIsSaidToBe() {
    byte[] file = TestingParquet.ids(25);
    String cut = "cut short: it begins as a Parquet file but has no footer at its end";
    assertEquals(cut, error(TestingParquet.cut(file, file.length - 1)));
    assertEquals(cut, error(TestingParquet.cut(file, file.length / 2)));
    assertEquals(cut, error(TestingParquet.cut(file, 4)));
    assertEquals(cut, error(TestingParquet.cut(file, 9)));
  }

  @Test
  void aFileThatIsNotParquetIsSaidNotToBe() {
    String not = "not a Parquet file: it does not begin with PAR1";
    assertEquals(not, error(ascii("a,b,c\n1,2,3\n4,5,6\n")));
    assertEquals(not, error(ascii("x")));
    assertEquals(not, error(ascii("this file ends like one but is not one PAR1")));
  }

  @Test
  void aFileShorterThanItsFolderSaysIsCutShort() {
    byte[] file = TestingParquet.ids(3);
    DataException e = assertThrows(DataException.class, () -> read(file, file.length + 100));
    assertEquals(
        "cut short: it has fewer bytes than its folder says, which is " + (file.length + 100),
        e.detail());
  }

  @Test
  void anEncryptedFooterIsSaidToBe() {
    byte[] file = TestingParquet.ids(3);
    file[3] = 'E';
    file[file.length - 1] = 'E';
    assertEquals("its footer is encrypted", error(file));
  }

  @Test
  void aFooterLengthBeyondTheFileIsRefused() {
    byte[] file = TestingParquet.ids(3);
    file[file.length - 5] = 0x7f;
    assertTrue(
        error(file).startsWith("broken footer: it must have from 1 to " + (file.length - 12)));
    file[file.length - 5] = (byte) 0xff;
    assertTrue(error(file).contains("but says -"));
  }

  @Test
  void aFooterThatIsNoThriftIsRefused() {
    byte[] file = TestingParquet.ids(3);
    Arrays.fill(file, file.length - 60, file.length - 8, (byte) 0xff);
    assertTrue(error(file).startsWith("broken footer: "), error(file));
  }

  @Test
  void aChunkBeyondTheFilesDataIsRefusedWithItsPlace() {
    byte[] file =
        TestingParquet.changed(
            TestingParquet.ids(20),
            meta ->
                meta.getRow_groups()
                    .get(1)
                    .getColumns()
                    .get(0)
                    .getMeta_data()
                    .setTotal_compressed_size(1 << 20));
    DataException e = assertThrows(DataException.class, () -> read(file));
    assertEquals(1, e.place().rowGroup().orElseThrow());
    assertEquals("id", e.place().column());
    assertTrue(
        e.detail().startsWith("broken footer: the column chunk must lie within the file's data"),
        e.detail());
  }

  @Test
  void aRowGroupWithTooFewChunksIsRefused() {
    byte[] file =
        TestingParquet.changed(
            TestingParquet.ids(5), meta -> meta.getRow_groups().get(0).getColumns().clear());
    assertEquals(
        "broken footer: the row group has 0 column chunks but the schema has 1 leaves",
        error(file));
  }

  @Test
  void aChunkOfAnotherColumnIsRefused() {
    byte[] file =
        TestingParquet.changed(
            TestingParquet.ids(5),
            meta ->
                meta.getRow_groups()
                    .get(0)
                    .getColumns()
                    .get(0)
                    .getMeta_data()
                    .setPath_in_schema(List.of("other")));
    assertEquals("broken footer: the column chunk says that it is of other", error(file));
  }

  @Test
  void aChunkInAnotherFileIsRefused() {
    byte[] file =
        TestingParquet.changed(
            TestingParquet.ids(5),
            meta -> meta.getRow_groups().get(0).getColumns().get(0).setFile_path("b.parquet"));
    assertEquals(
        "the column chunk lies in another file, which is not supported: b.parquet", error(file));
  }

  @Test
  void anEncryptedColumnUnderAPlainFooterIsNotReadable() throws IOException {
    byte[] file =
        TestingParquet.changed(
            TestingParquet.nulls("optional int32 x; optional int32 y;", 5),
            meta -> {
              ColumnChunk chunk = meta.getRow_groups().get(0).getColumns().get(0);
              chunk.setCrypto_metadata(
                  ColumnCryptoMetaData.ENCRYPTION_WITH_FOOTER_KEY(new EncryptionWithFooterKey()));
            });
    Footer footer = read(file);
    assertEquals(
        Optional.of("column 'x' has the type int32, encrypted, which is not supported"),
        footer.columns().refusal("x"));
    assertTrue(footer.columns().leaf("y").isPresent());
  }
}
