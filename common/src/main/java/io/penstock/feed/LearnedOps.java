package io.penstock.feed;

import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the ops whose settings are learnt from data: in the feed itself, or in a file it names. */
final class LearnedOps {
  private final FileShelf shelf;

  LearnedOps(FileShelf shelf) {
    this.shelf = shelf;
  }

  Optional<ParsedOp> standardize(Fields fields) {
    boolean inline = fields.has("mean") || fields.has("std");
    if (inline == fields.has("file")) {
      fields.error("needs either mean and std, or file: " + fields.place());
      return Optional.empty();
    }
    return inline ? inlineStatistics(fields) : statisticsFile(fields);
  }

  private static Optional<ParsedOp> inlineStatistics(Fields fields) {
    fields.required("mean");
    fields.required("std");
    Optional<Map<String, Scalar>> mean = fields.numbersByName("mean");
    Optional<Map<String, Scalar>> std = fields.numbersByName("std");
    Optional<List<String>> columns = fields.someStrings("columns");
    if (mean.isPresent() && std.isPresent() && !mean.get().keySet().equals(std.get().keySet())) {
      fields.error(
          "std",
          "mean and std must name the same columns: mean="
              + mean.get().keySet()
              + " std="
              + std.get().keySet());
    }
    std.orElse(Map.of())
        .forEach(
            (column, value) -> {
              if (Fields.toDouble(value) == 0) {
                fields.error(
                    "std", "std must not be 0: " + column + "=" + CanonicalJson.write(value));
              }
            });
    if (fields.failed()) {
      return Optional.empty();
    }
    Op op =
        new Op.Standardize(
            toDoubles(mean.orElseThrow()), toDoubles(std.orElseThrow()), Optional.empty(), columns);
    return Optional.of(
        ParsedOp.of(
            op, Map.of("mean", mean.orElseThrow(), "std", std.orElseThrow()), fields.line()));
  }

  private static Map<String, Double> toDoubles(Map<String, Scalar> numbers) {
    Map<String, Double> doubles = new LinkedHashMap<>();
    numbers.forEach((name, number) -> doubles.put(name, Fields.toDouble(number)));
    return doubles;
  }

  private Optional<ParsedOp> statisticsFile(Fields fields) {
    Optional<NamedFile> file = shelf.file(fields, "file");
    Optional<FileShelf.Statistics> statistics = file.flatMap(f -> shelf.statistics(f, fields));
    Optional<List<String>> columns = fields.someStrings("columns");
    if (fields.failed()) {
      return Optional.empty();
    }
    Op op =
        new Op.Standardize(
            statistics.orElseThrow().mean(),
            statistics.orElseThrow().std(),
            file.map(NamedFile::path),
            columns);
    return Optional.of(
        ParsedOp.of(op, Map.of("file", FileShelf.canonical(file.orElseThrow())), fields.line()));
  }

  Optional<ParsedOp> vocabulary(Fields fields) {
    if (fields.has("file") == fields.has("values")) {
      fields.error("needs either file or values: " + fields.place());
      return Optional.empty();
    }
    Optional<NamedFile> file = shelf.file(fields, "file");
    List<Scalar> values =
        fields.has("values")
            ? values(fields)
            : file.map(f -> shelf.vocabulary(f, fields)).orElse(List.of());
    BigInteger unknown =
        fields
            .whole("unknown", Fields.TWO_63.negate(), Fields.TWO_63, "of 64 bits")
            .orElse(BigInteger.ZERO);
    Optional<List<String>> columns = fields.someStrings("columns");
    if (fields.failed()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    file.ifPresentOrElse(
        f -> settings.put("file", FileShelf.canonical(f)), () -> settings.put("values", values));
    if (unknown.signum() != 0) {
      settings.put("unknown", unknown);
    }
    Op op = new Op.Vocabulary(file.map(NamedFile::path), values, unknown.longValue(), columns);
    return Optional.of(ParsedOp.of(op, settings, fields.line()));
  }

  private static List<Scalar> values(Fields fields) {
    List<YamlNode> nodes = fields.nodes("values").orElse(List.of());
    List<Scalar> values = new ArrayList<>();
    Set<Scalar> seen = new HashSet<>();
    for (int i = 0; i < nodes.size(); i++) {
      String place = fields.place() + ".values[" + i + "]=" + nodes.get(i).describe();
      Scalar scalar = nodes.get(i) instanceof YamlNode.Value value ? value.scalar() : null;
      boolean usable = scalar instanceof StringScalar || scalar instanceof IntegerScalar;
      if (!usable || !values.isEmpty() && values.get(0).getClass() != scalar.getClass()) {
        fields.error("values", "must be all strings or all whole numbers: " + place);
      } else if (!seen.add(scalar)) {
        fields.error("values", "a value is there twice: " + place);
      } else {
        values.add(scalar);
      }
    }
    if (fields.has("values") && nodes.isEmpty() && !fields.failed()) {
      fields.error("values", "must not be empty: " + fields.place() + ".values");
    }
    return values;
  }
}
