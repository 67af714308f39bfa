package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.cli.Datasets;
import io.penstock.cli.Invocation;
import io.penstock.cli.PastJobs;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.Quarantined;
import io.penstock.model.Cursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  void aDamagedCertificateFileIsNamed() throws IOException {
    jobs.run(A, feed, 1, 1, new Cursor(2, 0), 5);
    Path certificates = folder.resolve("history").resolve(A).resolve("certificates/train");
    try (var files = Files.list(certificates)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".cert")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        // The second of the records of 96 bytes behind the header of 136.
        bytes[136 + 96 + 20] ^= 1;
        Files.write(file, bytes);
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
      }
    }
    Invocation verify = penstock("verify", A);
    assertCode(1, verify);
    assertTrue(verify.err().contains("a broken record at byte 232: "), verify.err());
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

  /** Row 6 of the dataset, in row group 1 of 4 rows, has no value: the feed does not allow that. */
  private Path feedWithABadRowGroup() throws IOException {
    Path data = folder.resolve("bad");
    int[] rows = {5, 4, 3};
    int first = 0;
    for (int file = 0; file < rows.length; file++) {
      int before = first;
      Datasets.write(
          data.resolve("f" + file + ".parquet"),
          "required int64 id; optional double half;",
          rows[file],
          (group, row) -> {
            long number = before + row;
            group.append("id", number);
            if (number != 6) {
              group.append("half", number / 2.0);
            }
          });
      first += rows[file];
    }
    Path file = Datasets.feed(folder.resolve("bad.yaml"), data, ORDER.formatted(7));
    String paths = "  paths: [\"" + data.toUri() + "\"]\n";
    return Files.writeString(
        file,
        Files.readString(file)
            .replace(paths, paths + "  bad_row_group: quarantine\n  max_bad_rows: 0.5\n"));
  }

  private Decision quarantine(long n, String feed) {
    Quarantined bad =
        new Quarantined(1, "file:" + folder.resolve("bad/f1.parquet"), 0, 4, "a null, row 1");
    return new Decision(n, 9, Quarantined.DECISION, bad.told(feed));
  }

  /** By the worked example the rows of epoch 0 are all delivered, so 4 of row group 1. */
  @Test
  void quarantinedRowsAreCountedAgainstThePlanAndReadAgainAsNotValid() throws IOException {
    Path bad = feedWithABadRowGroup();
    Cursor end = new Cursor(2, 0);
    jobs.run(A, Map.of("train", bad), List.of(quarantine(1, "train")), end);
    Invocation verify = penstock("verify", A);
    assertCode(0, verify);
    assertTrue(verify.out().contains("equal      epoch 0: rows quarantined 4"), verify.out());
    assertTrue(verify.out().contains("row group 0, 4 rows: a null, row 1"), verify.out());
    Invocation deep = penstock("verify", A, "--deep", "--steps", "0:3");
    assertCode(0, deep);
    // Global batches 10 5 3 2, 6 9 11 0, 8 7 1 4: one, one and two rows of 5 to 8.
    for (String block : List.of("0:1: rows quarantined 1", "1:2: rows quarantined 1")) {
      assertTrue(deep.out().contains("equal      epoch 0, steps " + block), deep.out());
    }
    assertTrue(deep.out().contains("steps 2:3: rows quarantined 2"), deep.out());

    jobs.run(B, Map.of("train", bad), List.of(), end);
    Invocation concealed = penstock("verify", B);
    assertCode(1, concealed);
    assertTrue(
        concealed.out().contains("DIFFERENT  epoch 0: rows quarantined 4, not 0"), concealed.out());
  }

  @Test
  void aJobOfSeveralFeedsIsProvedFeedByFeed() throws IOException {
    Path valid = feed("valid", 9, -1);
    jobs.run(A, Map.of("train", feed, "valid", valid), List.of(), new Cursor(2, 0));
    Invocation all = penstock("verify", A, "--json");
    assertCode(0, all);
    assertEquals(4, all.json().get("checks").size());
    assertEquals("feed train, epoch 0", all.json().get("checks").get(0).get("what").asText());
    assertEquals(
        2, penstock("verify", A, "--feed-name", "valid", "--json").json().get("checks").size());
    assertCode(0, penstock("verify", A, A));
    Path file = folder.resolve("valid.json");
    Invocation vague = penstock("verify", A, "--certificate", file.toString());
    assertCode(2, vague);
    assertTrue(vague.err().contains("--feed-name, one of train, valid"), vague.err());
    assertCode(0, penstock("verify", A, "--feed-name", "valid", "--certificate", file.toString()));
    assertEquals(9, new ObjectMapper().readTree(file.toFile()).at("/order/seed").asInt());
    assertCode(2, penstock("verify", A, "--feed-name", "test"));
    assertCode(2, penstock("peek", A, "--step", "1"));
    assertEquals(
        Invocation.of("peek", "--feed", valid.toString(), "--step", "1", "--json").json(),
        penstock("peek", A, "--feed-name", "valid", "--step", "1", "--json").json());
  }

  @Test
  void aCertificateIsProvedByThePythonPackageAndATamperedOneIsNot() throws Exception {
    jobs.run(A, feed, 2, 1, new Cursor(1, 2), 0);
    Path file = folder.resolve("certificate.json");
    assertCode(0, penstock("verify", A, "--certificate", file.toString()));
    assertEquals("0 equal: 2 of 2", python(file));
    Files.writeString(
        file,
        Files.readString(file)
            .replaceFirst(
                "(?s)(\"from_step\" : 1,\\s+\"to_step\" : 2,\\s+\"order\" : \")[0-9a-f]{32}",
                "$1" + "0".repeat(32)));
    String doubted = python(file);
    assertTrue(doubted.startsWith("1 "), doubted);
    assertTrue(doubted.contains("the first block that differs: steps 1:2"), doubted);
  }

  /** Exit code and last line that speaks of blocks, or else the last. */
  private static String python(Path certificate) throws Exception {
    Path repository = Path.of("").toAbsolutePath().getParent();
    ProcessBuilder builder =
        new ProcessBuilder(
                System.getProperty(
                    "penstock.python", repository.resolve("target/venv/bin/python").toString()),
                "-m",
                "penstock.order",
                "verify",
                certificate.toString())
            .redirectErrorStream(true);
    builder.environment().put("PYTHONPATH", repository.resolve("python").toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "waited 60 s for Python to end");
    return process.exitValue()
        + " "
        + lines.stream()
            .filter(line -> line.contains("block"))
            .findFirst()
            .orElse(lines.get(lines.size() - 1));
  }

  @Test
  void dataThatAreGoneCanNotBeReadAgainAndThatIsSaid() throws IOException {
    jobs.run(A, feed, 2, 1, new Cursor(2, 0), 0);
    Files.delete(folder.resolve("data/f1.parquet"));
    Invocation deep = penstock("verify", A, "--deep", "--steps", "0:1");
    assertCode(1, deep);
    assertTrue(deep.out().contains("is gone: file"), deep.out());
    assertTrue(deep.out().contains("f1.parquet"), deep.out());
    assertCode(0, penstock("verify", A));
  }

  @Test
  void aJobWithoutHistoryIsRefused() {
    Invocation verify = penstock("verify", A);
    assertCode(2, verify);
    assertTrue(verify.err().contains("has no history in"), verify.err());
  }
}
