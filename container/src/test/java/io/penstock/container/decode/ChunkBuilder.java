package io.penstock.container.decode;

import io.penstock.catalog.LeafColumn;
import io.penstock.catalog.ParquetColumns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.MessageTypeParser;

/** Column chunks put together by hand, page by page. */
final class ChunkBuilder {
  private final LeafColumn leaf;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private CompressionCodec codec = CompressionCodec.UNCOMPRESSED;
  private int entries;
  private boolean crc;

  /** A column {@code x} of that type: {@code optional int32 x;}. */
  ChunkBuilder(String field) {
    this.leaf =
        ParquetColumns.of(MessageTypeParser.parseMessageType("message m { " + field + " }"))
            .leaf("x")
            .orElseThrow();
  }

  ChunkBuilder codec(CompressionCodec other) {
    codec = other;
    return this;
  }

  ChunkBuilder checksums() {
    crc = true;
    return this;
  }

  ChunkBytes build() {
    byte[] bytes = out.toByteArray();
    return new ChunkBytes(leaf, codec, entries, bytes.length * 4L, bytes, 0, bytes.length);
  }

  ChunkBuilder dictionary(byte[] body, int size) {
    PageHeader header = header(PageType.DICTIONARY_PAGE, body.length, body.length);
    header.setDictionary_page_header(new DictionaryPageHeader(size, Encoding.PLAIN));
    return page(header, body);
  }

  /** A page of version 1 that is compressed already, or not at all. */
  ChunkBuilder v1(
      byte[] body, int uncompressedSize, int values, Encoding encoding, Encoding levels) {
    PageHeader header = header(PageType.DATA_PAGE, uncompressedSize, body.length);
    header.setData_page_header(new DataPageHeader(values, encoding, levels, levels));
    entries += values;
    return page(header, body);
  }

  ChunkBuilder v1(byte[] body, int values, Encoding encoding) {
    return v1(body, body.length, values, encoding, Encoding.RLE);
  }

  ChunkBuilder v2(byte[] repetitions, byte[] definitions, byte[] body, int values, int rows) {
    byte[] all = concat(repetitions, definitions, body);
    PageHeader header = header(PageType.DATA_PAGE_V2, all.length, all.length);
    header.setData_page_header_v2(
        new DataPageHeaderV2(
            values, 0, rows, Encoding.PLAIN, definitions.length, repetitions.length));
    entries += values;
    return page(header, all);
  }

  private PageHeader header(PageType type, int uncompressedSize, int size) {
    return new PageHeader(type, uncompressedSize, size);
  }

  private ChunkBuilder page(PageHeader header, byte[] body) {
    if (crc) {
      CRC32 sum = new CRC32();
      sum.update(body);
      header.setCrc((int) sum.getValue());
    }
    try {
      Util.writePageHeader(header, out);
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static byte[] ints(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      buffer.putInt(value);
    }
    return buffer.array();
  }

  /** A bit-packed run of the hybrid, without a length before it. */
  static byte[] packed(int width, int... values) {
    int groups = (values.length + 7) / 8;
    byte[] out = new byte[1 + groups * width];
    if (groups > 63) {
      throw new IllegalArgumentException("the header takes more than a byte");
    }
    out[0] = (byte) (groups << 1 | 1);
    for (int k = 0; k < values.length; k++) {
      for (int bit = 0; bit < width; bit++) {
        if ((values[k] >>> bit & 1) == 1) {
          int at = k * width + bit;
          out[1 + at / 8] |= (byte) (1 << at % 8);
        }
      }
    }
    return out;
  }

  /** A repeated run of the hybrid of values of up to 8 bits. */
  static byte[] repeated(int count, int value) {
    return count < 64
        ? new byte[] {(byte) (count << 1), (byte) value}
        : new byte[] {(byte) (count << 1 | 0x80), (byte) (count >> 6), (byte) value};
  }

  /** With its length in four bytes before it, as levels of version 1 have. */
  static byte[] sized(byte[] runs) {
    return concat(ints(runs.length), runs);
  }
}
