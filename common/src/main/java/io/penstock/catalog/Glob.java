package io.penstock.catalog;

import io.penstock.model.UsageException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A glob of {@code dataset.exclude}: {@code *} and {@code ?} stop at slashes, {@code **} does not;
 * {@code [a-z]}, {@code [!a-z]}, {@code {a,b}}, and a backslash before a character that means
 * itself.
 */
final class Glob {
  private final boolean ofName;
  private final Pattern pattern;

  /**
   * @throws UsageException if it can't be read
   */
  Glob(String text) {
    ofName = text.indexOf('/') < 0;
    try {
      pattern = Pattern.compile(regex(text), Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new UsageException("must be a glob: dataset.exclude=" + text, e);
    }
  }

  /** Whether it is meant for names at any depth rather than for whole paths. */
  boolean ofName() {
    return ofName;
  }

  boolean matches(String nameOrPath) {
    return pattern.matcher(nameOrPath).matches();
  }

  private static String regex(String glob) {
    StringBuilder regex = new StringBuilder();
    int braces = 0;
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      switch (c) {
        case '*' -> {
          if (i + 1 < glob.length() && glob.charAt(i + 1) == '*') {
            regex.append(".*");
            i++;
          } else {
            regex.append("[^/]*");
          }
        }
        case '?' -> regex.append("[^/]");
        case '{' -> {
          regex.append("(?:");
          braces++;
        }
        case '}' -> {
          regex.append(braces > 0 ? ")" : "\\}");
          braces = Math.max(0, braces - 1);
        }
        case ',' -> regex.append(braces > 0 ? "|" : ",");
        case '[' -> i = characters(glob, i, regex);
        case '\\' -> {
          i++;
          String literal = i < glob.length() ? Character.toString(glob.codePointAt(i)) : "\\";
          regex.append(Pattern.quote(literal));
          i += literal.length() - 1;
        }
        default -> {
          String literal = Character.toString(glob.codePointAt(i));
          regex.append(Pattern.quote(literal));
          i += literal.length() - 1;
        }
      }
    }
    return regex.toString();
  }

  /** Appends a class of characters and returns the place of its end. */
  private static int characters(String glob, int start, StringBuilder regex) {
    int at = start + 1;
    regex.append('[');
    if (at < glob.length() && (glob.charAt(at) == '!' || glob.charAt(at) == '^')) {
      regex.append('^');
      at++;
    }
    int first = at;
    for (; at < glob.length() && (glob.charAt(at) != ']' || at == first); at++) {
      char c = glob.charAt(at);
      if (c == '-' && at > first) {
        regex.append('-');
      } else {
        int point = glob.codePointAt(at);
        regex.append("\\x{").append(Integer.toHexString(point)).append('}');
        at += Character.charCount(point) - 1;
      }
    }
    regex.append(']');
    return at;
  }
}
