package io.penstock.feed;

import java.util.regex.Pattern;

/**
 * A pattern for column names: {@code *} any run of characters, {@code ?} one character, {@code
 * [abc]}, {@code [a-z]} and {@code [!a]} one of a set, {@code {a,b}} one of several texts, {@code
 * \} before a character takes it as it is.
 */
final class ColumnGlob {
  private static final String SPECIAL = "*?[{\\";

  private final Pattern pattern;

  private ColumnGlob(Pattern pattern) {
    this.pattern = pattern;
  }

  /** Whether a text has a glob's characters at all. */
  static boolean isGlob(String text) {
    return text.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
  }

  /**
   * Reads a glob.
   *
   * @throws IllegalArgumentException if a bracket or brace is not closed
   */
  static ColumnGlob of(String glob) {
    StringBuilder regex = new StringBuilder();
    int braces = 0;
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        case '[' -> i = set(glob, i, regex);
        case '{' -> {
          braces++;
          regex.append("(?:");
        }
        case '}' -> {
          if (braces > 0) {
            braces--;
            regex.append(')');
          } else {
            literal(c, regex);
          }
        }
        case ',' -> {
          if (braces > 0) {
            regex.append('|');
          } else {
            literal(c, regex);
          }
        }
        case '\\' -> {
          i++;
          if (i == glob.length()) {
            throw new IllegalArgumentException("nothing follows '\\' in glob '" + glob + "'");
          }
          literal(glob.charAt(i), regex);
        }
        default -> literal(c, regex);
      }
    }
    if (braces > 0) {
      throw new IllegalArgumentException("'{' is not closed in glob '" + glob + "'");
    }
    return new ColumnGlob(Pattern.compile(regex.toString(), Pattern.DOTALL));
  }

  private static int set(String glob, int from, StringBuilder regex) {
    int end = from + 1;
    boolean negated = end < glob.length() && (glob.charAt(end) == '!' || glob.charAt(end) == '^');
    if (negated) {
      end++;
    }
    int first = end;
    while (end < glob.length() && (glob.charAt(end) != ']' || end == first)) {
      end++;
    }
    if (end >= glob.length()) {
      throw new IllegalArgumentException("'[' is not closed in glob '" + glob + "'");
    }
    regex.append(negated ? "[^" : "[");
    for (int i = first; i < end; i++) {
      char c = glob.charAt(i);
      boolean range = c == '-' && i > first && i < end - 1;
      if (range && glob.charAt(i - 1) > glob.charAt(i + 1)) {
        throw new IllegalArgumentException("a range runs backwards in glob '" + glob + "'");
      }
      if (range) {
        regex.append('-');
      } else {
        literal(c, regex);
      }
    }
    regex.append(']');
    return end;
  }

  private static void literal(char c, StringBuilder regex) {
    if (c < 0x80 && !Character.isLetterOrDigit(c)) {
      regex.append('\\');
    }
    regex.append(c);
  }

  boolean matches(String name) {
    return pattern.matcher(name).matches();
  }
}
