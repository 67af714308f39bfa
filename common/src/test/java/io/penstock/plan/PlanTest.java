package io.penstock.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.model.Cursor;
import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Piece;
import io.penstock.model.RankSlice;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static OrderSpec spec(long seed, int lanes, int batch, Remainder remainder) {
    return new OrderSpec(seed, lanes, batch, 2, Shuffle.ROWS, Deal.FIXED, remainder);
  }

  private static String refusal(OrderSpec spec, int... rows) {
    return assertThrows(UsageException.class, () -> new Plan(spec, rows)).getMessage();
  }

  @Test
  void noRowIsRefused() {
    assertEquals("the dataset has no rows", refusal(spec(1, 1, 1, Remainder.PAD)));
  }

  @Test
  void fewerRowsThanLanesAreRefusedWithEitherRemainder() {
    String message = "each lane needs a row: the dataset has rows=3, lanes=4";
    assertEquals(message, refusal(spec(1, 4, 4, Remainder.PAD), 1, 2));
    assertEquals(message, refusal(spec(1, 4, 4, Remainder.DROP), 1, 2));
  }

  @Test
  void noWholeBatchIsRefusedAndSaysHowManyRowsThereAreAndHowManyItTakes() {
    assertEquals(
        "no batch can be filled: the dataset has rows=7 and one batch takes 8; "
            + "lower `batch` or use `remainder: pad`",
        refusal(spec(1, 4, 8, Remainder.DROP), 7));
    assertEquals(1, new Plan(spec(1, 4, 8, Remainder.DROP), new int[] {8}).steps());
  }

  @Test
  void anEmptyRowGroupIsNotInTheList() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Plan(spec(1, 1, 1, Remainder.PAD), new int[] {4, 0}));
  }

  @Test
  void windowsOf2To31RowsAreRefusedOnlyWhereRowsAreMixed() {
    int[] rows = {2_000_000_000, 2_000_000_000};
    assertEquals(
        "a window must have < 2^31 rows: window=2 rows=4000000000",
        refusal(spec(1, 1, 1, Remainder.DROP), rows));
    Plan unmixed =
        new Plan(new OrderSpec(1, 1, 1, 2, Shuffle.NONE, Deal.FIXED, Remainder.DROP), rows);
    assertEquals(4_000_000_000L, unmixed.steps());
    assertEquals(
        List.of(new Segment(new WindowKey(0, 0, 0, 1), 999_999_999, 1_000_000_000, 0)),
        new RankPlan(unmixed, new RankSlice(0, 1)).segments(0, 2_999_999_999L));
  }

  @Test
  void ranksMustDivideTheBatch() {
    Plan plan = new Plan(spec(1, 2, 6, Remainder.PAD), new int[] {9});
    assertEquals(
        "ranks must divide batch: ranks=4 batch=6",
        assertThrows(UsageException.class, () -> new RankPlan(plan, new RankSlice(0, 4)))
            .getMessage());
  }

  @Test
  void oneLaneOfOneRowIsPaddedFromItself() {
    OrderSpec one = new OrderSpec(0, 1, 3, 4, Shuffle.ROWS, Deal.EPOCH, Remainder.PAD);
    Plan plan = new Plan(one, new int[] {1});
    assertEquals(1, plan.steps());
    assertEquals(2, plan.padding());
    assertEquals(1, plan.deliveredRows());
    GlobalBatch batch = new GlobalOrder(plan.epoch(5), 0).next();
    assertArrayEquals(new long[] {0, 0, 0}, batch.rows());
    assertArrayEquals(new boolean[] {true, false, false}, batch.valid());
    RankPlan rank = new RankPlan(plan, new RankSlice(0, 1));
    assertEquals(
        List.of(
            new Segment(new WindowKey(5, 0, 0, 0), 0, 1, 0),
            new Segment(new WindowKey(5, 0, 1, 0), 0, 1, 1),
            new Segment(new WindowKey(5, 0, 2, 0), 0, 1, 2)),
        rank.segments(5, 0));
  }

  @Test
  void rowGroupsAcrossBordersAreCutIntoPieces() {
    // 10 rows over 3 lanes: borders at 0, 3, 6, 10.
    OrderSpec none = new OrderSpec(0, 3, 3, 2, Shuffle.NONE, Deal.FIXED, Remainder.DROP);
    EpochPlan epoch = new Plan(none, new int[] {4, 1, 5}).epoch(0);
    assertEquals(List.of(new Piece(0, 0, 3)), pieces(epoch.lane(0)));
    assertEquals(
        List.of(new Piece(0, 3, 4), new Piece(1, 0, 1), new Piece(2, 0, 1)), pieces(epoch.lane(1)));
    assertEquals(List.of(new Piece(2, 1, 5)), pieces(epoch.lane(2)));
    assertEquals(
        List.of(new LaneSummary(0, 1, 3), new LaneSummary(1, 3, 3), new LaneSummary(2, 1, 4)),
        LaneSummary.of(epoch));
  }

  private static List<Piece> pieces(LanePlan lane) {
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < lane.pieces(); i++) {
      pieces.add(lane.piece(i));
    }
    return pieces;
  }

  @Test
  void lanesDifferByAtMostOneRowAlsoWhereLaneTimesRowsWouldOverflow() {
    int[] rows = new int[6000];
    Arrays.fill(rows, Integer.MAX_VALUE);
    int lanes = 1_000_003;
    OrderSpec none = new OrderSpec(0, lanes, lanes, 1, Shuffle.NONE, Deal.FIXED, Remainder.DROP);
    Plan plan = new Plan(none, rows);
    // Computed in Python: R = 6000 * (2^31 - 1), floor((l + 1) * R / N) - floor(l * R / N).
    assertEquals(12_884_901_882_000L, plan.rows());
    assertEquals(12_884_863, plan.steps());
    long first = plan.laneRows(0);
    long last = plan.laneRows(lanes - 1);
    assertEquals(12_884_863, first);
    assertEquals(12_884_864, last);
    assertEquals(plan.rows(), plan.laneBegin(lanes));
  }

  @Test
  void epochsAndSeedsDifferAndANextSeedIsNoShift() {
    int[] rows = {60, 70, 50, 80};
    List<Long> epoch0 = wholeEpoch(new Plan(spec(0, 2, 4, Remainder.DROP), rows), 0);
    List<Long> epoch1 = wholeEpoch(new Plan(spec(0, 2, 4, Remainder.DROP), rows), 1);
    List<Long> epoch2 = wholeEpoch(new Plan(spec(0, 2, 4, Remainder.DROP), rows), 2);
    List<Long> seed1 = wholeEpoch(new Plan(spec(1, 2, 4, Remainder.DROP), rows), 0);
    assertNotEquals(epoch0, epoch1);
    assertNotEquals(epoch1, epoch2);
    assertNotEquals(epoch0, seed1);
    assertNotEquals(epoch1, seed1);
    List<Long> sorted = epoch0.stream().sorted().toList();
    assertEquals(260, sorted.size());
    assertNotEquals(sorted, epoch0);
    assertEquals(sorted, epoch1.stream().sorted().toList());
    assertEquals(sorted, seed1.stream().sorted().toList());
    for (int shift = 1; shift < 20; shift++) {
      assertNotEquals(epoch0.subList(shift, shift + 8), seed1.subList(0, 8));
      assertNotEquals(seed1.subList(shift, shift + 8), epoch0.subList(0, 8));
    }
  }

  private static List<Long> wholeEpoch(Plan plan, long epoch) {
    List<Long> rows = new ArrayList<>();
    new GlobalOrder(plan.epoch(epoch), 0)
        .forEachRemaining(batch -> Arrays.stream(batch.rows()).forEach(rows::add));
    return rows;
  }

  @Test
  void aFixedDealKeepsALanesRowGroupsAndAnEpochDealDoesNot() {
    int[] rows = new int[40];
    Arrays.fill(rows, 10);
    OrderSpec fixed = new OrderSpec(7, 4, 4, 2, Shuffle.ROWS, Deal.FIXED, Remainder.DROP);
    OrderSpec anew = new OrderSpec(7, 4, 4, 2, Shuffle.ROWS, Deal.EPOCH, Remainder.DROP);
    assertEquals(rowGroups(new Plan(fixed, rows), 0), rowGroups(new Plan(fixed, rows), 1));
    assertNotEquals(rowGroups(new Plan(anew, rows), 0), rowGroups(new Plan(anew, rows), 1));
  }

  private static List<Integer> rowGroups(Plan plan, long epoch) {
    return pieces(plan.epoch(epoch).lane(1)).stream().map(Piece::rowGroup).sorted().toList();
  }

  @Test
  void loadsGoOnIntoTheNextEpochAndEndWithTheLast() {
    OrderSpec none = new OrderSpec(0, 1, 4, 1, Shuffle.NONE, Deal.FIXED, Remainder.DROP);
    RankPlan rank = new RankPlan(new Plan(none, new int[] {4, 4, 3}), new RankSlice(0, 1));
    Iterator<WindowLoad> loads = rank.loads(new Cursor(1, 1), 3);
    List<WindowKey> keys = new ArrayList<>();
    loads.forEachRemaining(load -> keys.add(load.key()));
    // The third row group fills no batch.
    assertEquals(
        List.of(new WindowKey(1, 0, 0, 1), new WindowKey(2, 0, 0, 0), new WindowKey(2, 0, 0, 1)),
        keys);
    assertFalse(rank.loads(new Cursor(3, 0), 3).hasNext());
    assertThrows(IllegalArgumentException.class, () -> rank.loads(new Cursor(0, 2), 3));
    assertThrows(IndexOutOfBoundsException.class, () -> rank.segments(0, 2));
  }
}
