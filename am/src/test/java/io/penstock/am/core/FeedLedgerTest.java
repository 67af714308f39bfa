package io.penstock.am.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Agreed.Carried;
import io.penstock.coordination.records.Commit;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.RankEpoch;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Two epochs of four steps, eight rows a step. A position's digest is taken to be 1 : 100 in the
 * order sums and 2 : 200 in the values sums, so that n rows have n : 100 n and 2 n : 200 n.
 */
class FeedLedgerTest {
  private static final FeedPlan PLAN = new FeedPlan(2, 8, 4, 2, 32, 0);

  @Test
  void nothingIsAgreedOnUntilEveryRankHasCommitted() {
    FeedLedger ledger = begun(2);
    assertTrue(ledger.progress(rank(0, 2, "0:2", commits("0:2", 8), epochs(0, 8))).isEmpty());
    assertEquals(Cursor.START, ledger.agreed().cursor());
  }

  @Test
  void theLeastOfTheRanksCommitsIsAgreedOn() {
    FeedLedger ledger = begun(2);
    ledger.progress(rank(0, 2, "0:3", commits("0:1", 4, "0:2", 8, "0:3", 12), epochs(0, 12)));
    Agreed agreed =
        ledger
            .progress(rank(1, 2, "0:2", commits("0:1", 4, "0:2", 8), epochs(0, 8)))
            .orElseThrow()
            .agreed();
    assertEquals(new Cursor(0, 2), agreed.cursor());
    assertEquals(sums(16), agreed.sums());
  }

  @Test
  void ranksThatCommitAtDifferentStepsAgreeOnTheGreatestCommitInCommon() {
    FeedLedger ledger = begun(2);
    ledger.progress(rank(0, 2, "0:3", commits("0:1", 4, "0:3", 12), epochs(0, 12)));
    Agreed agreed =
        ledger
            .progress(rank(1, 2, "0:2", commits("0:1", 4, "0:2", 8), epochs(0, 8)))
            .orElseThrow()
            .agreed();
    assertEquals(new Cursor(0, 1), agreed.cursor());
    assertEquals(sums(8), agreed.sums());
  }

  @Test
  void anEpochIsFinishedWhenTheAgreedCursorHasPassedItsEnd() {
    FeedLedger ledger = begun(2);
    ledger.progress(rank(0, 2, "1:0", commits("1:0", 0), epochs(0, 16)));
    FeedLedger.Advance advance =
        ledger
            .progress(rank(1, 2, "1:1", commits("1:0", 0, "1:1", 4), epochs(0, 16, 1, 4)))
            .orElseThrow();
    assertEquals(new Cursor(1, 0), advance.agreed().cursor());
    assertEquals(Sums.NONE, advance.agreed().sums());
    EpochRecord epoch = advance.finished().get(0);
    assertEquals(1, advance.finished().size());
    assertEquals(0, epoch.epoch());
    assertEquals(32, epoch.rows());
    assertEquals(new Digest128(32, 3200), epoch.order());
    assertEquals(new Digest128(64, 6400), epoch.values());
    assertEquals(0, epoch.deliveredAgain());
    assertEquals(10, epoch.seconds());
    assertEquals(0.25, epoch.waitShare());
  }

  @Test
  void severalEpochsCanBePassedAtOnce() {
    FeedLedger ledger = begun(2);
    ledger.progress(rank(0, 2, "2:0", commits("1:0", 0, "2:0", 0), epochs(0, 16, 1, 16)));
    FeedLedger.Advance advance =
        ledger.progress(rank(1, 2, "2:0", commits("2:0", 0), epochs(0, 16, 1, 16))).orElseThrow();
    assertEquals(List.of(0L, 1L), advance.finished().stream().map(EpochRecord::epoch).toList());
    assertEquals(ledger.end(), ledger.agreed().cursor());
    assertFalse(ledger.isComplete());
  }

  @Test
  void aFeedIsCompleteWhenAllHaveCommittedTheEndAndSaidDone() {
    FeedLedger ledger = begun(2);
    RankProgress first = rank(0, 2, "2:0", commits("2:0", 0), epochs(0, 16, 1, 16));
    RankProgress second = rank(1, 2, "2:0", commits("2:0", 0), epochs(0, 16, 1, 16));
    ledger.progress(first);
    ledger.progress(second);
    ledger.progress(done(first));
    assertFalse(ledger.isComplete());
    ledger.progress(done(second));
    assertTrue(ledger.isComplete());
  }

  @Test
  void anotherNumberOfRanksGoesOnWhereTheFirstAgreedAndCountsEachPositionOnce() {
    FeedLedger ledger = begun(2);
    // Both committed step 0; rank 0 had delivered three steps, rank 1 two.
    ledger.progress(rank(0, 2, "0:3", commits("0:1", 4), epochs(0, 12)));
    ledger.progress(rank(1, 2, "0:2", commits("0:1", 4), epochs(0, 8)));
    Agreed begun = ledger.begin(2, 4);
    assertEquals(new Cursor(0, 1), begun.start());
    assertEquals(sums(8), begun.startSums());
    // 20 rows delivered, 8 of them for good.
    assertEquals(List.of(new Carried(0, 10, 20, 5, 12)), begun.carried());

    for (int rank = 0; rank < 4; rank++) {
      RankProgress progress =
          withGeneration(2, rank(rank, 4, "1:2", commits("1:0", 0, "1:2", 4), epochs(0, 6, 1, 4)));
      Optional<FeedLedger.Advance> advance = ledger.progress(progress);
      assertEquals(rank == 3, advance.isPresent());
      if (rank == 3) {
        EpochRecord epoch = advance.get().finished().get(0);
        assertEquals(32, epoch.rows());
        assertEquals(new Digest128(32, 3200), epoch.order());
        assertEquals(12, epoch.deliveredAgain());
        assertEquals(20, epoch.seconds());
        assertEquals(new Cursor(1, 2), advance.get().agreed().cursor());
        assertEquals(sums(16), advance.get().agreed().sums());
        assertEquals(List.of(), advance.get().agreed().carried());
      }
    }
  }

  @Test
  void aLedgerThatIsReadBackGoesOnInTheSameGeneration() {
    FeedLedger first = begun(2);
    first.progress(rank(0, 2, "0:2", commits("0:1", 4), epochs(0, 8)));
    Agreed written =
        first.progress(rank(1, 2, "0:2", commits("0:1", 4), epochs(0, 8))).orElseThrow().agreed();

    FeedLedger second = new FeedLedger(PLAN, written);
    second.progress(rank(0, 2, "0:3", commits("0:3", 12), epochs(0, 12)));
    Agreed agreed =
        second
            .progress(rank(1, 2, "0:3", commits("0:3", 12), epochs(0, 12)))
            .orElseThrow()
            .agreed();
    assertEquals(sums(24), agreed.sums());
    assertEquals(new Cursor(0, 3), second.begin(2, 1).start());
  }

  @Test
  void whatAnEarlierGenerationWritesLateIsNotCounted() {
    FeedLedger ledger = begun(2);
    ledger.begin(2, 1);
    assertTrue(ledger.progress(rank(0, 1, "0:1", commits("0:1", 8), epochs(0, 8))).isEmpty());
    assertTrue(
        ledger
            .progress(withGeneration(2, rank(1, 2, "0:1", commits("0:1", 8), epochs(0, 8))))
            .isEmpty());
    assertEquals(Cursor.START, ledger.agreed().cursor());
  }

  @Test
  void sumsThatMissARowAreAnError() {
    FeedLedger ledger = begun(1);
    IllegalStateException error =
        assertThrows(
            IllegalStateException.class,
            () -> ledger.progress(rank(0, 1, "0:2", commits("0:2", 15), epochs(0, 15))));
    assertEquals(
        "the ranks' sums over 2 steps of epoch 0 must have 16 rows: rows=15", error.getMessage());
  }

  @Test
  void aCommitBeyondTheEndIsAnError() {
    FeedLedger ledger = begun(1);
    assertThrows(
        IllegalStateException.class,
        () -> ledger.progress(rank(0, 1, "2:1", commits("2:1", 8), epochs(0, 32, 1, 32))));
  }

  @Test
  void theShareIsThatOfTheSlowestRank() {
    FeedLedger ledger = begun(2);
    ledger.progress(rank(0, 2, "1:0", List.of(), epochs(0, 16)));
    assertEquals(0, ledger.share());
    ledger.progress(rank(1, 2, "0:2", List.of(), epochs(0, 8)));
    assertEquals(0.25, ledger.share());
  }

  private static FeedLedger begun(int ranks) {
    FeedLedger ledger = new FeedLedger(PLAN, Agreed.NOTHING);
    ledger.begin(1, ranks);
    return ledger;
  }

  static Sums sums(long rows) {
    return new Sums(
        rows, 0, rows, 0, new Digest128(rows, 100 * rows), new Digest128(2 * rows, 200 * rows));
  }

  static Cursor cursor(String text) {
    String[] parts = text.split(":");
    return new Cursor(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  /** Pairs of cursor and rows of the cursor's epoch up to it. */
  static List<Commit> commits(Object... pairs) {
    Commit[] commits = new Commit[pairs.length / 2];
    for (int i = 0; i < commits.length; i++) {
      commits[i] = new Commit(cursor((String) pairs[2 * i]), sums((Integer) pairs[2 * i + 1]));
    }
    return List.of(commits);
  }

  /** Pairs of epoch and rows; each took 10 seconds, a quarter of them waiting. */
  static List<RankEpoch> epochs(int... pairs) {
    RankEpoch[] epochs = new RankEpoch[pairs.length / 2];
    for (int i = 0; i < epochs.length; i++) {
      epochs[i] =
          new RankEpoch(pairs[2 * i], sums(pairs[2 * i + 1]), 0, 10, 2.5, 0, Optional.empty());
    }
    return List.of(epochs);
  }

  static RankProgress rank(
      int rank, int ranks, String cursor, List<Commit> commits, List<RankEpoch> epochs) {
    return new RankProgress(
        rank,
        ranks,
        1,
        "c" + rank,
        "host",
        "host memory",
        Phase.RUNNING,
        cursor(cursor),
        commits,
        epochs,
        0,
        0,
        0,
        0,
        0,
        List.of(),
        0,
        Optional.empty(),
        Optional.empty(),
        0);
  }

  static RankProgress done(RankProgress p) {
    return new RankProgress(
        p.rank(),
        p.ranks(),
        p.generation(),
        p.container(),
        p.host(),
        p.device(),
        Phase.DONE,
        p.cursor(),
        p.commits(),
        p.epochs(),
        0,
        0,
        0,
        0,
        0,
        p.quarantined(),
        p.quarantinedRows(),
        Optional.empty(),
        Optional.of("0123456789abcdef"),
        0);
  }

  static RankProgress withGeneration(int generation, RankProgress p) {
    return new RankProgress(
        p.rank(),
        p.ranks(),
        generation,
        p.container(),
        p.host(),
        p.device(),
        p.phase(),
        p.cursor(),
        p.commits(),
        p.epochs(),
        0,
        0,
        0,
        0,
        0,
        p.quarantined(),
        p.quarantinedRows(),
        p.failure(),
        p.weightsDigest(),
        0);
  }
}
