package io.penstock.container.decode;

import io.penstock.catalog.LeafColumn;
import io.penstock.catalog.ParquetColumns;
import io.penstock.container.fetch.FileBytes;
import io.penstock.model.DataException;
import io.penstock.model.DataException.Place;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;

/**
 * A file's footer: its columns, and where their chunks lie. Every place and size is checked against
 * the file before it is handed out.
 */
final class ParquetFooter {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);
  private static final int TAIL = 8;
  private static final int MAX_LEVEL = 62;

  /** Writers that left the dictionary's header out of a chunk's size (PARQUET-816). */
  private static final Pattern SHORT_CHUNKS =
      Pattern.compile("parquet-mr( version (0|1\\.[01]|1\\.2\\.[0-8])\\b.*)?");

  private static final int LONGEST_DICTIONARY_HEADER = 100;
  private static final int FIRST_READ = 64 << 10;

  private final String path;
  private final long fileLength;
  private final int footerLength;
  private final List<RowGroup> rowGroups;
  private final ParquetColumns columns;
  private final int leaves;
  private final int slack;

  /** A column chunk of the file. */
  record Chunk(LeafColumn leaf, ColumnMetaData meta, int values, long position, int length) {}

  private ParquetFooter(
      String path,
      long fileLength,
      int footerLength,
      List<RowGroup> rowGroups,
      ParquetColumns columns,
      int leaves,
      int slack) {
    this.path = path;
    this.fileLength = fileLength;
    this.footerLength = footerLength;
    this.rowGroups = rowGroups;
    this.columns = columns;
    this.leaves = leaves;
    this.slack = slack;
  }

  /** What a feed can ask for. */
  ParquetColumns columns() {
    return columns;
  }

  /** Rows of each row group. */
  List<Long> rows() {
    return rowGroups.stream().map(RowGroup::getNum_rows).toList();
  }

  /** Bytes of the footer in the file. */
  int footerLength() {
    return footerLength;
  }

  /**
   * Reads a footer in one read, or two if it is long.
   *
   * @throws DataException if the file is not Parquet, is cut short, or has a broken footer
   */
  static ParquetFooter read(FileBytes file) throws IOException {
    Place place = Place.of(file.path());
    long length = file.length();
    if (length < MAGIC.length + TAIL) {
      throw new DataException(
          place, "not a Parquet file: " + (length == 0 ? "it is empty" : length + " bytes"));
    }
    byte[] tail = new byte[(int) Math.min(FIRST_READ, length)];
    file.readFully(length - tail.length, tail, 0, tail.length);
    checkMagic(place, tail);
    int footerLength = LittleEndian.intAt(tail, tail.length - TAIL);
    if (footerLength < 0 || footerLength > length - MAGIC.length - TAIL) {
      throw new DataException(
          place, "a footer of " + footerLength + " bytes in a file of " + length);
    }
    byte[] bytes = tail;
    int at = tail.length - TAIL - footerLength;
    if (at < 0) {
      bytes = new byte[footerLength];
      at = 0;
      int missing = footerLength - (tail.length - TAIL);
      file.readFully(length - TAIL - footerLength, bytes, 0, missing);
      System.arraycopy(tail, 0, bytes, missing, footerLength - missing);
    }
    return parse(place, length, bytes, at, footerLength);
  }

  private static void checkMagic(Place place, byte[] tail) {
    int at = tail.length - MAGIC.length;
    if (java.util.Arrays.equals(tail, at, tail.length, ENCRYPTED_MAGIC, 0, MAGIC.length)) {
      throw new DataException(place, "its footer is encrypted, which is not supported");
    }
    if (!java.util.Arrays.equals(tail, at, tail.length, MAGIC, 0, MAGIC.length)) {
      throw new DataException(place, "not a Parquet file, or cut short: it does not end in PAR1");
    }
  }

  private static ParquetFooter parse(
      Place place, long length, byte[] bytes, int at, int footerLength) {
    try {
      FileMetaData meta =
          Util.readFileMetaData(
              new ByteArrayInputStream(bytes, at, footerLength), Math.max(1, footerLength));
      List<RowGroup> rowGroups = meta.getRow_groups();
      Set<List<String>> encrypted = encrypted(rowGroups);
      FileMetaData schemaOnly =
          new FileMetaData(meta.getVersion(), meta.getSchema(), meta.getNum_rows(), List.of());
      var message =
          new ParquetMetadataConverter()
              .fromParquetMetadata(schemaOnly)
              .getFileMetaData()
              .getSchema();
      return new ParquetFooter(
          place.file(),
          length,
          footerLength,
          rowGroups,
          ParquetColumns.of(message, encrypted),
          message.getColumns().size(),
          slack(meta.getCreated_by()));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // No storage is asked here: whatever goes wrong is the footer's fault.
      throw new DataException(place, "its footer is broken: " + e, e);
    }
  }

  private static int slack(String createdBy) {
    return createdBy != null && SHORT_CHUNKS.matcher(createdBy).matches()
        ? LONGEST_DICTIONARY_HEADER
        : 0;
  }

  private static Set<List<String>> encrypted(List<RowGroup> rowGroups) {
    Set<List<String>> paths = new HashSet<>();
    for (RowGroup rowGroup : rowGroups) {
      for (ColumnChunk chunk : rowGroup.getColumns()) {
        if (chunk.isSetCrypto_metadata()) {
          if (chunk.getCrypto_metadata().isSetENCRYPTION_WITH_COLUMN_KEY()) {
            paths.add(
                List.copyOf(
                    chunk
                        .getCrypto_metadata()
                        .getENCRYPTION_WITH_COLUMN_KEY()
                        .getPath_in_schema()));
          } else if (chunk.isSetMeta_data()) {
            paths.add(List.copyOf(chunk.getMeta_data().getPath_in_schema()));
          }
        }
      }
    }
    return paths;
  }

  /**
   * Where the columns of a row group lie.
   *
   * @param names the columns, by the names that a feed asks by
   * @param rows how many rows the catalog knows
   * @throws DataException if the file has no such row group or column, or the footer says something
   *     that cannot be
   */
  List<Chunk> chunks(int ordinal, int rows, List<String> names) {
    Place place = Place.of(path).inRowGroup(ordinal);
    if (ordinal >= rowGroups.size()) {
      throw new DataException(place, "the file has only " + rowGroups.size() + " row groups");
    }
    RowGroup rowGroup = rowGroups.get(ordinal);
    if (rowGroup.getNum_rows() != rows) {
      throw new DataException(
          place,
          "it has "
              + rowGroup.getNum_rows()
              + " rows by its footer, not "
              + rows
              + " as cataloged");
    }
    if (rowGroup.getColumnsSize() != leaves) {
      throw new DataException(
          place,
          "it has "
              + rowGroup.getColumnsSize()
              + " column chunks, and the schema "
              + leaves
              + " columns");
    }
    List<Chunk> chunks = new ArrayList<>(names.size());
    for (String name : names) {
      Place column = place.inColumn(name);
      LeafColumn leaf =
          columns
              .leaf(name)
              .orElseThrow(
                  () -> new DataException(column, columns.refusal(name).orElse("not readable")));
      chunks.add(chunk(column, leaf, rowGroup.getColumns().get(leaf.index()), rows));
    }
    return chunks;
  }

  private Chunk chunk(Place place, LeafColumn leaf, ColumnChunk chunk, int rows) {
    if (chunk.isSetFile_path()) {
      throw new DataException(place, "it lies in another file, which is not supported");
    }
    ColumnMetaData meta = chunk.getMeta_data();
    if (meta == null || chunk.isSetCrypto_metadata()) {
      throw new DataException(place, "it is encrypted, which is not supported");
    }
    if (meta.getPath_in_schema() != null && !meta.getPath_in_schema().equals(leaf.path())) {
      throw new DataException(place, "its chunk is that of " + meta.getPath_in_schema());
    }
    if (meta.getType() == null || meta.getCodec() == null) {
      throw new DataException(place, "its footer entry has an unknown type or codec");
    }
    if (meta.getType().getValue() != physical(leaf)) {
      throw new DataException(
          place, "its chunk has type " + meta.getType() + ", and the schema " + leaf.physical());
    }
    switch (meta.getCodec()) {
      case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4, LZ4_RAW -> {}
      case BROTLI, LZO ->
          throw new DataException(
              place, "it is compressed with " + meta.getCodec() + ", which is not supported");
    }
    if (leaf.maxDefinition() > MAX_LEVEL) {
      throw new DataException(place, "it is nested more than " + MAX_LEVEL + " levels deep");
    }
    long values = meta.getNum_values();
    boolean possible = leaf.lists().isEmpty() ? values == rows : values >= rows;
    if (!possible || values > Capacity.MAX) {
      throw new DataException(
          place, "its footer entry tells of " + values + " values in " + rows + " rows");
    }
    long position = meta.getData_page_offset();
    if (meta.isSetDictionary_page_offset()
        && meta.getDictionary_page_offset() > 0
        && meta.getDictionary_page_offset() < position) {
      position = meta.getDictionary_page_offset();
    }
    long length = meta.getTotal_compressed_size();
    long end = fileLength - TAIL - footerLength;
    if (position < MAGIC.length || length < 0 || position > end || length > end - position) {
      throw new DataException(
          place,
          "its footer entry places it at byte "
              + position
              + " with "
              + length
              + " bytes, and the data ends at "
              + end);
    }
    if (length > Capacity.MAX) {
      throw new DataException(place, "a chunk must be < 2 GiB: it has " + length + " bytes");
    }
    return new Chunk(
        leaf, meta, (int) values, position, (int) Math.min(length + slack, end - position));
  }

  private static int physical(LeafColumn leaf) {
    return switch (leaf.physical()) {
      case BOOLEAN -> 0;
      case INT32 -> 1;
      case INT64 -> 2;
      case INT96 -> 3;
      case FLOAT -> 4;
      case DOUBLE -> 5;
      case BINARY -> 6;
      case FIXED -> 7;
    };
  }
}
