package io.penstock.cli.commands;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.penstock.catalog.Catalog;
import io.penstock.cli.console.Amounts;
import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.console.Table;
import io.penstock.cli.dataset.DatasetPaths;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.cli.statistics.ColumnStatistics;
import io.penstock.cli.statistics.DatasetStatistics;
import io.penstock.cli.statistics.DatasetStatistics.BadRowGroups;
import io.penstock.cli.statistics.DatasetStatistics.Found;
import io.penstock.cli.statistics.DatasetStatistics.Wanted;
import io.penstock.config.Settings;
import io.penstock.feed.BoundColumn;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.BoundTensor;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.feed.Feed;
import io.penstock.feed.Op;
import io.penstock.feed.PartitionType;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Learns what `standardize` and `vocabulary` need from the data. */
@CommandLine.Command(
    description = {
      "Reads the columns of a feed once and writes their mean, standard deviation, least and"
          + " greatest value, share of nulls and number of different values as JSON, for"
          + " standardize: {file: ..}, and the vocabularies that its ops name as text files beside it.",
      "All are of the columns' values as the files have them, before any op. The files that the"
          + " feed names need not be there yet. The result is the same for every number of threads.",
      ""
    })
final class StatsCommand implements Command {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final int MOST_THREADS = 1024;
  private static final double EXACT_WHOLE = 0x1p53;

  @Option(names = "--feed", required = true, paramLabel = "FILE", description = "The feed file.")
  private String feed;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where to write the statistics; vocabularies go into the same folder.")
  private Path out;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that decode; the processors of this machine unless given.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--distinct",
      paramLabel = "N",
      description = "Count different values up to N; 10000 unless given.")
  private int distinct = 10_000;

  @Option(
      names = "--vocabulary",
      paramLabel = "N",
      description = "Most values of a vocabulary; 1000000 unless given.")
  private int vocabulary = 1_000_000;

  @Option(names = "--force", description = "Overwrite files that are there.")
  private boolean force;

  @Option(names = "--json", description = "Print the statistics as JSON too.")
  private boolean json;

  /** A vocabulary to write: the columns that share it. */
  private record Planned(NewFile file, List<String> columns) {}

  @Override
  public ExitCode run(CommandContext context) {
    check();
    NewFile statistics = new NewFile(out, "--out", force);
    statistics.check();
    Configuration configuration = context.configuration();
    Settings settings = context.settings();
    FeedFile file = FeedFile.read(feed, UnlearntFeed.NOTHING_LEARNT, configuration, settings);
    AtomicReference<BoundFeed> bound = new AtomicReference<>();
    DatasetSpec dataset = file.feed().dataset();
    Catalog catalog =
        DatasetPaths.hinted(
            dataset.paths(),
            configuration,
            () ->
                Catalog.read(
                    dataset,
                    schema -> {
                      bound.set(UnlearntFeed.bind(file.feed(), file.text(), schema));
                      return List.copyOf(columns(bound.get()).keySet());
                    },
                    configuration,
                    settings.catalog()));
    Map<String, BoundColumn> columns = columns(bound.get());
    if (columns.isEmpty()) {
      throw new UsageException(
          "the feed has only columns that are decoded, which have no statistics");
    }
    List<Planned> planned = vocabularies(bound.get());
    planned.forEach(one -> one.file().check());
    Found found =
        DatasetStatistics.read(
            catalog,
            wanted(columns, planned, file.feed()),
            threads,
            dataset.badRowGroup() == BadRowGroup.FAIL ? BadRowGroups.FAIL : BadRowGroups.LEAVE_OUT,
            configuration,
            settings);
    write(context.console(), statistics, planned, found);
    return ExitCode.DONE;
  }

  private void check() {
    if (threads < 1 || threads > MOST_THREADS) {
      throw new UsageException("must be >= 1 and <= " + MOST_THREADS + ": --threads=" + threads);
    }
    if (distinct < 0) {
      throw new UsageException("must be >= 0: --distinct=" + distinct);
    }
    if (vocabulary < 1) {
      throw new UsageException("must be >= 1: --vocabulary=" + vocabulary);
    }
  }

  /** The feed's columns but those that are decoded, each once. */
  private static Map<String, BoundColumn> columns(BoundFeed bound) {
    Map<String, BoundColumn> columns = new LinkedHashMap<>();
    for (BoundTensor tensor : bound.tensors()) {
      for (BoundColumn column : tensor.columns()) {
        boolean decoded =
            column.ops().stream()
                .anyMatch(op -> op instanceof Op.DecodeNpy || op instanceof Op.DecodeImage);
        if (!decoded) {
          columns.putIfAbsent(column.path(), column);
        }
      }
    }
    return columns;
  }

  /** One for each file that a vocabulary op names. */
  private List<Planned> vocabularies(BoundFeed bound) {
    Map<String, Set<String>> columnsByFile = new LinkedHashMap<>();
    for (BoundTensor tensor : bound.tensors()) {
      for (BoundColumn column : tensor.columns()) {
        for (Op op : column.ops()) {
          if (op instanceof Op.Vocabulary learnt && learnt.file().isPresent()) {
            columnsByFile
                .computeIfAbsent(learnt.file().get(), path -> new LinkedHashSet<>())
                .add(column.path());
          }
        }
      }
    }
    Map<Path, String> takenBy = new LinkedHashMap<>();
    List<Planned> planned = new ArrayList<>();
    columnsByFile.forEach(
        (named, columns) -> {
          Path path = out.resolveSibling(named.substring(named.lastIndexOf('/') + 1));
          String other = takenBy.putIfAbsent(path, named);
          if (other != null || path.equals(out)) {
            throw new UsageException(
                "%s and %s would be the same file: %s"
                    .formatted(other == null ? "--out" : other, named, path));
          }
          planned.add(new Planned(new NewFile(path, "vocabulary", force), List.copyOf(columns)));
        });
    return planned;
  }

  private List<Wanted> wanted(Map<String, BoundColumn> columns, List<Planned> planned, Feed file) {
    Set<String> inVocabulary = new LinkedHashSet<>();
    planned.forEach(one -> inVocabulary.addAll(one.columns()));
    return columns.values().stream()
        .map(
            column ->
                new Wanted(
                    column.path(),
                    inVocabulary.contains(column.path())
                        ? Math.max(vocabulary, distinct)
                        : distinct,
                    column.partition()
                        ? Optional.of(
                            file.dataset()
                                .partitionTypes()
                                .getOrDefault(column.path(), PartitionType.STRING))
                        : Optional.empty()))
        .toList();
  }

  private void write(Console console, NewFile statistics, List<Planned> planned, Found found) {
    List<VocabularyFile> vocabularies =
        planned.stream()
            .map(one -> VocabularyFile.of(found.columns(), one.columns(), vocabulary))
            .toList();
    Map<String, Object> all = json(found);
    for (int i = 0; i < planned.size(); i++) {
      VocabularyFile one = vocabularies.get(i);
      planned.get(i).file().write(one.text());
      console.print(
          "written to %s: %s values of %s"
              .formatted(
                  planned.get(i).file().path(),
                  Amounts.count(one.values()),
                  String.join(", ", planned.get(i).columns())));
      if (one.leftOut() > 0) {
        console.note(
            "left out: %s values that no line of a text file can hold"
                .formatted(Amounts.count(one.leftOut())));
      }
    }
    statistics.write(text(all) + "\n");
    console.print("written to " + out);
    found.leftOut().forEach(reason -> console.note("left out: " + reason));
    if (console.format() == Format.JSON) {
      console.json(all);
    } else {
      table(found).lines().forEach(console::print);
    }
  }

  private static String text(Map<String, Object> all) {
    try {
      return JSON.writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, Object> json(Found found) {
    Map<String, Object> columns = new LinkedHashMap<>();
    found.columns().forEach((path, column) -> columns.put(path, json(column)));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("rows", found.rows());
    all.put("row_groups", found.rowGroups());
    all.put("row_groups_left_out", found.leftOut().size());
    all.put("columns", columns);
    return all;
  }

  private Map<String, Object> json(ColumnStatistics column) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("type", column.type().toString());
    json.put("items", column.items());
    json.put("nulls", column.nulls());
    json.put("null_share", orNull(column.nullShare()));
    if (column.type().listDepth() > 0) {
      json.put("null_lists", column.nullLists());
    }
    if (column.type().kind() != Kind.BYTES) {
      json.put("nan", column.nans());
      json.put("mean", orNull(column.mean()));
      json.put("std", orNull(column.deviation()));
      json.put("min", bound(column, column.min()));
      json.put("max", bound(column, column.max()));
    }
    boolean known = column.distinctValues().isPresent();
    json.put("distinct", known ? column.distinctValues().getAsLong() : null);
    return json;
  }

  private static Object bound(ColumnStatistics column, OptionalDouble value) {
    boolean whole = column.type().kind().isWhole() || column.type().kind() == Kind.UNSIGNED;
    return value.isPresent() && whole && Math.abs(value.getAsDouble()) <= EXACT_WHOLE
        ? (Object) (long) value.getAsDouble()
        : orNull(value);
  }

  private static Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  private static Table table(Found found) {
    Table table = new Table("column", "mean", "std", "min", "max", "nulls", "distinct");
    found
        .columns()
        .forEach(
            (path, column) ->
                table.add(
                    path,
                    cell(column.mean()),
                    cell(column.deviation()),
                    cell(column.min()),
                    cell(column.max()),
                    column.nullShare().isPresent()
                        ? Amounts.share(column.nullShare().getAsDouble())
                        : "-",
                    column.distinctValues().isPresent()
                        ? Amounts.count(column.distinctValues().getAsLong())
                        : "many"));
    return table;
  }

  private static String cell(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.6g", value.getAsDouble()) : "-";
  }
}
