package io.penstock.cli.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines of columns, each as wide as its widest cell; columns of numbers are aligned right. */
public final class Table {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... header) {
    this.header = List.of(header);
  }

  /** Adds a line; each cell is shown as its text. */
  public Table add(Object... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(
          "must have " + header.size() + " cells: " + Arrays.toString(cells));
    }
    rows.add(Arrays.stream(cells).map(String::valueOf).toList());
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The header and the lines. */
  public List<String> lines() {
    int[] widths = new int[header.size()];
    boolean[] right = new boolean[header.size()];
    for (int c = 0; c < widths.length; c++) {
      int column = c;
      widths[c] = Math.max(header.get(c).length(), widest(column));
      right[c] = !rows.isEmpty() && rows.stream().allMatch(row -> isNumber(row.get(column)));
    }
    List<String> lines = new ArrayList<>();
    lines.add(line(header, widths, right));
    rows.forEach(row -> lines.add(line(row, widths, right)));
    return lines;
  }

  private int widest(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private static boolean isNumber(String cell) {
    return cell.equals("-") || cell.matches("-?[0-9][0-9,.]*( ?[%a-zA-Z/]{1,4})?");
  }

  private static String line(List<String> cells, int[] widths, boolean[] right) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      String gap = " ".repeat(widths[c] - cells.get(c).length());
      line.append(c == 0 ? "" : "  ");
      line.append(right[c] ? gap + cells.get(c) : cells.get(c) + gap);
    }
    return line.toString().stripTrailing();
  }
}
