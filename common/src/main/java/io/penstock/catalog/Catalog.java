package io.penstock.catalog;

import io.penstock.config.CatalogSettings;
import io.penstock.feed.DatasetSpec;
import io.penstock.model.ColumnSchema;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/**
 * What a dataset holds, by its footers alone: its files and their row groups in the order of
 * ORDER.md, without row groups that have no rows.
 *
 * @param files in contract order, those without rows included
 * @param rowGroups in contract order
 * @param schema every column that a feed can ask for: of the first file in its schema's order, then
 *     those of hive folders
 * @param columns the columns of files that were asked for, which every file has
 * @param digest SHA-256 of the catalog's text, 64 hex digits; see {@link #write}
 */
public record Catalog(
    List<CatalogFile> files,
    List<RowGroupInfo> rowGroups,
    List<ColumnSchema> schema,
    List<String> columns,
    String digest) {
  public Catalog {
    files = List.copyOf(files);
    rowGroups = List.copyOf(rowGroups);
    schema = List.copyOf(schema);
    columns = List.copyOf(columns);
    Objects.requireNonNull(digest, "digest");
  }

  /** Chooses, from the columns that there are, those that are to be read. */
  @FunctionalInterface
  public interface Columns {
    /** Paths of columns; those of hive folders may be among them. */
    Collection<String> choose(List<ColumnSchema> schema);
  }

  /**
   * Lists a dataset's files and reads their footers, those of unchanged files from the footer
   * cache.
   *
   * @param columns which columns to check in every file and to count the bytes of
   * @throws UsageException if the dataset is not what the feed says: a path is missing or has no
   *     file, a file is reached twice, is not Parquet or broken, columns or hive folders differ
   *     from file to file, there is no row; several files' errors at once
   * @throws UnreachableException if a file system was not reached in time or gave no permission
   */
  public static Catalog read(
      DatasetSpec dataset, Columns columns, Configuration configuration, CatalogSettings settings) {
    try (Storage storage = new Storage(configuration, settings)) {
      return new CatalogReader(storage, dataset, new FooterCache(dataset, configuration, settings))
          .read(columns);
    }
  }

  static Catalog of(
      List<CatalogFile> files,
      List<RowGroupInfo> rowGroups,
      List<ColumnSchema> schema,
      List<String> columns) {
    return new Catalog(
        files, rowGroups, schema, columns, CatalogText.digest(files, rowGroups, schema, columns));
  }

  /** R, the rows of all row groups. */
  public long rows() {
    if (rowGroups.isEmpty()) {
      return 0;
    }
    RowGroupInfo last = rowGroups.get(rowGroups.size() - 1);
    return last.firstRow() + last.rows();
  }

  /** n_g of every row group, in order. */
  public int[] rowCounts() {
    return rowGroups.stream().mapToInt(RowGroupInfo::rows).toArray();
  }

  /** Where row group {@code index} of the catalog lies. */
  public RowGroupRef ref(int index) {
    RowGroupInfo rowGroup = rowGroups.get(index);
    return new RowGroupRef(index, fileOf(index).path(), rowGroup.ordinal(), rowGroup.rows());
  }

  /** The file of row group {@code index}. */
  public CatalogFile fileOf(int index) {
    return files.get(rowGroups.get(index).file());
  }

  /** Stored bytes of the columns asked for, of all row groups. */
  public long compressedBytes() {
    return rowGroups.stream().mapToLong(RowGroupInfo::compressedBytes).sum();
  }

  /** The same bytes with their pages uncompressed. */
  public long uncompressedBytes() {
    return rowGroups.stream().mapToLong(RowGroupInfo::uncompressedBytes).sum();
  }

  /**
   * Writes the catalog's text, which is JSON in UTF-8, through gzip. {@link #digest} is the SHA-256
   * of the text. The stream stays open.
   */
  public void write(OutputStream out) throws IOException {
    CatalogText.write(this, out);
  }

  /**
   * Reads what {@link #write} wrote. The digest is that of what was read, for the caller to compare
   * with the one it expects. The stream stays open.
   *
   * @throws IOException if it can't be read or is no catalog of a version that is known
   */
  public static Catalog read(InputStream in) throws IOException {
    return CatalogText.read(in);
  }

  @Override
  public String toString() {
    return "catalog of "
        + files.size()
        + " files, "
        + rowGroups.size()
        + " row groups, "
        + rows()
        + " rows, "
        + digest;
  }
}
