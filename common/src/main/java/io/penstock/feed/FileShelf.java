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
  private final FeedErrors errors;
  private final Map<String, NamedFile> read = new LinkedHashMap<>();
  private final Map<String, String> failed = new HashMap<>();

  FileShelf(NamedFiles files, FeedErrors errors) {
    this.files = files;
    this.errors = errors;
  }

  /** All that were read, by path as written. */
  Map<String, NamedFile> read() {
    return read;
  }

  /** Path and digest, as the canonical text has them. */
  static Map<String, Object> canonical(NamedFile file) {
    return Map.of("path", file.path(), "sha256", file.sha256());
  }

  /**
   * A file's content; empty if it can't be read, which is reported at {@code line}.
   *
   * @param place dotted path of the key that names it
   */
  Optional<NamedFile> file(String path, String place, int line) {
    NamedFile known = read.get(path);
    if (known != null) {
      return Optional.of(known);
    }
    if (!failed.containsKey(path)) {
      try {
        byte[] bytes = files.read(path);
        NamedFile file = new NamedFile(path, bytes, Sha256.hex(bytes));
        read.put(path, file);
        return Optional.of(file);
      } catch (IOException e) {
        failed.put(path, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
      }
    }
    errors.add(line, "can't be read: " + place + "=" + path + ": " + failed.get(path));
    return Optional.empty();
  }

  /** The lines of a vocabulary file. */
  Optional<List<Scalar>> vocabulary(NamedFile file, String place, int line) {
    Optional<String> text = text(file, place, line);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    List<Scalar> values = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String value : lines(text.get())) {
      if (!seen.add(value)) {
        errors.add(
            line,
            "a value is there twice: "
                + place
                + "="
                + file.path()
                + ", line "
                + (values.size() + 1)
                + ": "
                + CanonicalJson.write(value));
        return Optional.empty();
      }
      values.add(new StringScalar(value));
    }
    if (values.isEmpty()) {
      errors.add(line, "has no values: " + place + "=" + file.path());
      return Optional.empty();
    }
    return Optional.of(values);
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
  Optional<Statistics> statistics(NamedFile file, String place, int line) {
    Optional<String> text = text(file, place, line);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    FeedErrors inside = new FeedErrors(file.path());
    Optional<YamlNode> root = YamlReader.read(text.get(), inside);
    if (inside.any()) {
      errors.add(line, "not JSON: " + place + "=" + inside.toException().getMessage());
      return Optional.empty();
    }
    if (!(root.orElse(null) instanceof YamlNode.Mapping map
        && map.entries().containsKey("columns")
        && map.entries().get("columns").value() instanceof YamlNode.Mapping columns)) {
      errors.add(
          line,
          "must be a JSON object {\"columns\": {<column>: {\"mean\": .., \"std\": ..}}}: "
              + place
              + "="
              + file.path());
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

  private Optional<String> text(NamedFile file, String place, int line) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file.bytes())).toString());
    } catch (CharacterCodingException e) {
      errors.add(line, "must be UTF-8 text: " + place + "=" + file.path());
      return Optional.empty();
    }
  }
}
