package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.cli.Invocation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private static ArrayNode published() throws IOException {
    try (InputStream in =
        JSON.getClass().getResourceAsStream("/io/penstock/plan/order-vectors.json")) {
      return (ArrayNode) JSON.readTree(in).get("larger_plans");
    }
  }

  private String file(JsonNode cases) throws IOException {
    return file(cases.toString());
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("cases.json"), text).toString();
  }

  @Test
  void thePublishedCasesHold() throws IOException {
    ArrayNode expected = published();
    assertFalse(expected.isEmpty());
    ArrayNode asked = expected.deepCopy();
    asked.forEach(one -> ((ObjectNode) one).remove("epochs"));
    Invocation plan = Invocation.of("plan", "--cases", file(asked), "--json");
    assertEquals("", plan.err());
    assertEquals(0, plan.code());
    assertEquals(expected, plan.json());
  }

  @Test
  void epochsThatAreGivenAreWorkedOutAnew() throws IOException {
    ArrayNode wrong = published();
    wrong.forEach(one -> ((ObjectNode) one).putArray("epochs").add("wrong"));
    assertEquals(published(), Invocation.of("plan", "--cases", file(wrong), "--json").json());
  }

  @Test
  void optionsGiveTheSameAsAFile() throws IOException {
    for (JsonNode one : published()) {
      List<String> rows = new ArrayList<>();
      one.get("rows").forEach(n -> rows.add(n.asText()));
      List<String> epochs = new ArrayList<>();
      one.get("want_epochs").forEach(n -> epochs.add(n.asText()));
      Invocation plan =
          Invocation.of(
              "plan",
              "--row-groups",
              String.join(",", rows),
              "--seed=" + one.get("seed").asText(),
              "--lanes=" + one.get("lanes").asText(),
              "--batch=" + one.get("batch").asText(),
              "--window=" + one.get("window").asText(),
              "--shuffle=" + one.get("shuffle").asText(),
              "--deal=" + one.get("deal").asText(),
              "--remainder=" + one.get("remainder").asText(),
              "--epochs",
              String.join(",", epochs),
              "--json");
      assertEquals(0, plan.code(), plan.err());
      assertEquals(one, plan.json());
    }
  }

  /** With shuffle none the rows are those of the lanes one after the other, counted by hand. */
  @Test
  void textTellsTheSame() {
    Invocation plan =
        Invocation.of(
            "plan",
            "--row-groups",
            "3,3",
            "--seed",
            "5",
            "--lanes",
            "2",
            "--batch",
            "4",
            "--shuffle",
            "none",
            "--remainder",
            "pad");
    assertEquals(0, plan.code());
    assertTrue(plan.out().contains("rows 6 in 2 row groups, 2 steps of 4 rows"), plan.out());
    assertTrue(plan.out().contains("first rows    [0, 1, 3, 4]"), plan.out());
    assertTrue(plan.out().contains("last rows     [2, 0, 5, 3]"), plan.out());
    assertTrue(plan.out().contains("padding       2"), plan.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"rows\":[5],\"seed\":-1,\"lanes\":1,\"batch\":1}"
            + "| case 1: must be a whole number >= 0 and < 2^63: seed=-1",
        "{\"rows\":[5],\"seed\":9223372036854775808,\"lanes\":1,\"batch\":1}"
            + "| case 1: must be a whole number >= 0 and < 2^63: seed=9223372036854775808",
        "{\"rows\":[5],\"seed\":1.0,\"lanes\":1,\"batch\":1}"
            + "| case 1: must be a whole number >= 0 and < 2^63: seed=1.0",
        "{\"rows\":[5,0],\"seed\":1,\"lanes\":1,\"batch\":1}"
            + "| case 1: must be a whole number >= 1 and < 2^31: rows=0",
        "{\"rows\":[],\"seed\":1,\"lanes\":1,\"batch\":1}"
            + "| case 1: must be a list of whole numbers, at least one: rows=[]",
        "{\"rows\":[5],\"lanes\":1,\"batch\":1}"
            + "| case 1: must be a whole number >= 0 and < 2^63: seed is missing",
        "{\"rows\":[5],\"seed\":1,\"lanes\":2,\"batch\":3}"
            + "| case 1: must be a multiple of lanes and >= 1: batch=3 lanes=2",
        "{\"rows\":[5],\"seed\":1,\"lanes\":6,\"batch\":6}"
            + "| case 1: each lane needs a row: the dataset has rows=5, lanes=6",
        "{\"rows\":[5],\"seed\":1,\"lanes\":1,\"batch\":6}"
            + "| case 1: no batch can be filled: the dataset has rows=5 and one batch takes 6",
        "{\"rows\":[5],\"seed\":1,\"lanes\":1,\"batch\":1,\"shuffle\":\"row\"}"
            + "| case 1: must be one of none, row-groups, rows: shuffle=row; did you mean 'rows'?",
        "{\"rows\":[5],\"seed\":1,\"lane\":1,\"lanes\":1,\"batch\":1}"
            + "| case 1: unknown field: lane; did you mean 'lanes'?",
        "{\"rows\":[5],\"seed\":1,\"lanes\":1,\"batch\":1,\"want_epochs\":[4294967296]}"
            + "| case 1: must be a whole number >= 0 and < 2^32: want_epochs=4294967296",
        "[]| case 1: must be an object",
      })
  void aBadCaseIsNamedWithItsField(String bad, String message) throws IOException {
    String good = "{\"rows\":[5],\"seed\":1,\"lanes\":1,\"batch\":1}";
    String file = file("[" + good + "," + bad + "]");
    Invocation plan = Invocation.of("plan", "--cases", file, "--json");
    assertEquals(2, plan.code());
    assertTrue(plan.err().contains(file + ": " + message), plan.err());
  }

  @Test
  void allBadCasesAreNamedAtOnce() throws IOException {
    String file = file("[{\"rows\":[5],\"seed\":-1,\"lanes\":0,\"batch\":1}, 7]");
    Invocation plan = Invocation.of("plan", "--cases", file);
    assertEquals(3, plan.err().lines().count(), plan.err());
  }

  @ParameterizedTest
  @CsvSource({
    "'[', not JSON",
    "'{}', must be an array of cases",
    "'[{\"a\":1,\"a\":2}]', Duplicate"
  })
  void whatIsNoListOfCasesIsRefused(String text, String message) throws IOException {
    Invocation plan = Invocation.of("plan", "--cases", file(text));
    assertEquals(2, plan.code());
    assertTrue(plan.err().contains(message), plan.err());
  }

  @Test
  void optionsAreNamedAsTheyAreTyped() {
    Invocation plan =
        Invocation.of("plan", "--row-groups", "5,x", "--seed", "1", "--lanes", "1", "--batch", "1");
    assertEquals(2, plan.code());
    assertTrue(
        plan.err().contains("must be a whole number >= 1 and < 2^31: --row-groups=x"), plan.err());
  }

  @Test
  void aFileThatIsNotThereIsRefused() {
    Invocation plan = Invocation.of("plan", "--cases", folder + "/none.json");
    assertEquals(2, plan.code());
    assertTrue(plan.err().contains("there is no such file: --cases " + folder), plan.err());
  }
}
