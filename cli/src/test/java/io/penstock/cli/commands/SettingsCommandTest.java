package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.cli.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingsCommandTest {
  @Test
  void thePageOfTheDocsIsWhatTheCommandPrints() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "settings.md"));
    assertEquals(
        Invocation.of("settings").out().lines().toList(),
        page.lines().toList(),
        "stale: bin/penstock settings > docs/settings.md");
  }

  @Test
  void everySettingIsThereOnce() throws IOException {
    String defaults = Files.readString(Path.of("..", "conf", "penstock-default.xml"));
    long names = defaults.lines().filter(line -> line.contains("<name>penstock.")).count();
    assertTrue(names > 40, defaults);
    assertEquals(names, Invocation.of("settings", "--json").json().size());
  }
}
