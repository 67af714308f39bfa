package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.cli.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The worked example of docs/order.md; its table is worked out by NumPy in the Python tests. */
class OrderPageTest {
  private static final Path PAGE = Path.of("../docs/order.md");
  private static final String COMMAND = "    bin/penstock ";

  private static String cell(List<String> page, String step) {
    return page.stream()
        .filter(line -> line.startsWith("| " + step + " |"))
        .map(line -> line.split("\\|")[2].strip())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line '" + step + "' in " + PAGE));
  }

  @Test
  void theCommandPrintsWhatTheTableSays() throws IOException {
    List<String> page = Files.readAllLines(PAGE);
    List<String> commands = page.stream().filter(line -> line.startsWith(COMMAND)).toList();
    assertEquals(1, commands.size(), commands.toString());
    Invocation plan = Invocation.of(commands.get(0).substring(COMMAND.length()).split(" "));
    assertEquals(0, plan.code(), plan.err());
    JsonNode epoch = plan.json().at("/epochs/0");
    List<String> batches = Arrays.asList(cell(page, "global batches").split(" · "));
    assertEquals(batches.get(0), text(epoch.get("first_rows")));
    assertEquals(batches.get(batches.size() - 1), text(epoch.get("last_rows")));
    assertEquals(batches.size(), epoch.get("steps").asInt());
    assertEquals(cell(page, "order digest of the epoch"), epoch.get("order_digest").asText());
  }

  private static String text(JsonNode rows) {
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(text.isEmpty() ? "" : " ").append(row.asLong()));
    return text.toString();
  }
}
