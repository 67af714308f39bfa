package io.penstock.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RankRangeTest {
  @Test
  void oneNumberIsARangeOfItself() {
    assertEquals(new RankRange(4, 4), RankRange.parse("4"));
    assertEquals("4", RankRange.parse("4").toString());
    assertEquals(new RankRange(2, 4), RankRange.parse("2:4"));
    assertEquals("2:4", RankRange.parse("2:4").toString());
  }

  @Test
  void whatIsNoRangeIsRefusedWithWhatWasWritten() {
    for (String text : List.of("", "a", "2:", ":4", "2-4", "-1", "1:2:3", "12345678901")) {
      assertEquals(
          "must be N or MIN:MAX: --ranks=" + text,
          assertThrows(UsageException.class, () -> RankRange.parse(text)).getMessage());
    }
    for (String text : List.of("0:4", "4:2")) {
      assertEquals(
          "must be 1 <= min <= max: ranks=" + text,
          assertThrows(UsageException.class, () -> RankRange.parse(text)).getMessage());
    }
  }

  @Test
  void theMostMustDivideTheBatchAndTheMessageNamesThoseThatDo() {
    RankRange.parse("1:6").check(12);
    RankRange.parse("4").check(12);
    assertEquals(
        "ranks must divide batch: ranks=5 batch=12",
        assertThrows(UsageException.class, () -> RankRange.parse("5").check(12)).getMessage());
    assertEquals(
        "the most ranks must divide batch: ranks=2:5 batch=12; of 2..5 these do: [2, 3, 4]",
        assertThrows(UsageException.class, () -> RankRange.parse("2:5").check(12)).getMessage());
    assertEquals(
        "the most ranks must divide batch: ranks=7:8 batch=12; of 7..8 these do: []",
        assertThrows(UsageException.class, () -> RankRange.parse("7:8").check(12)).getMessage());
  }

  @Test
  void theGreatestThatDividesBatchAndLanesComesBeforeAGreaterThatDividesTheBatchAlone() {
    RankRange range = new RankRange(2, 8);
    // Of a batch of 24: 2, 3, 4, 6, 8; lanes 4 go with 2 and 4.
    assertEquals(OptionalInt.of(4), range.choose(7, 24, 4));
    assertEquals(OptionalInt.of(4), range.choose(4, 24, 4));
    assertEquals(OptionalInt.of(2), range.choose(3, 24, 4));
    // None of 3..8 divides 2 lanes.
    assertEquals(OptionalInt.of(6), new RankRange(3, 8).choose(7, 24, 2));
  }

  @Test
  void theMostIsTakenWhereItCanBeHadWhateverTheLanes() {
    assertEquals(OptionalInt.of(8), new RankRange(2, 8).choose(8, 24, 4));
    assertEquals(OptionalInt.of(8), new RankRange(2, 8).choose(9, 24, 4));
  }

  @Test
  void tooFewContainersAreNoNumber() {
    assertEquals(OptionalInt.empty(), new RankRange(2, 8).choose(1, 24, 4));
    assertEquals(OptionalInt.empty(), new RankRange(5, 6).choose(5, 24, 4));
    assertEquals(OptionalInt.empty(), RankRange.of(4).choose(3, 24, 4));
  }
}
