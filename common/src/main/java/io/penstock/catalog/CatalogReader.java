package io.penstock.catalog;

import io.penstock.catalog.DatasetFiles.Listed;
import io.penstock.feed.DatasetSpec;
import io.penstock.feed.DatasetSpec.Partitions;
import io.penstock.feed.PartitionType;
import io.penstock.model.ColumnSchema;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DataException;
import io.penstock.model.DataException.Place;
import io.penstock.model.Suggestions;
import io.penstock.model.UsageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;

/**
 * Makes the catalog of one dataset. The first file's columns are the ones to choose from; every
 * other footer is compared with it, boiled down to row counts and sizes on the thread that read it,
 * and let go.
 */
final class CatalogReader {
  /** More errors than this say nothing new. */
  private static final int ERRORS_SHOWN = 10;

  private final Storage storage;
  private final DatasetSpec dataset;
  private final FooterCache cache;

  // Set once, before anything is read by several threads.
  private KnownFooters known;

  /** What is kept of one file, or what is wrong with it. */
  private record Facts(CatalogFile file, List<RowGroupInfo> rowGroups, Optional<String> error) {
    static Facts wrong(String error) {
      return new Facts(null, List.of(), Optional.of(error));
    }
  }

  CatalogReader(Storage storage, DatasetSpec dataset, FooterCache cache) {
    this.storage = storage;
    this.dataset = dataset;
    this.cache = cache;
  }

  Catalog read(Catalog.Columns columns) {
    List<Listed> files = new DatasetFiles(storage, dataset, "dataset.paths").list();
    List<Map<String, Optional<String>>> partitions = partitions(files);
    known = cache.load(files.size());
    Footer first = first(files.get(0));
    List<ColumnSchema> schema = schema(first, partitions.get(0).keySet());
    Set<String> chosen = new LinkedHashSet<>(columns.choose(schema));
    chosen.removeAll(partitions.get(0).keySet());
    Map<String, LeafColumn> wanted = wanted(first, chosen);

    List<Integer> places = new ArrayList<>();
    for (int place = 0; place < files.size(); place++) {
      places.add(place);
    }
    List<Facts> facts =
        storage.each(
            places,
            place -> "reading the footer of " + files.get(place).path(),
            place -> facts(files.get(place), place, partitions.get(place), first, wanted));
    cache.save(known, files.stream().map(Listed::path).toList());
    return catalog(facts, schema, List.copyOf(wanted.keySet()));
  }

  private Footer first(Listed file) {
    try {
      return storage
          .each(List.of(file), f -> "reading the footer of " + f.path(), f -> footer(f.status()))
          .get(0);
    } catch (DataException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }

  private Footer footer(FileStatus status) throws IOException {
    Optional<Footer> before = known.find(status);
    if (before.isPresent()) {
      return before.get();
    }
    try {
      Footer footer = storage.footer(status);
      known.add(status, footer, System.currentTimeMillis());
      return footer;
    } catch (FileNotFoundException e) {
      if (Storage.isPermission(e)) {
        throw e;
      }
      throw Storage.vanished(status.getPath(), e);
    }
  }

  private static Map<String, LeafColumn> wanted(Footer first, Set<String> chosen) {
    Map<String, LeafColumn> wanted = new LinkedHashMap<>();
    List<String> errors = new ArrayList<>();
    for (String name : chosen) {
      Optional<LeafColumn> leaf = first.columns().leaf(name);
      if (leaf.isPresent()) {
        wanted.put(name, leaf.get());
      } else {
        errors.add(Place.of(first.path()) + ": " + first.columns().refusal(name).orElseThrow());
      }
    }
    if (!errors.isEmpty()) {
      throw new UsageException(errors);
    }
    return wanted;
  }

  private Facts facts(
      Listed listed,
      int place,
      Map<String, Optional<String>> partitions,
      Footer first,
      Map<String, LeafColumn> wanted)
      throws IOException {
    try {
      Footer footer = place == 0 ? first : footer(listed.status());
      Optional<String> clash = clash(footer, partitions.keySet());
      if (clash.isPresent()) {
        return Facts.wrong(clash.get());
      }
      Map<Integer, LeafColumn> leaves = new LinkedHashMap<>();
      for (LeafColumn expected : wanted.values()) {
        Optional<String> difference = difference(expected, first, footer);
        if (difference.isPresent()) {
          return Facts.wrong(difference.get());
        }
        LeafColumn leaf = footer.columns().leaf(expected.name()).orElseThrow();
        leaves.put(leaf.index(), leaf);
      }
      CatalogFile file =
          new CatalogFile(
              footer.path(),
              footer.length(),
              listed.status().getModificationTime(),
              footer.digest(),
              partitions);
      return new Facts(file, rowGroups(footer, place, leaves.values()), Optional.empty());
    } catch (DataException e) {
      return Facts.wrong(e.getMessage());
    }
  }

  private static Optional<String> clash(Footer footer, Set<String> keys) {
    for (String key : keys) {
      if (footer.schema().containsField(key)) {
        return Optional.of(
            Place.of(footer.path())
                + ": its column '"
                + key
                + "' has the name of a hive folder; one of both must go by another name");
      }
    }
    return Optional.empty();
  }

  /** How a column differs from what the first file says. */
  private static Optional<String> difference(LeafColumn expected, Footer first, Footer footer) {
    String name = expected.name();
    Optional<ColumnSchema> column = footer.columns().column(name);
    if (column.isEmpty()) {
      return Optional.of(
          "column '"
              + name
              + "' must be in every file: file "
              + first.path()
              + " has it, file "
              + footer.path()
              + " does not");
    }
    Optional<LeafColumn> found = footer.columns().leaf(name);
    if (found.isPresent() && agree(expected, found.get())) {
      return Optional.empty();
    }
    return Optional.of(
        "column '"
            + name
            + "' must have one type in every file: it is "
            + first.columns().column(name).orElseThrow().declared()
            + " in file "
            + first.path()
            + " and "
            + column.get().declared()
            + " in file "
            + footer.path());
  }

  /** Whether both become the same values; a float's width counts, an integer's does not. */
  private static boolean agree(LeafColumn a, LeafColumn b) {
    return a.type().equals(b.type())
        && (a.type().kind() != Kind.FLOAT
            || (a.physical() == b.physical() && a.meaning().equals(b.meaning())));
  }

  private static List<RowGroupInfo> rowGroups(
      Footer footer, int place, Collection<LeafColumn> leaves) {
    List<RowGroupInfo> rowGroups = new ArrayList<>();
    for (Footer.RowGroup group : footer.rowGroups()) {
      if (group.rows() == 0) {
        continue;
      }
      if (group.rows() >= Integer.MAX_VALUE) {
        throw new DataException(
            Place.of(footer.path()).inRowGroup(group.ordinal()),
            "must have < " + Integer.MAX_VALUE + " rows: rows=" + group.rows());
      }
      long compressed = 0;
      long uncompressed = 0;
      long largestChunk = 0;
      long[] decoded = new long[leaves.size()];
      int next = 0;
      for (LeafColumn leaf : leaves) {
        Footer.Chunk chunk = group.chunks().get(leaf.index());
        compressed += chunk.compressedBytes();
        uncompressed += chunk.uncompressedBytes();
        largestChunk = Math.max(largestChunk, chunk.compressedBytes());
        decoded[next++] =
            leaf.decodedBytes(group.rows(), chunk.values(), chunk.uncompressedBytes());
      }
      // The first row is known only when all files are there.
      rowGroups.add(
          new RowGroupInfo(
              place,
              group.ordinal(),
              (int) group.rows(),
              0,
              compressed,
              uncompressed,
              largestChunk,
              largest(decoded)));
    }
    return rowGroups;
  }

  /** The sum of the largest {@link RowGroupInfo#DECODED_AT_ONCE}. */
  private static long largest(long[] columns) {
    Arrays.sort(columns);
    return Arrays.stream(columns)
        .skip(Math.max(0, columns.length - RowGroupInfo.DECODED_AT_ONCE))
        .sum();
  }

  private Catalog catalog(List<Facts> facts, List<ColumnSchema> schema, List<String> columns) {
    List<String> errors = new ArrayList<>();
    List<CatalogFile> files = new ArrayList<>(facts.size());
    List<RowGroupInfo> rowGroups = new ArrayList<>();
    long firstRow = 0;
    for (Facts file : facts) {
      if (file.error().isPresent()) {
        errors.add(file.error().get());
        continue;
      }
      files.add(file.file());
      for (RowGroupInfo group : file.rowGroups()) {
        rowGroups.add(
            new RowGroupInfo(
                group.file(),
                group.ordinal(),
                group.rows(),
                firstRow,
                group.compressedBytes(),
                group.uncompressedBytes(),
                group.largestChunkBytes(),
                group.decodedBytes()));
        firstRow += group.rows();
      }
    }
    refuse(errors);
    if (rowGroups.isEmpty()) {
      throw new UsageException(
          "must have at least one row: dataset.paths="
              + String.join(", ", dataset.paths())
              + " (files: "
              + files.size()
              + ")");
    }
    return Catalog.of(files, rowGroups, schema, columns);
  }

  private static void refuse(List<String> errors) {
    if (errors.isEmpty()) {
      return;
    }
    List<String> shown = new ArrayList<>(errors.subList(0, Math.min(ERRORS_SHOWN, errors.size())));
    if (errors.size() > shown.size()) {
      shown.add("and " + (errors.size() - shown.size()) + " more files with errors");
    }
    throw new UsageException(shown);
  }

  private List<ColumnSchema> schema(Footer first, Set<String> keys) {
    List<ColumnSchema> schema = new ArrayList<>(first.columns().schema());
    for (String key : keys) {
      PartitionType type = partitionType(key);
      schema.add(new ColumnSchema(key, true, Optional.of(type.type()), type.text(), true));
    }
    return schema;
  }

  private PartitionType partitionType(String key) {
    return dataset.partitionTypes().getOrDefault(key, PartitionType.STRING);
  }

  /** The hive values of every file, or nothing for each where the feed asks for none. */
  private List<Map<String, Optional<String>>> partitions(List<Listed> files) {
    List<Map<String, Optional<String>>> all = new ArrayList<>(files.size());
    List<String> errors = new ArrayList<>();
    List<String> keys = List.of();
    for (Listed file : files) {
      String path = file.path().toString();
      Map<String, Optional<String>> values =
          dataset.partitions() == Partitions.HIVE
              ? HivePath.partitions(path, file.relative())
              : Map.of();
      if (all.isEmpty()) {
        keys = List.copyOf(values.keySet());
      } else if (!keys.equals(List.copyOf(values.keySet()))) {
        errors.add(
            "hive folders must have the same keys for every file: "
                + keys
                + " for file "
                + files.get(0).path()
                + " and "
                + values.keySet()
                + " for file "
                + path);
      }
      values.forEach(
          (key, value) -> {
            if (value.isPresent() && partitionType(key).parse(value.get()).isEmpty()) {
              errors.add(
                  "the hive value must be of type "
                      + partitionType(key).text()
                      + ": "
                      + key
                      + "="
                      + value.get()
                      + " for file "
                      + path);
            }
          });
      all.add(values);
    }
    for (String key : dataset.partitionTypes().keySet()) {
      if (!keys.contains(key)) {
        errors.add(
            "must be the key of a hive folder: dataset.partition_types="
                + key
                + Suggestions.didYouMean(key, keys));
      }
    }
    refuse(errors);
    return all;
  }
}
