package io.penstock.feed;

import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The errors of one feed file, gathered so that all are reported at once, in line order. */
final class FeedErrors {
  private record Entry(int line, String message) {}

  private final String source;
  private final List<Entry> entries = new ArrayList<>();

  FeedErrors(String source) {
    this.source = source;
  }

  /** Adds an error at a 1-based line; control characters of names in it are shown as escapes. */
  void add(int line, String message) {
    StringBuilder shown = new StringBuilder();
    for (char c : message.toCharArray()) {
      shown.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : c);
    }
    entries.add(new Entry(line, shown.toString()));
  }

  /** How many there are. */
  int count() {
    return entries.size();
  }

  /** All of them, a line each: {@code source:line: message}. */
  UsageException toException() {
    return new UsageException(
        entries.stream()
            .sorted(Comparator.comparingInt(Entry::line))
            .map(entry -> source + ":" + entry.line() + ": " + entry.message())
            .toList());
  }

  void throwIfAny() {
    if (count() > 0) {
      throw toException();
    }
  }
}
