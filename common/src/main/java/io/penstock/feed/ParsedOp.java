package io.penstock.feed;

import java.util.Map;
import java.util.TreeMap;

/**
 * An op and what the canonical text says of it.
 *
 * @param canonical its name and below that its settings, defaults left out
 * @param line in the feed file
 */
record ParsedOp(Op op, Map<String, Object> canonical, int line) {
  /**
   * An op with its settings.
   *
   * @param settings as the canonical text has them, but without {@code columns}
   */
  static ParsedOp of(Op op, Map<String, ?> settings, int line) {
    Map<String, Object> all = new TreeMap<>(settings);
    op.columns().ifPresent(columns -> all.put("columns", columns));
    return new ParsedOp(op, Map.of(op.name(), all), line);
  }
}
