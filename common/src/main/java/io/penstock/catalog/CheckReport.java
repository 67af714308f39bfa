package io.penstock.catalog;

import io.penstock.catalog.LeafColumn.ListLevel;
import io.penstock.config.CatalogSettings;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.feed.DatasetSpec.Partitions;
import io.penstock.model.ColumnSchema;
import io.penstock.model.DataException;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;

/**
 * Which of some files Penstock can read, by their footers.
 *
 * @param files in the order that a dataset of these paths would have them
 */
public record CheckReport(List<FileReport> files) {
  /**
   * One file.
   *
   * @param path full decoded path
   * @param length in bytes
   * @param rows of all row groups; 0 if it can't be read
   * @param rowGroupRows rows of each row group by ordinal, empty ones included
   * @param columns in the order of the schema, those of types that are not supported included, and
   *     the leaves of a struct after it
   * @param nullable paths of the columns of which a value, an item or a list can be null
   * @param error why it can't be read
   */
  public record FileReport(
      String path,
      long length,
      long rows,
      List<Long> rowGroupRows,
      List<ColumnSchema> columns,
      Set<String> nullable,
      Optional<String> error) {
    public FileReport {
      rowGroupRows = List.copyOf(rowGroupRows);
      columns = List.copyOf(columns);
      nullable = Set.copyOf(nullable);
    }

    /** How many row groups there are, empty ones included; 0 if it can't be read. */
    public int rowGroups() {
      return rowGroupRows.size();
    }

    /** Whether it can be read. */
    public boolean readable() {
      return error.isEmpty();
    }
  }

  public CheckReport {
    files = List.copyOf(files);
  }

  /** Whether all files can be read. */
  public boolean allReadable() {
    return files.stream().allMatch(FileReport::readable);
  }

  /**
   * Looks at every file below the paths that is not hidden, Parquet or not.
   *
   * @param paths files, folders or globs
   * @throws UsageException if a path is missing or has no file, or a file is reached twice
   * @throws UnreachableException if a file system was not reached in time or gave no permission
   */
  public static CheckReport read(
      List<String> paths, Configuration configuration, CatalogSettings settings) {
    DatasetSpec dataset =
        new DatasetSpec(paths, List.of(), Partitions.NONE, Map.of(), BadRowGroup.FAIL, 0);
    try (Storage storage = new Storage(configuration, settings)) {
      return new CheckReport(
          storage.each(
              new DatasetFiles(storage, dataset, "path").list(),
              file -> "reading the footer of " + file.path(),
              file -> report(storage, file.status())));
    }
  }

  private static FileReport report(Storage storage, FileStatus status) throws IOException {
    String path = status.getPath().toString();
    try {
      Footer footer = storage.footer(status);
      return new FileReport(
          path,
          footer.length(),
          footer.rows(),
          footer.rowGroups().stream().map(Footer.RowGroup::rows).toList(),
          footer.columns().distinct(),
          nullable(footer.columns()),
          Optional.empty());
    } catch (DataException e) {
      return unreadable(path, status, e.detail());
    } catch (FileNotFoundException e) {
      return unreadable(path, status, e.getMessage());
    }
  }

  private static Set<String> nullable(ParquetColumns columns) {
    return columns.distinct().stream()
        .flatMap(column -> columns.leaf(column.path()).stream())
        .filter(leaf -> leaf.nullable() || leaf.lists().stream().anyMatch(ListLevel::nullable))
        .map(LeafColumn::name)
        .collect(Collectors.toSet());
  }

  private static FileReport unreadable(String path, FileStatus status, String error) {
    return new FileReport(
        path, status.getLen(), 0, List.of(), List.of(), Set.of(), Optional.of(error));
  }
}
