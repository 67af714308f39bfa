package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table "Packages and who may import whom" of ARCHITECTURE.md holds for the code. */
class ArchitectureTest {
  private static final String ROOT = "io.penstock.";

  /** Vendor packages and who alone may import them. */
  private static final Map<String, Set<String>> VENDORS =
      Map.of(
          "org.apache.curator", Set.of("coordination"),
          "org.apache.zookeeper", Set.of("coordination"),
          "com.sleepycat", Set.of("container.cache"),
          "org.apache.parquet", Set.of("catalog", "container.decode"),
          "org.snakeyaml", Set.of("feed"),
          "org.apache.hadoop.yarn",
              Set.of("yarn", "am.cluster", "am", "cli.submit", "cli.commands"));

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.penstock");

  @Test
  void everyPackageImportsOnlyWhatTheTableAllows() throws IOException {
    Map<String, Set<String>> allowed = table();
    Map<String, String> violations = new TreeMap<>();
    Set<String> seen = new TreeSet<>();
    for (JavaClass type : classes) {
      String from = room(type.getPackageName());
      seen.add(from);
      if (!allowed.containsKey(from)) {
        violations.put(from, "not in the table");
        continue;
      }
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String target = dependency.getTargetClass().getPackageName();
        if (target.equals("io.penstock") || !target.startsWith(ROOT)) {
          continue;
        }
        String to = room(target);
        if (!to.equals(from) && !allows(allowed.get(from), to)) {
          violations.putIfAbsent(from + " imports " + to, dependency.getDescription());
        }
      }
    }
    assertEquals(Map.of(), violations);
    assertTrue(seen.size() > 20, () -> "classes of few packages were found: " + seen);
  }

  @Test
  void everyVendorLibraryHasItsImporter() {
    Map<String, String> violations = new TreeMap<>();
    for (JavaClass type : classes) {
      String from = room(type.getPackageName());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String target = dependency.getTargetClass().getPackageName();
        VENDORS.forEach(
            (vendor, importers) -> {
              if ((target + ".").startsWith(vendor + ".") && !importers.contains(from)) {
                violations.putIfAbsent(from + " imports " + vendor, dependency.getDescription());
              }
            });
      }
    }
    assertEquals(Map.of(), violations);
  }

  private static boolean allows(Set<String> allowed, String to) {
    return allowed.contains(to)
        || allowed.contains("all of " + to.split("\\.")[0])
        || (allowed.contains("all of common") && isCommon(to));
  }

  private static boolean isCommon(String room) {
    return !room.equals("am")
        && !room.startsWith("am.")
        && !room.equals("container")
        && !room.startsWith("container.")
        && !room.startsWith("cli")
        && !room.equals("launcher");
  }

  /** A package's name in the table: records of coordination belong to it. */
  private static String room(String packageName) {
    String name = packageName.substring(ROOT.length());
    return name.startsWith("coordination.") ? "coordination" : name;
  }

  /** Reads the rows {@code | folder `package` | sentence | imports |} of ARCHITECTURE.md. */
  private static Map<String, Set<String>> table() throws IOException {
    Map<String, Set<String>> table = new TreeMap<>();
    Path page = Path.of("..", "ARCHITECTURE.md");
    boolean inTable = false;
    for (String line : Files.readAllLines(page)) {
      inTable = line.startsWith("## ") ? line.startsWith("## Packages") : inTable;
      String[] cells = line.split("\\|");
      if (!inTable || cells.length < 4 || !cells[1].contains("`")) {
        continue;
      }
      Set<String> imports =
          Arrays.stream(cells[3].split(","))
              .map(String::trim)
              .filter(name -> !name.isEmpty() && !name.equals("–"))
              .map(name -> name.replace("`", ""))
              .collect(Collectors.toCollection(TreeSet::new));
      table.put(cells[1].replace("`", "").trim(), imports);
    }
    assertTrue(table.size() > 20, () -> "the table was not found: " + table.keySet());
    return table;
  }
}
