package io.penstock.cli.past;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Where the canonical texts of two feeds differ. */
public final class FeedDifferences {
  private static final int LISTED = 10;

  private final List<String> found = new ArrayList<>();

  private FeedDifferences() {}

  /** One line a difference, the first ten. */
  public static List<String> between(String canonical, String other) {
    FeedDifferences differences = new FeedDifferences();
    ObjectMapper json = new ObjectMapper();
    try {
      differences.compare("", json.readTree(canonical), json.readTree(other));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a feed's canonical text is no JSON", e);
    }
    return differences.found.subList(0, Math.min(LISTED, differences.found.size()));
  }

  private void compare(String at, JsonNode one, JsonNode other) {
    if (one != null && one.isObject() && other != null && other.isObject()) {
      TreeSet<String> names = new TreeSet<>();
      one.fieldNames().forEachRemaining(names::add);
      other.fieldNames().forEachRemaining(names::add);
      names.forEach(
          name -> compare(at.isEmpty() ? name : at + "." + name, one.get(name), other.get(name)));
    } else if (one != null && one.isArray() && other != null && other.isArray()) {
      for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
        compare(at + "[" + i + "]", one.get(i), other.get(i));
      }
    } else if (one == null || !one.equals(other)) {
      found.add(at + ": " + text(one) + ", now " + text(other));
    }
  }

  private static String text(JsonNode node) {
    return node == null ? "nothing" : node.toString();
  }
}
