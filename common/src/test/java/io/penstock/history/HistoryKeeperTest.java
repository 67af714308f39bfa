package io.penstock.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.config.HistorySettings;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RunState;
import io.penstock.coordination.records.Sums;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HistoryKeeperTest {
  private static final String APP = "application_1700000000000_0042";
  private static final Configuration CONFIGURATION = new Configuration(false);

  @TempDir private Path dir;

  private HistorySettings settings() {
    return new HistorySettings(
        dir.toUri().toString(), Duration.ofDays(90), 64, Duration.ofSeconds(20));
  }

  private static JobSpec spec() {
    FeedSpec feed =
        new FeedSpec(
            "aa",
            "bb",
            "train.feed.yaml",
            "train.catalog.json.gz",
            2,
            2,
            4,
            10,
            3,
            41,
            0,
            "rows",
            2);
    return new JobSpec(
        APP,
        "rides",
        "ann",
        "default",
        1_700_000_000_000L,
        "0.1.0",
        "/staging",
        Map.of("train", feed));
  }

  private static EpochRecord epoch(long number) {
    return new EpochRecord(
        number,
        10,
        40,
        0,
        1.5,
        0.25,
        40,
        0,
        new Digest128(number, 7),
        new Digest128(-number, 8),
        0,
        List.of());
  }

  private static Agreed agreed(int generation, Cursor cursor) {
    return new Agreed(generation, 2, Cursor.START, Sums.NONE, cursor, Sums.NONE, List.of());
  }

  private static JobState state(RunState state) {
    return new JobState(state, "", 0, 1, 1, 0, 5, 6);
  }

  private HistoryKeeper keeper(int attempt) {
    return HistoryKeeper.start(
        new HistoryFolder(settings().dir(), APP),
        JobHistory.of(spec(), Optional.empty()),
        Map.of(
            "train.feed.yaml",
            out -> out.write(("feed of attempt " + attempt).getBytes(StandardCharsets.UTF_8)),
            "train.catalog.json.gz",
            out -> out.write(new byte[] {1, 2, 3})),
        attempt,
        CONFIGURATION,
        settings().timeout(),
        SystemClock.INSTANCE);
  }

  @Test
  void whatWasToldIsReadBackOnceTheKeeperIsClosed() {
    HistoryKeeper keeper = keeper(1);
    keeper.decision(new Decision(1, 9, "started", "generation 1"));
    keeper.agreed("train", agreed(1, new Cursor(1, 0)));
    keeper.epoch("train", epoch(0));
    keeper.epoch("train", epoch(1));
    keeper.agreed("train", agreed(1, new Cursor(2, 4)));
    keeper.state(state(RunState.SUCCEEDED));
    keeper.close();
    try (PastJob job = PastJob.open(APP, CONFIGURATION, settings())) {
      JobHistory history = job.history();
      assertEquals(spec(), history.spec());
      assertEquals(Optional.of(state(RunState.SUCCEEDED)), history.state());
      assertEquals(List.of(epoch(0), epoch(1)), history.feed("train").epochs());
      assertEquals(new Cursor(2, 4), history.feed("train").agreed().cursor());
      assertEquals(List.of(new Decision(1, 9, "started", "generation 1")), history.decisions());
      assertEquals("feed of attempt 1", job.feedText("train"));
      assertArrayEquals(new byte[] {1, 2, 3}, job.catalog("train"));
    }
  }

  @Test
  void aLaterAttemptAddsToWhatAnEarlierOneKeptAndLeavesTheFilesAsTheyWere() {
    HistoryKeeper first = keeper(1);
    first.epoch("train", epoch(0));
    first.decision(new Decision(1, 9, "started", "generation 1"));
    first.agreed("train", agreed(2, new Cursor(1, 0)));
    first.close();
    HistoryKeeper second = keeper(2);
    second.epoch("train", epoch(1));
    second.decision(new Decision(2, 9, "attempt", "2"));
    second.agreed("train", agreed(3, new Cursor(2, 0)));
    second.close();
    try (PastJob job = PastJob.open(APP, CONFIGURATION, settings())) {
      assertEquals(List.of(epoch(0), epoch(1)), job.history().feed("train").epochs());
      assertEquals(2, job.history().decisions().size());
      assertEquals(3, job.history().feed("train").agreed().generation());
      assertEquals("feed of attempt 1", job.feedText("train"));
    }
  }

  @Test
  void anAttemptThatWasReplacedWritesOverNothing() {
    HistoryKeeper first = keeper(1);
    first.state(state(RunState.RUNNING));
    HistoryKeeper second = keeper(2);
    second.state(state(RunState.SUCCEEDED));
    second.close();
    first.state(state(RunState.RESTARTING));
    first.close();
    try (PastJob job = PastJob.open(APP, CONFIGURATION, settings())) {
      assertEquals(RunState.SUCCEEDED, job.history().state().orElseThrow().state());
    }
  }

  @Test
  void aFolderThatCanNotBeWrittenHoldsUpClosingForItsTimeOutOnly() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "no folder");
    long begin = System.nanoTime();
    HistoryKeeper keeper =
        HistoryKeeper.start(
            new HistoryFolder(file.toUri().toString(), APP),
            JobHistory.of(spec(), Optional.empty()),
            Map.of(),
            1,
            CONFIGURATION,
            Duration.ofMillis(100),
            SystemClock.INSTANCE);
    keeper.state(state(RunState.RUNNING));
    keeper.close();
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(20).toNanos());
  }

  @Test
  void aJobWithoutHistoryIsAUsageErrorThatNamesTheFolder() {
    String message =
        assertThrows(UsageException.class, () -> PastJob.open(APP, CONFIGURATION, settings()))
            .getMessage();
    assertTrue(message.contains(APP) && message.contains(dir.toString()), message);
    assertThrows(UsageException.class, () -> PastJob.open("../other", CONFIGURATION, settings()));
  }

  @Test
  void historiesThatHaveNotChangedForLongerThanTheyAreKeptAreRemoved() throws IOException {
    keeper(1).close();
    Path job = dir.resolve(APP);
    Path young = Files.createDirectories(dir.resolve("application_1700000000000_0043"));
    Path other = Files.createDirectories(dir.resolve("notes"));
    Instant now = Instant.parse("2030-01-01T00:00:00Z");
    age(job, now.minus(Duration.ofDays(91)));
    age(young, now.minus(Duration.ofDays(89)));
    age(other, now.minus(Duration.ofDays(400)));
    assertEquals(List.of(APP), Retention.sweep(CONFIGURATION, settings(), now.toEpochMilli()));
    assertFalse(Files.exists(job));
    assertTrue(Files.exists(young) && Files.exists(other));
  }

  @Test
  void aHistoryWhoseRecordIsYoungStays() throws IOException {
    keeper(1).close();
    Instant now = Instant.now();
    Files.setLastModifiedTime(dir.resolve(APP), FileTime.from(now.minus(Duration.ofDays(100))));
    assertEquals(List.of(), Retention.sweep(CONFIGURATION, settings(), now.toEpochMilli()));
  }

  private static void age(Path folder, Instant time) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(time));
      }
    }
  }
}
