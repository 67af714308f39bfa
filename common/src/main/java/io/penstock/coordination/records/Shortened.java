package io.penstock.coordination.records;

/** Text of others in a record, which has to stay small. */
final class Shortened {
  private static final String MORE = "...";

  private Shortened() {}

  /** The text, or its first {@code most} characters with {@code ...} for the rest. */
  static String to(int most, String text) {
    return text.length() <= most ? text : text.substring(0, most - MORE.length()) + MORE;
  }
}
