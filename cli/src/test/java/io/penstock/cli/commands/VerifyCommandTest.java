package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.cli.Datasets;
import io.penstock.cli.Invocation;
import io.penstock.cli.PastJobs;
import io.penstock.model.Cursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Row groups of 5, 4 and 3 rows, the worked example of docs/order.md: its digest of epoch 0 was
 * computed with NumPy.
 */
@Timeout(120)
class VerifyCommandTest {
  private static final String ORDER =
      "seed: %d, lanes: 2, batch: 4, window: 2, remainder: drop, epochs: 2";
  private static final String EPOCH_0 = "2527cff3c720260fd065b45466d72ccc";
  private static final String A = "application_1700000000000_0001";
  private static final String B = "application_1700000000000_0002";

  @TempDir private Path folder;
  private PastJobs jobs;
  private Path feed;

  @BeforeEach
  void write() throws IOException {
    jobs = new PastJobs(folder.resolve("history"));
    feed = feed("data", 7, -1);
  }

  /** A feed over a dataset of its own; the value of row {@code changed} differs. */
  private Path feed(String name, long seed, int changed) throws IOException {
    Path data = folder.resolve(name);
    int[] rows = {5, 4, 3};
    int first = 0;
    for (int file = 0; file < rows.length; file++) {
      int before = first;
      Files.deleteIfExists(data.resolve("f" + file + ".parquet"));
      Datasets.write(
          data.resolve("f" + file + ".parquet"),
          "required int64 id; required double half;",
          rows[file],
          (group, row) -> {
            long number = before + row;
            group.append("id", number).append("half", number == changed ? 1000.5 : number / 2.0);
          });
      first += rows[file];
    }
    Path file = folder.resolve(name + seed + ".yaml");
    return Datasets.feed(file, data, ORDER.formatted(seed));
  }

  private Invocation penstock(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(1, jobs.option());
    return Invocation.of(all.toArray(String[]::new));
  }

  private static void assertCode(int code, Invocation invocation) {
    assertEquals(code, invocation.code(), () -> invocation.out() + invocation.err());
  }

  @Test
  void aJobThatDeliveredItsPlanVerifies() {
    jobs.run(A, feed, 2, 64, new Cursor(2, 0), 0);
    Invocation verify = penstock("verify", A, "--json");
    assertCode(0, verify);
    JsonNode first = verify.json().get("checks").get(0);
    assertEquals(EPOCH_0, first.get("expected").asText());
    assertEquals(EPOCH_0, first.get("found").asText());
    assertEquals(2, verify.json().get("checks").size());
  }

  @Test
  void aWrongEpochIsDifferentThoughItsDatasetIsGone() throws IOException {
    jobs.run(A, feed, 1, 1, new Cursor(2, 0), 5);
    Files.delete(folder.resolve("data/f1.parquet"));
    Invocation verify = penstock("verify", A);
    assertCode(1, verify);
    assertTrue(verify.out().contains("DIFFERENT  epoch 0"), verify.out());
    assertTrue(verify.out().contains("not " + EPOCH_0), verify.out());
  }

  @Test
  void jobsOfOtherRanksAndBlocksAreEqualAlsoWhereOneWasKilled() {
    jobs.run(A, feed, 1, 1, new Cursor(2, 0), 0);
    jobs.run(B, feed, 2, 64, new Cursor(1, 2), 0);
    Invocation verify = penstock("verify", A, B);
    assertCode(0, verify);
    assertTrue(verify.out().contains("equal      epoch 0: order " + EPOCH_0), verify.out());
    assertTrue(verify.out().contains("equal      epoch 1, 1 stretches"), verify.out());
  }

  @Test
  void anotherSeedPartsInTheFirstBatchWithTheRowsNamed() throws IOException {
    jobs.run(A, feed, 1, 1, new Cursor(2, 0), 0);
    jobs.run(B, feed("data", 8, -1), 1, 1, new Cursor(2, 0), 0);
    Invocation verify = penstock("verify", A, B);
    assertCode(1, verify);
    assertTrue(verify.out().contains("order.seed: 7, now 8"), verify.out());
    assertTrue(verify.out().contains("they part in epoch 0, steps 0:1"), verify.out());
    assertTrue(verify.out().contains("step 0, position 0: row 10 (file"), verify.out());
  }

  /** By the worked example row 9 is at place 1 of global batch 1, which is position 5. */
  @Test
  void anotherValueIsFoundWithStepPositionAndTensor() throws IOException {
    jobs.run(A, feed, 1, 1, new Cursor(2, 0), 0);
    jobs.run(B, feed("other", 7, 9), 2, 1, new Cursor(2, 0), 0);
    Invocation verify = penstock("verify", A, B);
    assertCode(1, verify);
    assertTrue(
        verify.out().contains("they part in epoch 0, steps 1:2: other values"), verify.out());
    assertTrue(
        verify.out().contains("step 1, position 5, row 9: tensor pair differs"), verify.out());
  }

  @Test
  void deepReadsTheDataAgain() throws IOException {
    jobs.run(A, feed, 2, 1, new Cursor(2, 0), 0);
    assertCode(0, penstock("verify", A, "--deep", "--steps", "0:3", "--epoch", "1"));
    feed("data", 7, 9);
    Invocation changed = penstock("verify", A, "--deep", "--steps", "0:3");
    assertCode(1, changed);
    assertTrue(changed.out().contains("DIFFERENT  epoch 0, steps 1:2: values"), changed.out());
    assertTrue(changed.out().contains("equal      epoch 0, steps 0:1: values"), changed.out());
  }

  @Test
  void theCertificateIsWhatThePythonPackageReads() throws IOException {
    jobs.run(A, feed, 2, 64, new Cursor(1, 2), 0);
    Path file = folder.resolve("certificate.json");
    assertCode(0, penstock("verify", A, "--certificate", file.toString()));
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertEquals(
        "{\"seed\":7,\"lanes\":2,\"batch\":4,\"window\":2,\"shuffle\":\"rows\",\"deal\":\"fixed\","
            + "\"remainder\":\"drop\"}",
        json.get("order").toString());
    assertEquals("[5,4,3]", json.get("row_groups").toString());
    assertEquals(EPOCH_0, json.get("epochs").get(0).get("order").asText());
    assertEquals(2, json.get("epochs").get(1).get("to_step").asInt());
  }

  @Test
  void peekMakesTheBatchOfAPastJobAndARanksPartOfIt() {
    jobs.run(A, feed, 2, 64, new Cursor(2, 0), 0);
    JsonNode whole = penstock("peek", A, "--step", "1", "--json").json();
    assertEquals(
        Invocation.of("peek", "--feed", feed.toString(), "--step", "1", "--json")
            .json()
            .get("values_digest"),
        whole.get("values_digest"));
    Invocation rank = penstock("peek", A, "--step", "1", "--rank", "1");
    assertCode(0, rank);
    assertTrue(rank.out().contains("11"), rank.out());
  }

  @Test
  void aJobWithoutHistoryIsRefused() {
    Invocation verify = penstock("verify", A);
    assertCode(2, verify);
    assertTrue(verify.err().contains("has no history in"), verify.err());
  }
}
