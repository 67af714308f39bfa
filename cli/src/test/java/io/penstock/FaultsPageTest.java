package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that docs/faults.md names exists. */
class FaultsPageTest {
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+(?:Test|IT))\\.(\\w+)`");

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Path repository = Path.of("..");
    Map<String, String> sources = sources(repository);
    List<String> missing = new ArrayList<>();
    int named = 0;
    String page = Files.readString(repository.resolve("docs/faults.md"));
    for (Matcher match = NAMED.matcher(page); match.find(); named++) {
      if (!sources.getOrDefault(match.group(1), "").contains("void " + match.group(2) + "(")) {
        missing.add(match.group());
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(named > 50, "few tests are named: " + named);
  }

  private static Map<String, String> sources(Path repository) throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(repository)) {
      for (Path module : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(module)) {
          try (Stream<Path> files = Files.walk(module)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
              sources.put(
                  file.getFileName().toString().replace(".java", ""), Files.readString(file));
            }
          }
        }
      }
    }
    return sources;
  }
}
