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

  /** Adds an error at a 1-based line. */
  void add(int line, String message) {
    entries.add(new Entry(line, message));
  }

  boolean any() {
    return !entries.isEmpty();
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
    if (any()) {
      throw toException();
    }
  }
}
