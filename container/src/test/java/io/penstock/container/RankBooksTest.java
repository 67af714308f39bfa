package io.penstock.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.RankBooks.Lately;
import io.penstock.container.slots.StepRecord;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.Quarantined;
import io.penstock.coordination.records.RankProgress;
import io.penstock.lifecycle.TestingClock;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankSlice;
import io.penstock.yarn.RankIdentity;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A rank of ten rows a step, in epochs of 100 steps. */
class RankBooksTest {
  private static final RankName NAME =
      new RankName(
          new RankIdentity("app", "c", "h", "train", 0, 1, 1, 1, 1 << 20),
          new RankSlice(0, 2),
          "host memory");

  private final TestingClock clock = new TestingClock();
  private final RankBooks books =
      new RankBooks(
          Cursor.START,
          new RankBooks.StorageCounters() {
            @Override
            public long bytes() {
              return 0;
            }

            @Override
            public long retries() {
              return 0;
            }
          },
          clock);

  @Test
  void theLastReportIsAboutTheWholeGenerationAndNotAboutTheMomentSinceTheOneBefore() {
    for (int step = 0; step < 8; step++) {
      step(step, 1, 3);
    }
    assertEquals(2.5, progress(Lately.BEGINS_ANEW).rowsPerSecond());
    step(8, 6, 2);
    assertEquals(2.5, progress(Lately.GOES_ON).rowsPerSecond());
    assertEquals(1.25, progress(Lately.BEGINS_ANEW).rowsPerSecond());
    assertEquals(0, progress(Lately.BEGINS_ANEW, Duration.ofMillis(1)).rowsPerSecond());
    RankProgress last = progress(Lately.WHOLE_GENERATION);
    assertEquals(90 / 40.0, last.rowsPerSecond());
    assertEquals(14 / 40.0, last.waitShare());
  }

  @Test
  void aCommitIsWantedUntilAllRanksHaveAgreedOnTheStepInWorkOrALaterOne() {
    step(0, 0, 1);
    assertFalse(books.isCommitWanted());
    books.wantCommit();
    assertTrue(books.isCommitWanted());
    books.committed(new Cursor(0, 1));
    assertTrue(books.isCommitWanted(), "the others have not committed yet");
    step(1, 0, 1);
    books.agreed(new Cursor(0, 0));
    assertTrue(books.isCommitWanted());
    books.agreed(new Cursor(0, 1));
    assertFalse(books.isCommitWanted());
  }

  @Test
  void noCommitIsWantedWhereNothingIsAheadOfTheAgreedCursor() {
    books.wantCommit();
    assertFalse(books.isCommitWanted());
    step(0, 0, 1);
    books.agreed(new Cursor(0, 1));
    books.wantCommit();
    assertFalse(books.isCommitWanted());
  }

  @Test
  void quarantinedRowGroupsAreListedAsFarAsARecordHasRoom() {
    for (int i = 0; i < 500; i++) {
      books.quarantined(new Quarantined(i, "f".repeat(300), i, 7, "r".repeat(5000)));
    }
    RankProgress progress = progress(Lately.GOES_ON);
    assertEquals(80, progress.quarantined().size());
    assertEquals(3500, progress.quarantinedRows());
    assertEquals(200, progress.quarantined().get(0).reason().length());
    assertTrue(progress.quarantined().get(0).reason().endsWith("r..."));
  }

  private void step(long step, int waitSeconds, int workSeconds) {
    StepRecord record =
        new StepRecord(0, step, step * 20, 10, 0, 10, 0, Digest128.ZERO, Digest128.ZERO);
    clock.advance(Duration.ofSeconds(waitSeconds));
    books.taken(record, Duration.ofSeconds(waitSeconds).toNanos(), 100);
    clock.advance(Duration.ofSeconds(workSeconds));
    books.stepped(record);
  }

  private RankProgress progress(Lately lately) {
    return books.progress(NAME, Phase.RUNNING, Optional.empty(), lately);
  }

  private RankProgress progress(Lately lately, Duration later) {
    clock.advance(later);
    return progress(lately);
  }
}
