package io.penstock.catalog;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;

/**
 * A schema that many files share, as a footer without row groups.
 *
 * @param createdBy the writer, if it says so
 * @param columns those of files without encrypted columns
 */
record StoredSchema(Optional<String> createdBy, MessageType message, ParquetColumns columns) {
  private static final int VERSION = 1;

  /** What tells schemas apart. */
  record Key(Optional<String> createdBy, MessageType message) {}

  static StoredSchema of(Footer footer) {
    return new StoredSchema(
        footer.createdBy(), footer.schema(), ParquetColumns.of(footer.schema(), Set.of()));
  }

  Key key() {
    return new Key(createdBy, message);
  }

  byte[] toBytes() throws IOException {
    FileMetaData meta = new FileMetaData(message, Map.of(), createdBy.orElse(null));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writeFileMetaData(
        new ParquetMetadataConverter()
            .toParquetMetadata(VERSION, new ParquetMetadata(meta, List.of())),
        out);
    return out.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws IllegalArgumentException if the bytes are something else
   */
  static StoredSchema read(byte[] bytes) {
    org.apache.parquet.format.FileMetaData meta;
    MessageType message;
    try {
      meta = Util.readFileMetaData(new ByteArrayInputStream(bytes));
      meta.setRow_groups(new ArrayList<>());
      message =
          new ParquetMetadataConverter().fromParquetMetadata(meta).getFileMetaData().getSchema();
    } catch (IOException e) {
      throw new IllegalArgumentException("no footer: " + e.getMessage(), e);
    }
    return new StoredSchema(
        Optional.ofNullable(meta.getCreated_by()), message, ParquetColumns.of(message, Set.of()));
  }

  /** Whether nothing is lost by keeping it. */
  boolean isWhole() {
    try {
      return Objects.equals(read(toBytes()).key(), key());
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
