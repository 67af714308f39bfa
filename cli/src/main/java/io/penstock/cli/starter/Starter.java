package io.penstock.cli.starter;

import io.penstock.catalog.Catalog;
import io.penstock.catalog.CheckReport;
import io.penstock.catalog.CheckReport.FileReport;
import io.penstock.cli.console.Amounts;
import io.penstock.cli.dataset.DatasetPaths;
import io.penstock.config.DecodeSettings.PageChecksums;
import io.penstock.config.Settings;
import io.penstock.container.MemoryNeed;
import io.penstock.container.PreparedFeed;
import io.penstock.container.decode.FooterCache;
import io.penstock.container.decode.ParquetRowGroups;
import io.penstock.container.decode.RowGroupDecoder;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.tensors.Column;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.feed.DatasetSpec.Partitions;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.feed.PartitionType;
import io.penstock.model.ColumnSchema;
import io.penstock.model.ColumnType;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Makes the text of a starter feed.
 *
 * <h2>How</h2>
 *
 * All footers say which columns every file has with one type. The first row group is decoded by the
 * classes of a job, a few columns at a time, and each column leaves a {@link ColumnSample}. From
 * these {@link TensorText} proposes tensors. Lanes, window and batch follow from the row groups and
 * from what a row takes; they shrink until a single rank has room for them. The result is parsed
 * and bound as any feed before anybody sees it.
 */
public final class Starter {
  private static final int COLUMNS_AT_A_TIME = 4;
  private static final int WINDOW = 8;
  private static final int MOST_LANES = 64;
  private static final int MOST_BATCH = 4096;
  private static final long BATCH_BYTES = 32L << 20;

  /** An epoch has at least that many steps, if it has that many rows. */
  private static final int STEPS = 8;

  private final List<String> paths;
  private final Configuration configuration;
  private final Settings settings;
  private final Map<String, String> unused = new LinkedHashMap<>();

  private Starter(List<String> paths, Configuration configuration, Settings settings) {
    this.paths = paths;
    this.configuration = configuration;
    this.settings = settings;
  }

  /**
   * A starter feed.
   *
   * @param text of the feed file
   * @param unused columns that no tensor has, and why
   */
  public record Proposal(String text, Feed feed, Map<String, String> unused) {
    public Proposal {
      Objects.requireNonNull(text, "text");
      Objects.requireNonNull(feed, "feed");
    }
  }

  /**
   * Reads footers and the first row group.
   *
   * @throws UsageException if the paths are no dataset, or no column can be used
   */
  public static Proposal propose(
      List<String> paths, Configuration configuration, Settings settings) {
    return DatasetPaths.hinted(
        paths, configuration, () -> new Starter(paths, configuration, settings).propose());
  }

  private record Candidate(int lanes, int window) {}

  private Proposal propose() {
    CheckReport report = CheckReport.read(paths, configuration, settings.catalog());
    refuseUnreadable(report);
    Map<String, ColumnSchema> usable = usable(report);
    Catalog catalog = catalog(usable.keySet());
    Set<String> nullable = new HashSet<>();
    report.files().forEach(file -> nullable.addAll(file.nullable()));
    List<ColumnSample> samples = new ArrayList<>(sample(catalog, usable.keySet(), nullable));
    Map<String, PartitionType> partitions = new LinkedHashMap<>();
    for (ColumnSchema column : catalog.schema()) {
      if (column.partition()) {
        PartitionType type = partitionType(column.path(), catalog);
        partitions.put(column.path(), type);
        samples.add(partition(column.path(), type, catalog));
      }
    }
    boolean whole = catalog.rowGroups().size() == 1;
    TensorText tensors = new TensorText(catalog.rows(), whole);
    tensors.propose(samples);
    unused.putAll(tensors.unused());
    if (tensors.lines().isEmpty()) {
      throw new UsageException(
          "no column can be used: "
              + unused.entrySet().stream()
                  .map(entry -> entry.getKey() + ": " + entry.getValue())
                  .reduce((a, b) -> a + "; " + b)
                  .orElse("the dataset has none"));
    }
    return ordered(catalog, partitions, tensors.lines());
  }

  private static void refuseUnreadable(CheckReport report) {
    List<String> errors =
        report.files().stream()
            .filter(file -> !file.readable())
            .limit(10)
            .map(file -> file.path() + " can't be read: " + file.error().orElseThrow())
            .toList();
    if (!errors.isEmpty()) {
      throw new UsageException(errors);
    }
  }

  /** The columns that every file has with one type, in the first file's order. */
  private Map<String, ColumnSchema> usable(CheckReport report) {
    FileReport first = report.files().get(0);
    Map<String, ColumnSchema> usable = new LinkedHashMap<>();
    Map<String, String> declared = new LinkedHashMap<>();
    Set<String> twice = new HashSet<>();
    for (ColumnSchema column : first.columns()) {
      if (usable.containsKey(column.path()) || declared.containsKey(column.path())) {
        twice.add(column.path());
      } else if (column.type().isPresent()) {
        usable.put(column.path(), column);
      } else {
        declared.put(column.path(), column.declared());
      }
    }
    twice.forEach(
        path -> {
          usable.remove(path);
          declared.remove(path);
          unused.put(path, "both a top-level column and the path of a nested one");
        });
    declared.forEach(
        (path, type) -> {
          boolean byParts = usable.keySet().stream().anyMatch(p -> p.startsWith(path + "."));
          unused.put(
              path,
              byParts
                  ? type + "; its parts are taken one by one"
                  : type + ", which is not supported");
        });
    Set<String> inFirst =
        first.columns().stream().map(ColumnSchema::path).collect(Collectors.toSet());
    for (FileReport file : report.files()) {
      Map<String, ColumnSchema> there = new HashMap<>();
      for (ColumnSchema column : file.columns()) {
        there.put(column.path(), column);
        if (!inFirst.contains(column.path())) {
          unused.putIfAbsent(column.path(), "not in file " + first.path());
        }
      }
      usable
          .values()
          .removeIf(
              column -> {
                Optional<String> difference = difference(column, there.get(column.path()));
                difference.ifPresent(
                    text -> unused.put(column.path(), text + " in file " + file.path()));
                return difference.isPresent();
              });
    }
    return usable;
  }

  private static Optional<String> difference(ColumnSchema first, ColumnSchema other) {
    if (other == null) {
      return Optional.of("not");
    }
    boolean floats = first.type().orElseThrow().kind() == ColumnType.Kind.FLOAT;
    boolean same =
        first.type().equals(other.type()) && (!floats || first.declared().equals(other.declared()));
    return same
        ? Optional.empty()
        : Optional.of(first.declared() + " in the first file, but " + other.declared());
  }

  /** With hive folders as columns, if that can be. */
  private Catalog catalog(Collection<String> columns) {
    try {
      return read(Partitions.HIVE, columns);
    } catch (UsageException e) {
      return read(Partitions.NONE, columns);
    }
  }

  private Catalog read(Partitions partitions, Collection<String> columns) {
    DatasetSpec dataset =
        new DatasetSpec(paths, List.of(), partitions, Map.of(), BadRowGroup.FAIL, 0);
    return Catalog.read(dataset, schema -> columns, configuration, settings.catalog());
  }

  private List<ColumnSample> sample(
      Catalog catalog, Collection<String> columns, Set<String> nullable) {
    RowGroupRef rowGroup = catalog.ref(0);
    ParquetRowGroups rowGroups =
        new ParquetRowGroups(new FooterCache(settings.decode().footerBytes()), settings.fetch());
    Checksums checksums =
        settings.decode().pageChecksums() == PageChecksums.VERIFIED
            ? Checksums.VERIFY
            : Checksums.IGNORE;
    List<ColumnSample> samples = new ArrayList<>();
    List<String> all = List.copyOf(columns);
    try (Fetcher fetcher = new Fetcher(configuration, settings.fetch());
        RowGroupDecoder decoder = new RowGroupDecoder(checksums)) {
      Reading reading =
          some ->
              decoder.decode(
                  fetcher
                      .start(
                          rowGroup.path(),
                          "row group " + rowGroup.ordinal() + ", columns " + some,
                          bytes -> rowGroups.fetch(bytes, rowGroup, some))
                      .await());
      for (int from = 0; from < all.size(); from += COLUMNS_AT_A_TIME) {
        List<String> some = all.subList(from, Math.min(from + COLUMNS_AT_A_TIME, all.size()));
        samples.addAll(sample(some, reading, nullable));
      }
    }
    return samples;
  }

  /** Decodes columns of the first row group. */
  private interface Reading {
    List<Column> decode(List<String> columns);
  }

  /** Samples of those that can be decoded; one that can't is no reason to give up the others. */
  private List<ColumnSample> sample(List<String> columns, Reading reading, Set<String> nullable) {
    List<ColumnSample> samples = new ArrayList<>();
    try {
      List<Column> decoded = reading.decode(columns);
      for (int c = 0; c < columns.size(); c++) {
        String path = columns.get(c);
        samples.add(ColumnSample.of(path, nullable.contains(path), decoded.get(c)));
      }
    } catch (DataException e) {
      if (columns.size() == 1) {
        unused.put(columns.get(0), e.detail());
        return List.of();
      }
      samples.clear();
      for (String column : columns) {
        samples.addAll(sample(List.of(column), reading, nullable));
      }
    }
    return samples;
  }

  private static PartitionType partitionType(String key, Catalog catalog) {
    boolean numbers =
        catalog.files().stream()
            .flatMap(file -> file.partitions().get(key).stream())
            .allMatch(value -> value.matches("0|-?[1-9][0-9]{0,17}"));
    return numbers ? PartitionType.INT64 : PartitionType.STRING;
  }

  /** A hive column: its values are known without reading a row. */
  private static ColumnSample partition(String key, PartitionType type, Catalog catalog) {
    Set<String> distinct = new LinkedHashSet<>();
    boolean nulls = false;
    for (var file : catalog.files()) {
      Optional<String> value = file.partitions().get(key);
      value.ifPresent(distinct::add);
      nulls |= value.isEmpty();
    }
    boolean text = type == PartitionType.STRING;
    return new ColumnSample(
        key,
        type.type(),
        nulls,
        catalog.rowGroups().get(0).rows(),
        0,
        0,
        distinct.size(),
        text ? Optional.of(distinct.stream().sorted().toList()) : Optional.empty(),
        text ? Optional.of(new Payload.Text()) : Optional.empty(),
        List.of());
  }

  /** Finds lanes, window and batch, and puts it all together. */
  private Proposal ordered(
      Catalog catalog, Map<String, PartitionType> partitions, List<String> tensors) {
    Proposal proposal = null;
    int rowGroups = catalog.rowGroups().size();
    for (Candidate candidate : candidates(rowGroups)) {
      int most = powerOfTwo(Math.max(1, catalog.rows() / STEPS));
      int batch = Math.max(candidate.lanes(), Math.min(MOST_BATCH, most));
      PreparedFeed prepared = null;
      while (true) {
        String text = text(catalog, partitions, tensors, candidate, batch);
        Feed feed = FeedParser.parse(text, "feed.yaml", Starter::refuseFile);
        prepared = PreparedFeed.of(feed, catalogOf(feed, catalog));
        proposal = new Proposal(text, feed, unused);
        boolean small = batch * prepared.bound().rowBytes() <= BATCH_BYTES;
        if (batch <= candidate.lanes() || (small && prepared.plan().steps() > 0)) {
          break;
        }
        batch /= 2;
      }
      if (prepared.plan().steps() > 0 && fits(prepared)) {
        return proposal;
      }
    }
    return proposal;
  }

  /** The best first. */
  private static List<Candidate> candidates(int rowGroups) {
    List<Candidate> candidates = new ArrayList<>();
    int most = Math.min(MOST_LANES, powerOfTwo(Math.max(1, rowGroups / WINDOW)));
    for (int lanes = most; lanes >= 1; lanes /= 2) {
      candidates.add(new Candidate(lanes, WINDOW));
    }
    for (int window = WINDOW / 2; window >= 1; window /= 2) {
      candidates.add(new Candidate(1, window));
    }
    return candidates;
  }

  /** The largest power of two that is not greater. */
  private static int powerOfTwo(long number) {
    return (int) Math.min(1 << 30, Long.highestOneBit(number));
  }

  private boolean fits(PreparedFeed prepared) {
    double share = settings.container().heapShare();
    long heap =
        Math.min(
            Runtime.getRuntime().maxMemory(), (long) (settings.container().memoryBytes() * share));
    try {
      MemoryNeed.of(prepared, 1, heap, settings);
      return true;
    } catch (UsageException e) {
      return false;
    }
  }

  private static byte[] refuseFile(String path) throws IOException {
    throw new IOException("a starter feed names no files: " + path);
  }

  /** The catalog with the hive columns as the feed types them. */
  private static Catalog catalogOf(Feed feed, Catalog catalog) {
    List<ColumnSchema> schema =
        catalog.schema().stream()
            .map(column -> column.partition() ? typed(column, feed) : column)
            .toList();
    return new Catalog(
        catalog.files(), catalog.rowGroups(), schema, catalog.columns(), catalog.digest());
  }

  private static ColumnSchema typed(ColumnSchema column, Feed feed) {
    PartitionType type =
        feed.dataset().partitionTypes().getOrDefault(column.path(), PartitionType.STRING);
    return new ColumnSchema(column.path(), true, Optional.of(type.type()), type.text(), true);
  }

  private String text(
      Catalog catalog,
      Map<String, PartitionType> partitions,
      List<String> tensors,
      Candidate candidate,
      int batch) {
    List<String> lines = new ArrayList<>();
    lines.add("# A starter feed, made by `penstock init` from the schema and the first row group:");
    lines.add(
        "# %s of %s rows in %s row groups. Read it through; nothing in it is more than a proposal."
            .formatted(
                Amounts.count(catalog.rowGroups().get(0).rows()),
                Amounts.count(catalog.rows()),
                Amounts.count(catalog.rowGroups().size())));
    lines.add("penstock: 1");
    lines.add("dataset:");
    lines.add("  paths: " + Yaml.list(paths, "  "));
    if (!partitions.isEmpty()) {
      lines.add("  partitions: hive    # key=value folders are columns");
      List<String> whole =
          partitions.keySet().stream()
              .filter(key -> partitions.get(key) != PartitionType.STRING)
              .map(key -> Yaml.text(key) + ": " + partitions.get(key).text())
              .toList();
      if (!whole.isEmpty()) {
        lines.add("  partition_types: {" + String.join(", ", whole) + "}");
      }
    }
    lines.add("order:");
    lines.add("  seed: 42    # another seed is another order");
    lines.add(
        "  lanes: %d    # sub-streams of the run; ranks share them, so at least as many as ranks"
            .formatted(candidate.lanes()));
    lines.add("  batch: %d    # rows of the global batch, a multiple of lanes".formatted(batch));
    if (candidate.window() != WINDOW) {
      lines.add(
          "  window: %d    # row groups whose rows are mixed; more did not fit in memory"
              .formatted(candidate.window()));
    }
    lines.add("tensors:");
    lines.addAll(tensors);
    if (!unused.isEmpty()) {
      lines.add("# Not used:");
      unused.forEach((path, why) -> lines.add("#   " + Yaml.text(path) + ": " + oneLine(why)));
    }
    return String.join("\n", lines) + "\n";
  }

  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ");
  }
}
