package io.penstock.feed;

import io.penstock.feed.Scalar.StringScalar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The files that one feed names: each is read once, and what it says is checked. */
final class FileShelf {
  /** Mean and standard deviation by column, of those columns that have both. */
  record Statistics(Map<String, Double> mean, Map<String, Double> std) {}

  private final NamedFiles files;
  private final Map<String, NamedFile> read = new LinkedHashMap<>();
  private final Map<String, String> failed = new HashMap<>();

  FileShelf(NamedFiles files) {
    this.files = files;
  }

  /** All that were read, by path as written. */
  Map<String, NamedFile> read() {
    return read;
  }

  /** Path and digest, as the canonical text has them. */
  static Map<String, Object> canonical(NamedFile file) {
    return Map.of("path", file.path(), "sha256", file.sha256());
  }

  /** The file that a key names; empty if the key is not there or the file can't be read. */
  Optional<NamedFile> file(Fields fields, String key) {
    Optional<String> path = fields.string(key);
    path.filter(p -> !read.containsKey(p) && !failed.containsKey(p)).ifPresent(this::read);
    path.filter(failed::containsKey)
        .ifPresent(
            p ->
                fields.error(
                    key,
                    "can't be read: "
                        + fields.place()
                        + "."
                        + key
                        + "="
                        + p
                        + ": "
                        + failed.get(p)));
    return path.map(read::get);
  }

  private void read(String path) {
    try {
      byte[] bytes = files.read(path);
      read.put(path, new NamedFile(path, bytes, Sha256.hex(bytes)));
    } catch (IOException e) {
      failed.put(path, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    }
  }

  /** The lines of a vocabulary file, none if it is wrong. */
  List<Scalar> vocabulary(NamedFile file, Fields fields) {
    List<Scalar> values = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String value : lines(text(file, fields).orElse(""))) {
      if (!seen.add(value)) {
        fields.error(
            "file",
            "a value is there twice: "
                + place(file, fields)
                + ", line "
                + (values.size() + 1)
                + ": "
                + CanonicalJson.write(value));
        return List.of();
      }
      values.add(new StringScalar(value));
    }
    if (values.isEmpty() && !fields.failed()) {
      fields.error("file", "has no values: " + place(file, fields));
    }
    return values;
  }

  private static String place(NamedFile file, Fields fields) {
    return fields.place() + ".file=" + file.path();
  }

  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int feed = text.indexOf('\n', from);
      int end = feed < 0 ? text.length() : feed;
      boolean carriageReturn = feed > from && text.charAt(feed - 1) == '\r';
      lines.add(text.substring(from, carriageReturn ? end - 1 : end));
      from = end + 1;
    }
    return lines;
  }

  /** What a statistics file says; JSON is read as the YAML that it also is. */
  Optional<Statistics> statistics(NamedFile file, Fields fields) {
    FeedErrors inside = new FeedErrors(file.path());
    Optional<YamlNode> root = text(file, fields).flatMap(text -> YamlReader.read(text, inside));
    if (inside.count() > 0) {
      fields.error(
          "file", "not JSON: " + fields.place() + ".file=" + inside.toException().getMessage());
    }
    if (fields.failed()) {
      return Optional.empty();
    }
    if (!(root.orElseThrow() instanceof YamlNode.Mapping map
        && map.entries().containsKey("columns")
        && map.entries().get("columns").value() instanceof YamlNode.Mapping columns)) {
      fields.error(
          "file",
          "must be a JSON object {\"columns\": {<column>: {\"mean\": .., \"std\": ..}}}: "
              + place(file, fields));
      return Optional.empty();
    }
    Map<String, Double> mean = new LinkedHashMap<>();
    Map<String, Double> std = new LinkedHashMap<>();
    columns
        .entries()
        .forEach(
            (column, entry) -> {
              Optional<Double> m = number(entry.value(), "mean");
              Optional<Double> s = number(entry.value(), "std");
              if (m.isPresent() && s.isPresent()) {
                mean.put(column, m.get());
                std.put(column, s.get());
              }
            });
    return Optional.of(new Statistics(mean, std));
  }

  private static Optional<Double> number(YamlNode column, String key) {
    return column instanceof YamlNode.Mapping map
            && map.entries().containsKey(key)
            && map.entries().get(key).value() instanceof YamlNode.Value value
            && (value.scalar() instanceof Scalar.IntegerScalar
                || value.scalar() instanceof Scalar.FloatScalar)
        ? Optional.of(Fields.toDouble(value.scalar())).filter(Double::isFinite)
        : Optional.empty();
  }

  private static Optional<String> text(NamedFile file, Fields fields) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file.bytes())).toString());
    } catch (CharacterCodingException e) {
      fields.error("file", "must be UTF-8 text: " + place(file, fields));
      return Optional.empty();
    }
  }
}
