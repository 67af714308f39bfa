package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.catalog.Footer;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.tensors.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Every type in every form with each codec, page version, family of encodings, and size of pages
 * and row groups, as PyArrow writes them: {@code make.py} beside the files. What must be read was
 * worked out when it was drawn.
 */
class ArrowProductTest {
  private static final List<String> FILES =
      List.of(
          "1-none-empty",
          "1-none-dictionary",
          "1-snappy-plain",
          "1-gzip-delta",
          "1-zstd-fallback",
          "1-lz4-split",
          "1-brotli-plain",
          "1-snappy-int96",
          "2-none-split",
          "2-snappy-fallback",
          "2-gzip-plain",
          "2-zstd-delta",
          "2-lz4-dictionary",
          "2-brotli-delta");

  private static MemoryFile file(String name) throws IOException {
    return new MemoryFile("mem:/" + name, ArrowFilesTest.resource("product-" + name + ".parquet"));
  }

  private static Footer footer(MemoryFile file) throws IOException {
    return Footer.read(file.path(), file.length(), file::readFully);
  }

  private static List<String> columns(Footer footer) {
    return footer.schema().getFields().stream().map(field -> field.getName()).toList();
  }

  @ParameterizedTest
  @FieldSource("FILES")
  void valuesAreThoseThatWereDrawn(String name) throws IOException {
    JsonNode expected = ArrowFilesTest.expected("product");
    MemoryFile file = file(name);
    Footer footer = footer(file);
    List<String> names = columns(footer);
    int before = 0;
    int compared = 0;
    try (RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY)) {
      for (Footer.RowGroup rowGroup : footer.rowGroups()) {
        int rows = (int) rowGroup.rows();
        if (rows == 0) {
          continue;
        }
        List<Column> columns = decoder.decode(Reading.fetch(file, rowGroup.ordinal(), rows, names));
        for (int k = 0; k < names.size(); k++) {
          List<Object> wanted = new ArrayList<>();
          for (int row = before; row < before + rows; row++) {
            wanted.add(
                ArrowFilesTest.object(
                    expected.get(names.get(k)).get(row), columns.get(k).type().kind()));
          }
          assertEquals(
              wanted,
              Reading.objects(columns.get(k)),
              names.get(k) + " of row group " + rowGroup.ordinal());
          compared++;
        }
        before += rows;
      }
    }
    assertEquals(footer.rows(), before);
    long full = footer.rowGroups().stream().filter(rowGroup -> rowGroup.rows() > 0).count();
    assertEquals(names.size() * full, compared);
    assertTrue(before > 0);
  }

  @Test
  void theFilesHaveEveryCodecAndEncodingThatPyArrowWrites() throws IOException {
    Set<CompressionCodec> codecs = EnumSet.noneOf(CompressionCodec.class);
    Set<Encoding> encodings = EnumSet.noneOf(Encoding.class);
    Set<Page.Kind> kinds = EnumSet.noneOf(Page.Kind.class);
    int mixed = 0;
    int withinLists = 0;
    for (String name : FILES) {
      MemoryFile file = file(name);
      Footer footer = footer(file);
      Footer.RowGroup first =
          footer.rowGroups().stream().filter(one -> one.rows() > 0).findFirst().orElseThrow();
      for (ChunkBytes chunk :
          Reading.chunks(
              Reading.fetch(file, first.ordinal(), (int) first.rows(), columns(footer)))) {
        codecs.add(chunk.codec());
        Set<Encoding> ofPages = EnumSet.noneOf(Encoding.class);
        int pages = 0;
        for (Page page :
            PageScan.pages(chunk.bytes(), chunk.offset(), chunk.length(), chunk.values())) {
          kinds.add(page.kind());
          if (page.isData() && page.values() > 0) {
            ofPages.add(page.encoding());
            pages++;
          }
        }
        encodings.addAll(ofPages);
        mixed += ofPages.size() > 1 ? 1 : 0;
        withinLists += !chunk.leaf().lists().isEmpty() && pages > 3 ? 1 : 0;
      }
    }
    assertEquals(
        EnumSet.of(
            CompressionCodec.UNCOMPRESSED,
            CompressionCodec.SNAPPY,
            CompressionCodec.GZIP,
            CompressionCodec.ZSTD,
            CompressionCodec.LZ4_RAW,
            CompressionCodec.BROTLI),
        codecs);
    assertEquals(
        EnumSet.of(
            Encoding.PLAIN,
            Encoding.RLE,
            Encoding.RLE_DICTIONARY,
            Encoding.DELTA_BINARY_PACKED,
            Encoding.DELTA_LENGTH_BYTE_ARRAY,
            Encoding.DELTA_BYTE_ARRAY,
            Encoding.BYTE_STREAM_SPLIT),
        encodings);
    assertEquals(EnumSet.of(Page.Kind.DICTIONARY, Page.Kind.DATA_V1, Page.Kind.DATA_V2), kinds);
    assertTrue(mixed > 40, "columns that gave up their dictionary: " + mixed);
    assertTrue(withinLists > 80, "list columns of many pages: " + withinLists);
  }
}
