package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.cli.Datasets;
import io.penstock.cli.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  @TempDir Path folder;

  private JsonNode file(Invocation check, String name) {
    for (JsonNode file : check.json().get("files")) {
      if (file.get("path").textValue().endsWith("/" + name)) {
        return file;
      }
    }
    throw new AssertionError("no file " + name + ": " + check.out());
  }

  @Test
  void everyFileIsLookedAtWhateverIsWrongWithTheOthers() throws IOException {
    Datasets.numbers(folder);
    Files.writeString(folder.resolve("notes.txt"), "not Parquet at all, but long enough");
    Files.createFile(folder.resolve("empty.parquet"));
    byte[] whole = Files.readAllBytes(folder.resolve("a.parquet"));
    Files.write(folder.resolve("short.parquet"), Arrays.copyOf(whole, whole.length - 9));
    Invocation check = Invocation.of("check", folder.toUri().toString(), "--json");
    assertEquals(1, check.code());
    assertEquals(5, check.json().get("files").size());
    JsonNode good = file(check, "a.parquet");
    assertTrue(good.get("readable").booleanValue());
    assertEquals(25, good.get("rows").intValue());
    assertEquals(3, good.get("row_groups").intValue());
    assertTrue(good.get("error").isNull());
    assertEquals("half", good.get("columns").get(1).get("name").textValue());
    assertEquals("float", good.get("columns").get(1).get("type").textValue());
    for (String bad : new String[] {"notes.txt", "empty.parquet", "short.parquet"}) {
      assertFalse(file(check, bad).get("readable").booleanValue(), bad);
      assertFalse(file(check, bad).get("error").textValue().isEmpty(), bad);
    }
  }

  @Test
  void aColumnOfATypeThatIsRefusedDoesNotMakeItsFileUnreadable() throws IOException {
    Path file =
        Datasets.write(
            folder.resolve("m.parquet"),
            "required int32 id; required group m (MAP) { repeated group key_value {"
                + " required int32 key; optional int32 value; } }",
            3,
            (group, row) -> {
              group.append("id", row);
              group.addGroup("m");
            });
    Invocation check = Invocation.of("check", file.toUri().toString(), "--deep", "--json");
    assertEquals(0, check.code(), check.err() + check.out());
    JsonNode columns = file(check, "m.parquet").get("columns");
    assertTrue(columns.get(0).get("supported").booleanValue());
    assertEquals("m", columns.get(1).get("name").textValue());
    assertFalse(columns.get(1).get("supported").booleanValue());
    assertTrue(columns.get(1).get("type").isNull());
  }

  @Test
  void deepFindsWhatTheFooterDoesNotTell() throws IOException {
    Path file = Datasets.numbers(folder).resolve("b.parquet");
    byte[] bytes = Files.readAllBytes(file);
    // The first page's header begins behind the magic: four bytes of it turned to ones.
    Arrays.fill(bytes, 4, 8, (byte) 0xff);
    Files.write(file, bytes);
    assertEquals(0, Invocation.of("check", file.toUri().toString()).code());
    Invocation deep = Invocation.of("check", folder.toUri().toString(), "--deep", "--json");
    assertEquals(1, deep.code());
    assertTrue(file(deep, "a.parquet").get("readable").booleanValue());
    String error = file(deep, "b.parquet").get("error").textValue();
    assertTrue(error.startsWith("row group 0, column id: "), error);
  }

  @Test
  void textSaysTheSame() throws IOException {
    Datasets.numbers(folder);
    Invocation check = Invocation.of("check", folder.toUri() + "*.parquet");
    assertEquals(0, check.code(), check.err());
    assertTrue(check.out().contains("a.parquet: 25 rows in 3 row groups"), check.out());
    assertTrue(check.out().contains("  half: float"), check.out());
    assertTrue(check.out().endsWith("2 files, 0 can't be read\n"), check.out());
  }

  @Test
  void aPathThatIsNotThereIsRefused() {
    Invocation check = Invocation.of("check", folder.toUri() + "none", "--json");
    assertEquals(2, check.code());
    assertTrue(check.err().contains("none"), check.err());
  }
}
