package io.penstock.cli.commands;

import io.penstock.cli.console.Console;
import io.penstock.cli.console.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a check came to: lines for people, the same for programs. */
final class Findings {
  private final List<Map<String, Object>> checks = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();

  /** Something was as it should be, or was not looked at. */
  void note(String line) {
    lines.add(line);
  }

  /** Something was not as it should be. */
  void difference(String line) {
    lines.add("DIFFERENT  " + line);
    differences.add(line);
  }

  /** A digest beside the one that it should be. */
  void digest(String what, String kind, String expected, String found) {
    check(what, "digest", kind, expected, found);
  }

  /** A number beside the one that it should be. */
  void count(String what, String kind, long expected, long found) {
    check(what, "count", kind, expected, found);
  }

  private void check(String what, String sort, String kind, Object expected, Object found) {
    boolean equal = expected.equals(found);
    Map<String, Object> check = new LinkedHashMap<>();
    check.put("what", what);
    check.put(sort, kind);
    check.put("expected", expected);
    check.put("found", found);
    check.put("equal", equal);
    checks.add(check);
    if (equal) {
      lines.add("equal      %s: %s %s".formatted(what, kind, found));
    } else {
      difference("%s: %s %s, not %s".formatted(what, kind, found, expected));
    }
  }

  boolean areEqual() {
    return differences.isEmpty();
  }

  ExitCode print(Console console) {
    if (console.format() == Console.Format.JSON) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("equal", areEqual());
      all.put("checks", checks);
      all.put("differences", differences);
      console.json(all);
    } else {
      lines.forEach(console::print);
    }
    return areEqual() ? ExitCode.DONE : ExitCode.FAILED;
  }
}
