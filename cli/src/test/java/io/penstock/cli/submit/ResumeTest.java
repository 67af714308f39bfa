package io.penstock.cli.submit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.cli.Datasets;
import io.penstock.cli.Invocation;
import io.penstock.cli.PastJobs;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.coordination.records.Resumption;
import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import io.penstock.model.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** 40 rows, batches of 8 with two lanes: 5 steps an epoch, 3 epochs. */
@Timeout(120)
class ResumeTest {
  private static final String A = "application_1700000000000_0001";
  private static final String B = "application_1700000000000_0002";
  private static final String C = "application_1700000000000_0003";
  private static final String ORDER = "seed: 7, lanes: 2, batch: 8, window: 2, remainder: pad";

  @TempDir private Path folder;
  private PastJobs jobs;
  private Path data;
  private Path feed;

  @BeforeEach
  void write() throws IOException {
    jobs = new PastJobs(folder.resolve("history"));
    data = Datasets.numbers(folder.resolve("data"));
    feed = feed("feed.yaml", ORDER, 3);
  }

  private Path feed(String name, String order, int epochs) throws IOException {
    return Datasets.feed(folder.resolve(name), data, order + ", epochs: " + epochs);
  }

  private Resume resume(String application, Optional<Path> other, Optional<Cursor> from) {
    Configuration configuration = new Configuration(false);
    configuration.set("penstock.history.dir", folder.resolve("history").toUri().toString());
    PrintStream nowhere =
        new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
    return Resume.of(
        application,
        other.map(Path::toString),
        from,
        new CommandContext(
            new Console(nowhere, nowhere, Console.Format.TEXT), configuration, Map.of()));
  }

  private Resumption.Start start(String application, Cursor from) {
    return resume(application, Optional.empty(), Optional.ofNullable(from))
        .resumption()
        .feeds()
        .get("train");
  }

  private String refused(String application, Optional<Path> other, Cursor from) {
    return assertThrows(
            UsageException.class, () -> resume(application, other, Optional.ofNullable(from)))
        .getMessage();
  }

  /** The whole of epoch 1 as a job delivered it that nobody disturbed. */
  private String undisturbed(String application, String kind) {
    Invocation peek =
        Invocation.of("peek", "--feed", feed.toString(), "--step", "0:5", "--epoch", "1", "--json");
    return peek.json().get(kind + "_digest").asText();
  }

  @Test
  void resumingTwiceWithinAnEpochGivesTheDigestsOfAnUndisturbedRun() {
    jobs.run(A, feed, 2, 64, new Cursor(1, 2), 0);
    Resume second = resume(A, Optional.empty(), Optional.empty());
    assertEquals(new Cursor(1, 2), second.resumption().feeds().get("train").cursor());
    assertEquals(16, second.resumption().feeds().get("train").sums().rows());
    jobs.run(B, feed, 1, 64, Optional.of(second.resumption()), new Cursor(1, 3), 0);
    Resume third = resume(B, Optional.empty(), Optional.empty());
    assertEquals(24, third.resumption().feeds().get("train").sums().rows());
    jobs.run(C, feed, 4, 2, Optional.of(third.resumption()), new Cursor(3, 0), 0);
    Invocation verify = Invocation.of("verify", jobs.option(), C, "--json");
    assertEquals(0, verify.code(), verify.err());
    assertEquals(3, verify.json().get("checks").size());
    assertEquals(undisturbed(C, "order"), verify.json().get("checks").get(1).get("found").asText());
    Invocation both =
        Invocation.of("verify", jobs.option(), C, "--deep", "--steps", "0:5", "--epoch", "1");
    assertEquals(0, both.code(), both.out() + both.err());
    assertTrue(both.out().contains("steps 2:3: values"), both.out());
  }

  @Test
  void theCertificateOfAJobThatWentOnCoversEveryPositionOfTheJobsBeforeOnce() throws IOException {
    jobs.run(A, feed, 2, 1, new Cursor(1, 2), 0);
    Resumption second = resume(A, Optional.empty(), Optional.empty()).resumption();
    jobs.run(B, feed, 1, 2, Optional.of(second), new Cursor(2, 3), 0);
    Resumption third = resume(B, Optional.empty(), Optional.of(new Cursor(2, 2))).resumption();
    jobs.run(C, feed, 4, 64, Optional.of(third), new Cursor(3, 0), 0);
    Path file = folder.resolve("certificate.json");
    Invocation verify = Invocation.of("verify", jobs.option(), C, "--certificate", file.toString());
    assertEquals(0, verify.code(), verify.out() + verify.err());
    assertTrue(verify.out().contains("went on from " + B + " at 2:2"), verify.out());
    JsonNode epochs = new ObjectMapper().readTree(file.toFile()).get("epochs");
    List<String> blocks = new ArrayList<>();
    for (JsonNode epoch : epochs) {
      for (JsonNode block : epoch.get("blocks")) {
        blocks.add(
            "%s:%s-%s".formatted(epoch.get("epoch"), block.get("from_step"), block.get("to_step")));
      }
    }
    assertEquals(
        List.of(
            "0:0-1", "0:1-2", "0:2-3", "0:3-4", "0:4-5", "1:0-1", "1:1-2", "1:2-4", "1:4-5",
            "2:0-2", "2:2-5"),
        blocks);
    // What was before is known from the earlier jobs; without it the job proves its own part.
    deleteHistory(A);
    Invocation without = Invocation.of("verify", jobs.option(), C);
    assertEquals(0, without.code(), without.out() + without.err());
    assertTrue(without.err().contains(A), without.err());
    assertTrue(without.out().contains("equal      epoch 2"), without.out());
  }

  private void deleteHistory(String application) throws IOException {
    try (var files = Files.walk(folder.resolve("history").resolve(application))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void atTheVeryEndOfAnEpochTheNextOneBegins() {
    jobs.run(A, feed, 2, 64, new Cursor(1, 0), 0);
    Resumption.Start start = start(A, null);
    assertEquals(new Cursor(1, 0), start.cursor());
    assertEquals(Sums.NONE, start.sums());
  }

  @Test
  void aJobKilledBeforeItsFirstCommitBeginsAnew() {
    jobs.run(A, feed, 2, 64, Cursor.START, 0);
    assertEquals(Cursor.START, start(A, null).cursor());
  }

  @Test
  void aResumedJobKilledBeforeItBeganGoesOnWhereTheFirstOneWas() {
    jobs.run(A, feed, 2, 64, new Cursor(1, 2), 0);
    Resumption second = resume(A, Optional.empty(), Optional.empty()).resumption();
    jobs.run(B, feed, 2, 64, Optional.of(second), Cursor.START, 0);
    assertEquals(second.feeds().get("train"), start(B, null));
  }

  @Test
  void pastTheLastStepNothingIsLeftUnlessTheFeedHasMoreEpochs() throws IOException {
    jobs.run(A, feed, 2, 64, new Cursor(3, 0), 0);
    assertTrue(refused(A, Optional.empty(), null).contains("nothing is left to deliver"));
    Path longer = feed("longer.yaml", ORDER, 4);
    Resume resume = resume(A, Optional.of(longer), Optional.empty());
    assertEquals(new Cursor(3, 0), resume.resumption().feeds().get("train").cursor());
  }

  @Test
  void fromTakesABlocksEndWithItsSumsAndNamesTheNearestOtherwise() {
    jobs.run(A, feed, 2, 2, new Cursor(1, 0), 0);
    Resumption.Start start = start(A, new Cursor(0, 4));
    assertEquals(32, start.sums().rows());
    assertEquals(
        Invocation.of("peek", "--feed", feed.toString(), "--step", "0:4", "--json")
            .json()
            .get("values_digest")
            .asText(),
        start.sums().values().hex());
    assertTrue(refused(A, Optional.empty(), new Cursor(0, 3)).contains("that it has is 0:2"));
    assertTrue(refused(A, Optional.empty(), new Cursor(2, 0)).contains("must be <= 1:0"));
    assertTrue(refused(A, Optional.empty(), new Cursor(0, 5)).contains("must be a step"));
  }

  @Test
  void anotherFeedIsRefusedWithWhatDiffers() throws IOException {
    jobs.run(A, feed, 2, 64, new Cursor(1, 0), 0);
    Path other = feed("other.yaml", ORDER.replace("seed: 7", "seed: 9"), 3);
    String message = refused(A, Optional.of(other), null);
    assertTrue(message.contains("order.seed: 7, now 9"), message);
  }

  @Test
  void filesThatChangedAreRefusedAndNewOnesAreNot() throws IOException {
    jobs.run(A, feed, 2, 64, new Cursor(1, 0), 0);
    Files.copy(data.resolve("a.parquet"), data.resolve("c.parquet"));
    Resume resume = resume(A, Optional.empty(), Optional.empty());
    assertEquals(2, resume.past().prepared().catalog().files().size());
    assertArrayEquals(resume.past().catalogBytes(), resume.files().get("train.catalog.json.gz"));
    Files.setLastModifiedTime(data.resolve("b.parquet"), FileTime.fromMillis(1_000));
    String modified = refused(A, Optional.empty(), null);
    assertTrue(modified.contains("was modified at 1970-01-01T00:00:01Z"), modified);
    assertTrue(modified.contains("b.parquet"), modified);
    Files.delete(data.resolve("a.parquet"));
    assertTrue(refused(A, Optional.empty(), null).contains("is gone: file"));
  }

  @Test
  void anotherFooterIsRefusedThoughLengthAndTimeAreTheSame() throws IOException {
    jobs.run(A, feed, 2, 64, new Cursor(1, 0), 0);
    Path file = data.resolve("b.parquet");
    FileTime time = Files.getLastModifiedTime(file);
    byte[] bytes = Files.readAllBytes(file);
    // The writer's name is in the footer.
    int at = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf("parquet-mr");
    bytes[at] = 'P';
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, time);
    String message = refused(A, Optional.empty(), null);
    assertTrue(message.contains("has another footer: file"), message);
    Files.write(file, Arrays.copyOf(bytes, bytes.length + 7));
    message = refused(A, Optional.empty(), null);
    String lengths = "has %d bytes, had %d: file".formatted(bytes.length + 7, bytes.length);
    assertTrue(message.contains(lengths), message);
  }
}
