package io.penstock.cli.starter;

import java.util.List;
import java.util.Set;

/** Text as YAML 1.2 has it. */
final class Yaml {
  private static final int WIDTH = 110;
  private static final Set<String> WORDS = Set.of("true", "false", "null");

  private Yaml() {}

  /** A string, in quotes if it needs any. */
  static String text(String value) {
    boolean plain =
        value.matches("[A-Za-z_/][A-Za-z0-9_./=-]*") && !WORDS.contains(value.toLowerCase());
    return plain ? value : quoted(value);
  }

  /** A string in double quotes. */
  static String quoted(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    value
        .codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (c < 0x20
                  || (c >= 0x7f && c < 0xa0)
                  || c == 0x2028
                  || c == 0x2029
                  || c == 0xfeff
                  || c == 0xfffe
                  || c == 0xffff
                  || (c >= 0xd800 && c < 0xe000)) {
                quoted.append(String.format("\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }

  /** A list in brackets, broken into lines. */
  static String list(List<String> values, String indent) {
    StringBuilder list = new StringBuilder("[");
    int column = indent.length() + 12;
    for (int i = 0; i < values.size(); i++) {
      String item = text(values.get(i)) + (i + 1 < values.size() ? "," : "]");
      if (i > 0 && column + item.length() + 1 > WIDTH) {
        list.append('\n').append(indent).append("    ");
        column = indent.length() + 4;
      } else if (i > 0) {
        list.append(' ');
        column++;
      }
      list.append(item);
      column += item.length();
    }
    return list.toString();
  }
}
