package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.Encoding;

/**
 * Reads the page headers of a column chunk, without the pages.
 *
 * <p>Headers are Thrift structs in the compact protocol. They are read here straight from the
 * bytes: no stream, no copy of statistics, and no length is believed that the chunk does not have.
 */
final class PageScan {
  private static final int BOOLEAN_TRUE = 1;
  private static final int BOOLEAN_FALSE = 2;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;
  private static final int UUID = 13;
  private static final int MAX_DEPTH = 16;

  private final byte[] in;
  private final int end;
  private int at;

  // The header being read.
  private int type;
  private int uncompressedSize;
  private int size;
  private boolean hasCrc;
  private int crc;
  private Page.Kind kind;
  private int values;
  private int encoding;
  private int definitionEncoding;
  private int repetitionEncoding;
  private int nulls;
  private int rows;
  private int definitionBytes;
  private int repetitionBytes;
  private boolean compressed;

  private PageScan(byte[] in, int from, int end) {
    this.in = in;
    this.at = from;
    this.end = end;
  }

  /**
   * The pages of a chunk up to the one that completes its entries.
   *
   * @param entries how many entries the chunk has by its footer
   */
  static List<Page> pages(byte[] in, int from, int length, long entries) {
    PageScan scan = new PageScan(in, from, from + length);
    List<Page> pages = new ArrayList<>();
    long seen = 0;
    while (seen < entries) {
      if (scan.at >= scan.end) {
        throw new CorruptException(
            "its pages end after " + seen + " of " + entries + " values that the footer tells of");
      }
      Page page = scan.next(pages.size());
      pages.add(page);
      if (page.isData()) {
        seen += page.values();
      }
    }
    if (seen != entries) {
      throw new CorruptException(
          "its pages have " + seen + " values, and the footer tells of " + entries);
    }
    return pages;
  }

  private Page next(int number) {
    clear();
    try {
      header();
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new CorruptException("page " + number + ": its header ends early", e);
    }
    check(at <= end, () -> "page " + number + ": its header ends early");
    check(
        size >= 0 && size <= end - at,
        () ->
            "page "
                + number
                + " has "
                + size
                + " bytes, and the chunk only "
                + (end - at)
                + " more");
    check(
        uncompressedSize >= 0, () -> "page " + number + ": uncompressed size " + uncompressedSize);
    check(
        kind != null || !isKnown(),
        () -> "page " + number + ": its header lacks what its type calls for");
    check(values >= 0, () -> "page " + number + ": number of values " + values);
    Page page =
        new Page(
            number,
            kind == null ? Page.Kind.OTHER : kind,
            at,
            size,
            uncompressedSize,
            compressed,
            values,
            Encoding.findByValue(encoding),
            Encoding.findByValue(definitionEncoding),
            Encoding.findByValue(repetitionEncoding),
            nulls,
            rows,
            repetitionBytes,
            definitionBytes,
            hasCrc,
            crc);
    at += size;
    return page;
  }

  /** Whether the type is that of a data page or a dictionary. */
  private boolean isKnown() {
    return type == 0 || type == 2 || type == 3;
  }

  private void clear() {
    type = -1;
    uncompressedSize = -1;
    size = -1;
    hasCrc = false;
    crc = 0;
    kind = null;
    values = 0;
    encoding = -1;
    definitionEncoding = -1;
    repetitionEncoding = -1;
    nulls = -1;
    rows = -1;
    definitionBytes = 0;
    repetitionBytes = 0;
    compressed = true;
  }

  private void header() {
    int field = 0;
    for (int head = in[at++]; head != 0; head = in[at++]) {
      field = field(field, head);
      int fieldType = head & 0xf;
      if (field == 1 && fieldType == I32) {
        type = i32();
      } else if (field == 2 && fieldType == I32) {
        uncompressedSize = i32();
      } else if (field == 3 && fieldType == I32) {
        size = i32();
      } else if (field == 4 && fieldType == I32) {
        crc = i32();
        hasCrc = true;
      } else if (field == 5 && fieldType == STRUCT && type == 0) {
        kind = Page.Kind.DATA_V1;
        dataHeader();
      } else if (field == 7 && fieldType == STRUCT && type == 2) {
        kind = Page.Kind.DICTIONARY;
        dataHeader();
      } else if (field == 8 && fieldType == STRUCT && type == 3) {
        kind = Page.Kind.DATA_V2;
        dataHeaderV2();
      } else {
        skip(fieldType, 0);
      }
    }
  }

  /** The header of a data page of version 1 or of a dictionary, which begins in the same way. */
  private void dataHeader() {
    int field = 0;
    for (int head = in[at++]; head != 0; head = in[at++]) {
      field = field(field, head);
      int fieldType = head & 0xf;
      if (fieldType != I32 || field > 4) {
        skip(fieldType, 1);
        continue;
      }
      int value = i32();
      switch (field) {
        case 1 -> values = value;
        case 2 -> encoding = value;
        case 3 -> definitionEncoding = value;
        case 4 -> repetitionEncoding = value;
        default -> {}
      }
    }
  }

  private void dataHeaderV2() {
    definitionEncoding = Encoding.RLE.getValue();
    repetitionEncoding = Encoding.RLE.getValue();
    int field = 0;
    for (int head = in[at++]; head != 0; head = in[at++]) {
      field = field(field, head);
      int fieldType = head & 0xf;
      if (field == 7 && (fieldType == BOOLEAN_TRUE || fieldType == BOOLEAN_FALSE)) {
        compressed = fieldType == BOOLEAN_TRUE;
        continue;
      }
      if (fieldType != I32 || field > 6) {
        skip(fieldType, 1);
        continue;
      }
      int value = i32();
      switch (field) {
        case 1 -> values = value;
        case 2 -> nulls = value;
        case 3 -> rows = value;
        case 4 -> encoding = value;
        case 5 -> definitionBytes = value;
        case 6 -> repetitionBytes = value;
        default -> {}
      }
    }
  }

  private int field(int previous, int head) {
    int delta = head >>> 4 & 0xf;
    return delta != 0 ? previous + delta : (short) zigzag(varint());
  }

  private int i32() {
    return (int) zigzag(varint());
  }

  private static long zigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte part = in[at++];
      value |= (part & 0x7fL) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw new CorruptException("a number of more than 10 bytes in a page header");
  }

  private void skip(int fieldType, int depth) {
    check(depth < MAX_DEPTH, "a page header that is nested too deeply");
    check(at <= end, "a page header that ends early");
    switch (fieldType) {
      case BOOLEAN_TRUE, BOOLEAN_FALSE -> {}
      case 3 -> at++;
      case 4, I32, I64 -> varint();
      case 7 -> at += 8;
      case BINARY -> skipBytes(varint());
      case LIST, SET -> {
        int head = in[at++];
        long count = head >>> 4 & 0xf;
        if (count == 15) {
          count = varint();
        }
        skipElements(count, head & 0xf, depth);
      }
      case MAP -> {
        long count = varint();
        if (count != 0) {
          int types = in[at++];
          for (long k = 0; k < count; k++) {
            skipElements(1, types >>> 4 & 0xf, depth);
            skipElements(1, types & 0xf, depth);
          }
        }
      }
      case STRUCT -> {
        for (int head = in[at++]; head != 0; head = in[at++]) {
          field(0, head);
          skip(head & 0xf, depth + 1);
        }
      }
      case UUID -> at += 16;
      default -> throw new CorruptException("a field of type " + fieldType + " in a page header");
    }
  }

  private void skipElements(long count, int elementType, int depth) {
    for (long k = 0; k < count; k++) {
      if (elementType == BOOLEAN_TRUE || elementType == BOOLEAN_FALSE) {
        at++;
      } else {
        skip(elementType, depth + 1);
      }
      check(at <= end, "a page header that ends early");
    }
  }

  private void skipBytes(long count) {
    check(count >= 0 && count <= end - at, "a page header that ends early");
    at += (int) count;
  }
}
