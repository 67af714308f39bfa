package io.penstock.catalog;

import io.penstock.model.DataException;
import io.penstock.model.DataException.Place;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.schema.MessageType;

/**
 * The footer of a Parquet file, checked: each row group has a chunk per leaf, in the order of the
 * schema, that lies within the file.
 *
 * <pre>
 *   file      "PAR1" chunks ... footer, its length (int32, little-endian), "PAR1"
 *   encrypted "PARE" at both ends: the footer is encrypted too
 * </pre>
 *
 * @param path the file's full decoded path
 * @param length of the file in bytes
 * @param digest SHA-256 of the footer's bytes, 64 hex digits
 * @param createdBy the writer, if it says so
 * @param rowGroups by ordinal, empty ones included
 */
public record Footer(
    String path,
    long length,
    String digest,
    Optional<String> createdBy,
    MessageType schema,
    ParquetColumns columns,
    List<RowGroup> rowGroups) {
  private static final int MAGIC_LENGTH = 4;
  private static final int TAIL_LENGTH = 8;
  private static final int SMALLEST_FILE = MAGIC_LENGTH + TAIL_LENGTH;

  /** Most footers lie within this many bytes of the end, so that one read is enough. */
  private static final int FIRST_READ = 64 << 10;

  private static final int LONGEST_REASON = 200;

  private static final String EMPTY = "the file is empty";

  private static final String MAGIC = "PAR1";
  private static final String ENCRYPTED_MAGIC = "PARE";

  /** The bytes of a file, by position. */
  @FunctionalInterface
  public interface Bytes {
    /** Reads exactly {@code count} bytes. */
    void readFully(long position, byte[] into, int offset, int count) throws IOException;
  }

  /**
   * A row group.
   *
   * @param rows &gt;= 0
   * @param chunks one per leaf of the schema
   */
  public record RowGroup(int ordinal, long rows, List<Chunk> chunks) {
    public RowGroup {
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * A column chunk.
   *
   * @param codec how pages are compressed
   * @param offset of its first page in the file, a dictionary page or a data page
   * @param compressedBytes of all pages with their headers
   * @param uncompressedBytes the same, pages uncompressed
   * @param values leaf entries, nulls included
   */
  public record Chunk(
      CompressionCodec codec,
      long offset,
      long compressedBytes,
      long uncompressedBytes,
      long values) {}

  public Footer {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(digest, "digest");
    Objects.requireNonNull(createdBy, "createdBy");
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(columns, "columns");
    rowGroups = List.copyOf(rowGroups);
  }

  /** Rows of all row groups. */
  public long rows() {
    return rowGroups.stream().mapToLong(RowGroup::rows).sum();
  }

  /**
   * Reads the footer of a file.
   *
   * @param length of the file, as its file system says
   * @throws DataException if the file is empty, cut short, not Parquet, encrypted, or broken
   * @throws IOException if it can't be read
   */
  public static Footer read(FileSystem fileSystem, Path path, long length) throws IOException {
    return read(fileSystem, path, length, FooterMemory.UNLIMITED);
  }

  static Footer read(FileSystem fileSystem, Path path, long length, FooterMemory memory)
      throws IOException {
    if (length == 0) {
      throw new DataException(Place.of(path.toString()), EMPTY);
    }
    try (FSDataInputStream in = fileSystem.open(path)) {
      return read(path.toString(), length, in::readFully, memory);
    } catch (EOFException e) {
      throw new DataException(
          Place.of(path.toString()),
          "cut short: it has fewer bytes than its folder says, which is " + length,
          e);
    }
  }

  /**
   * Reads the footer of an open file.
   *
   * @param path the file's full decoded path
   * @param length of the file
   * @throws DataException if the file is empty, cut short, not Parquet, encrypted, or broken
   * @throws IOException if it can't be read
   */
  public static Footer read(String path, long length, Bytes bytes) throws IOException {
    return read(path, length, bytes, FooterMemory.UNLIMITED);
  }

  private static Footer read(String path, long length, Bytes bytes, FooterMemory memory)
      throws IOException {
    Place place = Place.of(path);
    if (length == 0) {
      throw new DataException(place, EMPTY);
    }
    int first = (int) Math.min(length, FIRST_READ);
    byte[] tail = new byte[first];
    bytes.readFully(length - first, tail, 0, first);
    long footerLength = footerLength(place, bytes, length, tail);
    FooterMemory.Lease lease = memory.take(footerLength);
    try {
      byte[] footer;
      if (footerLength + TAIL_LENGTH <= first) {
        int from = (int) (first - TAIL_LENGTH - footerLength);
        footer = Arrays.copyOfRange(tail, from, first - TAIL_LENGTH);
      } else {
        footer = new byte[Math.toIntExact(footerLength)];
        bytes.readFully(length - TAIL_LENGTH - footerLength, footer, 0, footer.length);
      }
      return parse(place, length, footer);
    } finally {
      lease.giveBack();
    }
  }

  private static long footerLength(Place place, Bytes bytes, long length, byte[] tail)
      throws IOException {
    String end = magic(tail, tail.length - MAGIC_LENGTH);
    if (length >= MAGIC_LENGTH && end.equals(ENCRYPTED_MAGIC)) {
      throw new DataException(place, "its footer is encrypted");
    }
    byte[] head = new byte[(int) Math.min(length, MAGIC_LENGTH)];
    bytes.readFully(0, head, 0, head.length);
    String begin = magic(head, 0);
    boolean begins = begin.equals(MAGIC);
    if (!end.equals(MAGIC) || length < SMALLEST_FILE) {
      throw new DataException(
          place,
          begins || begin.equals(ENCRYPTED_MAGIC)
              ? "cut short: it begins as a Parquet file but has no footer at its end"
              : "not a Parquet file: it does not begin with " + MAGIC);
    }
    if (!begins) {
      throw new DataException(place, "not a Parquet file: it does not begin with " + MAGIC);
    }
    int footerLength =
        ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt(tail.length - TAIL_LENGTH);
    if (footerLength <= 0 || footerLength > length - SMALLEST_FILE) {
      throw new DataException(
          place,
          "broken footer: it must have from 1 to "
              + (length - SMALLEST_FILE)
              + " bytes but says "
              + footerLength);
    }
    return footerLength;
  }

  private static String magic(byte[] bytes, int at) {
    return at < 0 || bytes.length - at < MAGIC_LENGTH
        ? ""
        : new String(bytes, at, MAGIC_LENGTH, StandardCharsets.ISO_8859_1);
  }

  private static Footer parse(Place place, long length, byte[] bytes) throws DataException {
    FileMetaData meta;
    MessageType schema;
    List<org.apache.parquet.format.RowGroup> groups;
    try {
      meta = Util.readFileMetaData(new ByteArrayInputStream(bytes), messageLimit(bytes));
      groups = meta.getRow_groups() == null ? List.of() : meta.getRow_groups();
      // Only the schema is converted: chunks are taken as they are stored.
      meta.setRow_groups(new ArrayList<>());
      meta.unsetEncryption_algorithm();
      schema =
          new ParquetMetadataConverter().fromParquetMetadata(meta).getFileMetaData().getSchema();
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw new DataException(place, "broken footer: " + reason(e), e);
    }
    List<ColumnDescriptor> leaves = schema.getColumns();
    if (leaves.isEmpty()) {
      throw new DataException(place, "broken footer: the schema has no column");
    }
    List<RowGroup> rowGroups = new ArrayList<>(groups.size());
    Set<List<String>> encrypted = new HashSet<>();
    long dataEnd = length - TAIL_LENGTH - bytes.length;
    for (int ordinal = 0; ordinal < groups.size(); ordinal++) {
      rowGroups.add(
          rowGroup(
              place.inRowGroup(ordinal), ordinal, groups.get(ordinal), leaves, encrypted, dataEnd));
    }
    return new Footer(
        place.file(),
        length,
        Sha256.hex(bytes),
        Optional.ofNullable(meta.getCreated_by()),
        schema,
        ParquetColumns.of(schema, encrypted),
        rowGroups);
  }

  private static RowGroup rowGroup(
      Place place,
      int ordinal,
      org.apache.parquet.format.RowGroup group,
      List<ColumnDescriptor> leaves,
      Set<List<String>> encrypted,
      long dataEnd) {
    if (group.getNum_rows() < 0) {
      throw new DataException(place, "broken footer: rows=" + group.getNum_rows());
    }
    if (group.getColumnsSize() != leaves.size()) {
      throw new DataException(
          place,
          "broken footer: the row group has "
              + group.getColumnsSize()
              + " column chunks but the schema has "
              + leaves.size()
              + " leaves");
    }
    List<Chunk> chunks = new ArrayList<>(leaves.size());
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      org.apache.parquet.format.ColumnChunk stored = group.getColumns().get(leaf);
      List<String> path = List.of(leaves.get(leaf).getPath());
      if (stored.isSetCrypto_metadata() || stored.isSetEncrypted_column_metadata()) {
        encrypted.add(path);
      }
      chunks.add(
          chunk(
              place.inColumn(String.join(".", path)),
              group.getNum_rows(),
              stored,
              leaves.get(leaf),
              encrypted,
              dataEnd));
    }
    return new RowGroup(ordinal, group.getNum_rows(), chunks);
  }

  private static Chunk chunk(
      Place place,
      long rows,
      org.apache.parquet.format.ColumnChunk stored,
      ColumnDescriptor leaf,
      Set<List<String>> encrypted,
      long dataEnd) {
    List<String> path = List.of(leaf.getPath());
    ColumnMetaData meta = stored.getMeta_data();
    if (encrypted.contains(path)) {
      return new Chunk(
          CompressionCodec.UNCOMPRESSED,
          stored.getFile_offset(),
          meta == null ? 0 : meta.getTotal_compressed_size(),
          meta == null ? 0 : meta.getTotal_uncompressed_size(),
          meta == null ? 0 : meta.getNum_values());
    }
    if (stored.isSetFile_path() && !stored.getFile_path().isEmpty()) {
      throw new DataException(
          place,
          "the column chunk lies in another file, which is not supported: "
              + stored.getFile_path());
    }
    if (meta == null || meta.getCodec() == null) {
      throw new DataException(
          place, "broken footer: the column chunk has no metadata or no known codec");
    }
    if (!path.equals(meta.getPath_in_schema())) {
      throw new DataException(
          place,
          "broken footer: the column chunk says that it is of "
              + String.join(".", meta.getPath_in_schema()));
    }
    if (meta.getType() == null || meta.getType().getValue() != typeCode(leaf)) {
      throw new DataException(
          place,
          "broken footer: the column chunk has type "
              + meta.getType()
              + " but the schema says "
              + leaf.getPrimitiveType().getPrimitiveTypeName());
    }
    long dictionary = meta.isSetDictionary_page_offset() ? meta.getDictionary_page_offset() : 0;
    long data = meta.getData_page_offset();
    long offset = dictionary > 0 && dictionary < data ? dictionary : data;
    long compressed = meta.getTotal_compressed_size();
    if (rows > 0
        && (offset < MAGIC_LENGTH
            || compressed < 0
            || meta.getTotal_uncompressed_size() < 0
            || meta.getNum_values() < 0
            || offset > dataEnd
            || compressed > dataEnd - offset)) {
      throw new DataException(
          place,
          "broken footer: the column chunk must lie within the file's data, which ends at "
              + dataEnd
              + ": offset="
              + offset
              + " bytes="
              + compressed
              + " uncompressed="
              + meta.getTotal_uncompressed_size()
              + " values="
              + meta.getNum_values());
    }
    return new Chunk(
        meta.getCodec(),
        offset,
        compressed,
        meta.getTotal_uncompressed_size(),
        meta.getNum_values());
  }

  /** The format's number of a physical type. */
  private static int typeCode(ColumnDescriptor leaf) {
    return switch (leaf.getPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN -> 0;
      case INT32 -> 1;
      case INT64 -> 2;
      case INT96 -> 3;
      case FLOAT -> 4;
      case DOUBLE -> 5;
      case BINARY -> 6;
      case FIXED_LEN_BYTE_ARRAY -> 7;
    };
  }

  /** What a parser says, without the pages that it may print of what it has read. */
  private static String reason(Throwable e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String line = message.lines().findFirst().orElse("");
    return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "...";
  }

  /** Thrift refuses lists that claim to be longer than the whole message, so say how long it is. */
  private static int messageLimit(byte[] bytes) {
    return (int) Math.min(Integer.MAX_VALUE, bytes.length + 1024L);
  }
}
