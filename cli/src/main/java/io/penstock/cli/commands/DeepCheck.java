package io.penstock.cli.commands;

import io.penstock.catalog.CheckReport.FileReport;
import io.penstock.config.Settings;
import io.penstock.container.decode.FooterCache;
import io.penstock.container.decode.ParquetRowGroups;
import io.penstock.container.decode.RowGroupChunks;
import io.penstock.container.decode.RowGroupDecoder;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.Fetcher;
import io.penstock.model.ColumnSchema;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Reads and decodes every page of every column of a supported type, by the classes of a job. */
final class DeepCheck implements AutoCloseable {
  private static final int COLUMNS_AT_A_TIME = 4;
  private static final int AHEAD = 2;

  private final Fetcher fetcher;
  private final ParquetRowGroups rowGroups;
  private final RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY);

  DeepCheck(Configuration configuration, Settings settings) {
    this.fetcher = new Fetcher(configuration, settings.fetch());
    this.rowGroups =
        new ParquetRowGroups(new FooterCache(settings.decode().footerBytes()), settings.fetch());
  }

  /** Some columns of a row group; only a few such parts are held at a time. */
  private record Part(RowGroupRef rowGroup, List<String> columns) {}

  /**
   * Decodes a file that can be read by its footer.
   *
   * @return the file, with what is wrong with its content if anything is
   * @throws io.penstock.model.UnreachableException if storage failed
   */
  FileReport check(FileReport file) {
    Iterator<Part> parts = parts(file).iterator();
    Deque<Fetch<RowGroupChunks>> started = new ArrayDeque<>();
    try {
      while (true) {
        while (started.size() < AHEAD && parts.hasNext()) {
          started.add(start(parts.next()));
        }
        if (started.isEmpty()) {
          return file;
        }
        decode(started.remove().await());
      }
    } catch (DataException e) {
      return unreadable(file, e);
    } finally {
      started.forEach(Fetch::cancel);
    }
  }

  /** Decodes one column after the other: nobody looks at their values. */
  private void decode(RowGroupChunks fetched) {
    try (RowGroupDecoder.Opened columns = decoder.open(fetched)) {
      for (int k = 0; k < columns.size(); k++) {
        columns.decode(k, 0);
      }
    }
  }

  private Fetch<RowGroupChunks> start(Part part) {
    return fetcher.start(
        part.rowGroup().path(),
        "row group " + part.rowGroup().ordinal() + ", columns " + part.columns(),
        bytes -> rowGroups.fetch(bytes, part.rowGroup(), part.columns()));
  }

  private static List<Part> parts(FileReport file) {
    List<String> columns =
        file.columns().stream()
            .filter(column -> column.type().isPresent())
            .map(ColumnSchema::path)
            .toList();
    List<Part> parts = new ArrayList<>();
    for (int ordinal = 0; ordinal < file.rowGroups(); ordinal++) {
      int rows = Math.toIntExact(file.rowGroupRows().get(ordinal));
      if (rows > 0) {
        RowGroupRef rowGroup = new RowGroupRef(ordinal, file.path(), ordinal, rows);
        for (int from = 0; from < columns.size(); from += COLUMNS_AT_A_TIME) {
          int to = Math.min(from + COLUMNS_AT_A_TIME, columns.size());
          parts.add(new Part(rowGroup, columns.subList(from, to)));
        }
      }
    }
    return parts;
  }

  private static FileReport unreadable(FileReport file, DataException e) {
    StringBuilder where = new StringBuilder();
    e.place().rowGroup().ifPresent(ordinal -> where.append("row group ").append(ordinal));
    if (!e.place().column().isEmpty()) {
      where.append(where.isEmpty() ? "" : ", ").append("column ").append(e.place().column());
    }
    return new FileReport(
        file.path(),
        file.length(),
        file.rows(),
        file.rowGroupRows(),
        file.columns(),
        file.nullable(),
        Optional.of(where.isEmpty() ? e.detail() : where + ": " + e.detail()));
  }

  @Override
  public void close() {
    try {
      fetcher.close();
    } finally {
      decoder.close();
    }
  }
}
