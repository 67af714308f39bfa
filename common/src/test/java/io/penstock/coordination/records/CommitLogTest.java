package io.penstock.coordination.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.model.Cursor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitLogTest {
  @Test
  void commitsAreKeptUntilTheAgreedCursorHasPassedThem() {
    CommitLog log = filled(5, 10);
    log.passed(new Cursor(0, 3));
    assertEquals(List.of(3L, 4L, 5L), steps(log));
    log.passed(new Cursor(1, 0));
    assertEquals(List.of(5L), steps(log));
  }

  @Test
  void aCommitThatIsNotAfterTheNewestChangesNothing() {
    CommitLog log = filled(2, 10);
    assertFalse(log.add(commit(2)));
    assertFalse(log.add(commit(1)));
    assertEquals(List.of(1L, 2L), steps(log));
    assertTrue(log.add(commit(3)));
  }

  @Test
  void aFullLogKeepsEverySecondCommitThenEveryFourthAndTheNewest() {
    CommitLog log = filled(5, 4);
    assertEquals(List.of(2L, 4L, 5L), steps(log));
    log.add(commit(6));
    assertEquals(List.of(2L, 4L, 6L), steps(log));
    log.add(commit(7));
    log.add(commit(8));
    log.add(commit(9));
    assertEquals(List.of(4L, 8L, 9L), steps(log));
  }

  @Test
  void ranksThatCommitAtTheSameStepsKeepCommitsInCommonHoweverFarApart() {
    CommitLog ahead = filled(1000, 8);
    for (int behind = 1; behind < 1000; behind++) {
      List<Long> common = new ArrayList<>(steps(ahead));
      common.retainAll(steps(filled(behind, 8)));
      long first = steps(ahead).get(0);
      if (behind >= first) {
        assertFalse(common.isEmpty(), "behind=" + behind + " ahead=" + steps(ahead));
      }
    }
    assertTrue(steps(ahead).size() <= 8);
  }

  private static CommitLog filled(int steps, int capacity) {
    CommitLog log = new CommitLog(capacity);
    for (int step = 1; step <= steps; step++) {
      assertTrue(log.add(commit(step)));
    }
    return log;
  }

  private static Commit commit(long step) {
    return new Commit(new Cursor(0, step), Sums.NONE);
  }

  private static List<Long> steps(CommitLog log) {
    return log.commits().stream().map(commit -> commit.cursor().step()).toList();
  }
}
