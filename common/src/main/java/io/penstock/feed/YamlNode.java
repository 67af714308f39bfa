package io.penstock.feed;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A YAML document as a tree, aliases resolved; each node knows its 1-based line. */
sealed interface YamlNode {
  int line();

  /** For messages: the value of a scalar, else what kind of node it is. */
  String describe();

  /** {@code null}, {@code ~} or nothing at all. */
  record Null(int line) implements YamlNode {
    @Override
    public String describe() {
      return "null";
    }
  }

  /** A scalar other than null. */
  record Value(Scalar scalar, int line) implements YamlNode {
    @Override
    public String describe() {
      return CanonicalJson.write(scalar);
    }
  }

  /** A list. */
  record Sequence(List<YamlNode> items, int line) implements YamlNode {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String describe() {
      return "a list";
    }
  }

  /** A mapping from strings, in file order. */
  record Mapping(Map<String, Entry> entries, int line) implements YamlNode {
    /**
     * @param line of the key
     */
    record Entry(int line, YamlNode value) {}

    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    @Override
    public String describe() {
      return "a mapping";
    }
  }
}
