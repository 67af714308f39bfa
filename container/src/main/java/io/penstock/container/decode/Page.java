package io.penstock.container.decode;

import org.apache.parquet.format.Encoding;

/**
 * A page of a column chunk.
 *
 * @param number place among the chunk's pages, the dictionary included
 * @param at where its bytes begin, after the header
 * @param size bytes that it has in the file
 * @param uncompressedSize bytes that it has when decompressed, levels included
 * @param values entries, nulls included; of a dictionary, its size
 * @param nulls version 2 only, else -1
 * @param rows version 2 only, else -1
 * @param repetitionBytes version 2 only
 * @param definitionBytes version 2 only
 */
record Page(
    int number,
    Kind kind,
    int at,
    int size,
    int uncompressedSize,
    boolean compressed,
    int values,
    Encoding encoding,
    Encoding definitionEncoding,
    Encoding repetitionEncoding,
    int nulls,
    int rows,
    int repetitionBytes,
    int definitionBytes,
    boolean hasCrc,
    int crc) {
  enum Kind {
    DICTIONARY,
    DATA_V1,
    DATA_V2,
    OTHER
  }

  boolean isData() {
    return kind == Kind.DATA_V1 || kind == Kind.DATA_V2;
  }

  boolean isDictionaryEncoded() {
    return encoding == Encoding.PLAIN_DICTIONARY || encoding == Encoding.RLE_DICTIONARY;
  }
}
