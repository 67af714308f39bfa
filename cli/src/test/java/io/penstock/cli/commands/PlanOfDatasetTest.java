package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.cli.Datasets;
import io.penstock.cli.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanOfDatasetTest {
  @TempDir Path folder;
  private Path feed;

  @BeforeEach
  void write() throws IOException {
    Path dataset = Datasets.numbers(folder.resolve("data"));
    feed =
        Datasets.feed(
            folder.resolve("feed.yaml"), dataset, "seed: 7, lanes: 2, batch: 8, window: 2");
  }

  private Invocation plan(String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "plan";
    arguments[1] = "--feed";
    arguments[2] = feed.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Invocation.of(arguments);
  }

  /** 40 rows in 5 row groups, 20 a lane, 4 a lane and step; a row has 8 + 2 * 4 bytes. */
  @Test
  void itCountsWhatTheFootersSay() {
    Invocation plan = plan("--ranks", "4", "--json");
    assertEquals(0, plan.code(), plan.err());
    JsonNode json = plan.json();
    assertEquals(2, json.get("files").intValue());
    assertEquals(5, json.get("row_groups").intValue());
    assertEquals(40, json.get("rows").intValue());
    assertEquals(5, json.get("steps").intValue());
    assertEquals(16, json.get("row_bytes").intValue());
    assertEquals(2, json.get("lanes").size());
    for (JsonNode lane : json.get("lanes")) {
      assertEquals(20, lane.get("rows").intValue());
      assertEquals(2, lane.get("read_by_ranks").intValue());
    }
    assertTrue(json.get("memory_per_rank").get("fits").booleanValue());
    assertTrue(json.get("memory_per_rank").get("window_bytes").longValue() > 0);
    assertTrue(json.get("cache").get("holds_all").booleanValue());
    assertEquals("[2]", json.get("tensors").get(1).get("item_shape").toString());
  }

  @Test
  void anEpochsOrderIsThatOfTheSameRowGroupsWithoutADataset() {
    JsonNode expected =
        Invocation.of(
                "plan",
                "--row-groups=10,10,5,10,5",
                "--seed=7",
                "--lanes=2",
                "--batch=8",
                "--window=2",
                "--epochs=3",
                "--json")
            .json()
            .get("epochs")
            .get(0);
    JsonNode json = plan("--epoch", "3", "--json").json();
    assertEquals(expected.get("order_digest"), json.get("order_digest"));
    assertEquals(expected.get("first_rows"), json.get("first_rows"));
  }

  @Test
  void textSaysWhetherMemoryAndCacheAreEnough() {
    Invocation plan =
        plan("-Dpenstock.cache.quota=1k", "-Dpenstock.container.memory=64m", "--ranks=2");
    assertEquals(0, plan.code(), plan.err());
    assertTrue(plan.out().contains("40 rows in 5 row groups of 2 files"), plan.out());
    assertTrue(plan.out().contains("does not hold all of it"), plan.out());
    assertTrue(plan.out().contains("do not fit"), plan.out());
    assertTrue(plan.out().contains("penstock.container.memory"), plan.out());
  }

  @Test
  void ranksThatDoNotDivideTheBatchAreRefused() {
    Invocation plan = plan("--ranks", "3");
    assertEquals(2, plan.code());
    assertEquals("penstock: ranks must divide batch: ranks=3 batch=8\n", plan.err());
  }

  @Test
  void aColumnThatIsNotThereNamesTheNearest() throws IOException {
    Files.writeString(feed, Files.readString(feed).replace("[half, id]", "[hafl, id]"));
    Invocation plan = plan();
    assertEquals(2, plan.code());
    assertTrue(plan.err().contains("hafl") && plan.err().contains("half"), plan.err());
  }

  @Test
  void aPathThatIsOnThisMachineAloneIsSaidToBe() throws IOException {
    Files.writeString(
        feed, Files.readString(feed).replaceAll("paths: .*", "paths: [" + folder + "/data]"));
    Path empty = Files.createDirectories(folder.resolve("empty"));
    Invocation plan =
        plan("-fs", "viewfs://c/", "-Dfs.viewfs.mounttable.c.link./x=" + empty.toUri());
    assertEquals(2, plan.code(), plan.err());
    assertTrue(
        plan.err().contains("for this machine's write file://" + folder + "/data"), plan.err());
  }

  @Test
  void allErrorsOfAFeedComeAtOnceWithTheirLines() throws IOException {
    Files.writeString(
        feed, Files.readString(feed).replace("seed: 7", "seed: -7").replace("int64}", "int63}"));
    Invocation plan = plan();
    assertEquals(2, plan.code());
    assertEquals(2, plan.err().lines().count(), plan.err());
    assertTrue(plan.err().contains("feed.yaml:4:"), plan.err());
    assertTrue(plan.err().contains("feed.yaml:6:"), plan.err());
  }

  @Test
  void optionsOfTheOtherFormAreRefused() {
    assertEquals(2, plan("--seed=1").code());
    assertEquals(2, Invocation.of("plan", "--ranks=1", "--row-groups=1").code());
  }
}
