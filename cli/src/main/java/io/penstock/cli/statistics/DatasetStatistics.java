package io.penstock.cli.statistics;

import io.penstock.catalog.Catalog;
import io.penstock.catalog.RowGroupInfo;
import io.penstock.config.DecodeSettings.PageChecksums;
import io.penstock.config.Settings;
import io.penstock.container.decode.FooterCache;
import io.penstock.container.decode.ParquetRowGroups;
import io.penstock.container.decode.RowGroupChunks;
import io.penstock.container.decode.RowGroupDecoder;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.ordered.Allowance;
import io.penstock.container.ordered.Budget;
import io.penstock.container.ordered.OrderedStage;
import io.penstock.container.ordered.Reservation;
import io.penstock.container.ordered.Result;
import io.penstock.container.ordered.Source;
import io.penstock.container.ordered.StageSettings;
import io.penstock.container.ordered.Work;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import io.penstock.feed.PartitionType;
import io.penstock.feed.Scalar;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DataException;
import io.penstock.model.DataException.Place;
import io.penstock.model.RowGroupRef;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads a dataset once, by the fetch threads and the ordered stage of a job.
 *
 * <p>Workers make statistics of whole row groups; the stage hands them out in catalog order, and in
 * that order they are combined. So who worked on what, and how many there were, is nowhere in the
 * result.
 */
public final class DatasetStatistics {
  /**
   * A column to read.
   *
   * @param distinctLimit most different values to tell apart, &gt;= 0
   * @param partition its type if it comes from hive folders
   */
  public record Wanted(String path, int distinctLimit, Optional<PartitionType> partition) {}

  /** What to do about a row group that can't be decoded. */
  public enum BadRowGroups {
    FAIL,
    LEAVE_OUT
  }

  /**
   * What was found.
   *
   * @param columns in the order asked for
   * @param rowGroups that were read
   * @param leftOut why row groups were left out
   */
  public record Found(
      Map<String, ColumnStatistics> columns, long rows, long rowGroups, List<String> leftOut) {
    public Found {
      columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
      leftOut = List.copyOf(leftOut);
    }
  }

  /** Of one row group, or why there are none. */
  private record Part(long rows, List<ColumnStatistics> columns, Optional<String> failure) {}

  private final Catalog catalog;
  private final List<Wanted> wanted;
  private final List<String> fileColumns;
  private final Settings settings;
  private final BadRowGroups badRowGroups;
  private final Fetcher fetcher;
  private final ParquetRowGroups files;
  private final Set<Fetch<RowGroupChunks>> started = ConcurrentHashMap.newKeySet();

  private DatasetStatistics(
      Catalog catalog,
      List<Wanted> wanted,
      Settings settings,
      BadRowGroups badRowGroups,
      Fetcher fetcher) {
    this.catalog = catalog;
    this.wanted = List.copyOf(wanted);
    this.fileColumns =
        wanted.stream().filter(w -> w.partition().isEmpty()).map(Wanted::path).toList();
    this.settings = settings;
    this.badRowGroups = badRowGroups;
    this.fetcher = fetcher;
    this.files =
        new ParquetRowGroups(new FooterCache(settings.decode().footerBytes()), fetcher.settings());
  }

  /**
   * Reads the columns.
   *
   * @param catalog whose sizes are those of the columns asked for
   * @param threads that decode, &gt;= 1
   * @throws DataException if a row group can't be decoded and none may be left out
   * @throws io.penstock.model.UnreachableException if storage failed
   */
  public static Found read(
      Catalog catalog,
      List<Wanted> wanted,
      int threads,
      BadRowGroups badRowGroups,
      Configuration configuration,
      Settings settings) {
    try (Fetcher fetcher = new Fetcher(configuration, settings.fetch())) {
      return new DatasetStatistics(catalog, wanted, settings, badRowGroups, fetcher).read(threads);
    }
  }

  private Found read(int threads) {
    StageSettings stage =
        new StageSettings(
            "statistics",
            threads,
            settings.load().queue(),
            settings.load().readAhead(),
            settings.load().workTimeout(),
            settings.container().closeTimeout());
    try (OrderedStage<Item, Part> parts =
        new OrderedStage<>(
            stage,
            new Items(),
            Allowance.of(Budget.ofBytes(budget()), item -> peakBytes(item.index)),
            worker -> new Reading(),
            SystemClock.INSTANCE)) {
      parts.start();
      return combined(parts);
    }
  }

  private Found combined(OrderedStage<Item, Part> parts) {
    Map<String, ColumnStatistics> columns = new LinkedHashMap<>();
    List<String> leftOut = new ArrayList<>();
    long rows = 0;
    long rowGroups = 0;
    for (Optional<Result<Part>> next = parts.take(); next.isPresent(); next = parts.take()) {
      try (Result<Part> result = next.get()) {
        Part part = result.value();
        if (part.failure().isPresent()) {
          leftOut.add(part.failure().get());
          continue;
        }
        rows += part.rows();
        rowGroups++;
        for (int c = 0; c < wanted.size(); c++) {
          ColumnStatistics one = part.columns().get(c);
          ColumnStatistics so = columns.putIfAbsent(wanted.get(c).path(), one);
          if (so != null) {
            so.addAll(one);
          }
        }
      }
    }
    return new Found(columns, rows, rowGroups, leftOut);
  }

  /** Half of the heap, or what the largest row group takes. */
  private long budget() {
    long largest = 1;
    for (int index = 0; index < catalog.rowGroups().size(); index++) {
      largest = Math.max(largest, peakBytes(index));
    }
    return Math.max(largest, Runtime.getRuntime().maxMemory() / 2);
  }

  private long peakBytes(int index) {
    RowGroupInfo rowGroup = catalog.rowGroups().get(index);
    return rowGroup.compressedBytes() + rowGroup.decodedBytes();
  }

  /** A row group on its way. */
  private final class Item implements AutoCloseable {
    private final int index;
    // Written by the admission thread before the item is handed out.
    private Fetch<RowGroupChunks> fetch;

    Item(int index) {
      this.index = index;
    }

    RowGroupRef rowGroup() {
      return catalog.ref(index);
    }

    /** For an item that nobody will work on. */
    @Override
    public void close() {
      if (fetch != null) {
        fetch.cancel();
      }
    }

    @Override
    public String toString() {
      return "row group " + rowGroup().ordinal() + " of " + rowGroup().path();
    }
  }

  private final class Items implements Source<Item> {
    private int next;

    @Override
    public Item next() {
      return next == catalog.rowGroups().size() ? null : new Item(next++);
    }

    @Override
    public void admitted(Item item) {
      RowGroupRef rowGroup = item.rowGroup();
      item.fetch =
          fetcher.start(
              rowGroup.path(),
              "row group " + rowGroup.ordinal(),
              bytes -> files.fetch(bytes, rowGroup, fileColumns));
      started.add(item.fetch);
    }

    @Override
    public void stop() {
      started.forEach(Fetch::cancel);
    }
  }

  private final class Reading implements Work<Item, Part> {
    private final RowGroupDecoder decoder =
        new RowGroupDecoder(
            settings.decode().pageChecksums() == PageChecksums.VERIFIED
                ? Checksums.VERIFY
                : Checksums.IGNORE);
    private final ColumnReader reader = new ColumnReader();

    @Override
    public Part apply(Item item, Reservation held) {
      RowGroupRef rowGroup = item.rowGroup();
      try (RowGroupDecoder.Opened decoded = decoder.open(item.fetch.await())) {
        List<ColumnStatistics> statistics = new ArrayList<>();
        int file = 0;
        for (Wanted one : wanted) {
          Column column =
              one.partition().isPresent()
                  ? partition(one, one.partition().get(), item)
                  : decoded.decode(file++, 0);
          statistics.add(reader.read(column, one.distinctLimit()));
        }
        return new Part(rowGroup.rows(), statistics, Optional.empty());
      } catch (DataException e) {
        if (badRowGroups == BadRowGroups.FAIL) {
          throw e;
        }
        return new Part(0, List.of(), Optional.of(e.getMessage()));
      } finally {
        started.remove(item.fetch);
      }
    }

    /** A hive column is a dictionary of one entry. */
    private Column partition(Wanted one, PartitionType type, Item item) {
      int rows = item.rowGroup().rows();
      Optional<String> text = catalog.fileOf(item.index).partitions().get(one.path());
      Optional<Scalar> value = text.flatMap(type::parse);
      if (text.isPresent() && value.isEmpty()) {
        throw new DataException(
            Place.of(item.rowGroup().path()).inColumn(one.path()),
            "must be of partition type " + type.text() + ": " + text.get());
      }
      Values entry = new Values.Longs(new long[1]);
      if (type.type().kind() == Kind.BYTES) {
        byte[] bytes = text.orElse("").getBytes(StandardCharsets.UTF_8);
        entry = new Values.Bytes(bytes, new int[] {0, bytes.length});
      } else if (value.orElse(null) instanceof Scalar.FloatScalar real) {
        entry = new Values.Doubles(new double[] {real.value()});
      } else if (value.orElse(null) instanceof Scalar.IntegerScalar whole) {
        entry = new Values.Longs(new long[] {whole.value().longValue()});
      }
      return Column.scalar(
          type.type(),
          rows,
          new Values.Dictionary(entry, 1, new int[rows]),
          text.isPresent() ? null : new boolean[rows]);
    }

    @Override
    public void close() {
      decoder.close();
    }
  }
}
