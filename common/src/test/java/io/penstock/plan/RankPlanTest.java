package io.penstock.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.model.Cursor;
import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Piece;
import io.penstock.model.RankSlice;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Random small plans against {@link OrderOracle}. */
class RankPlanTest {
  private static final String SEED = "20261129";

  /** A plan's inputs, a number of ranks and a cursor. */
  record Case(OrderSpec spec, int[] rows, int ranks, long epoch, long step) {
    Plan plan() {
      return new Plan(spec, rows);
    }

    List<List<OrderOracle.Row>> oracle(long of) {
      return OrderOracle.epoch(spec, rows, of);
    }

    @Override
    public String toString() {
      return spec
          + " rows="
          + Arrays.toString(rows)
          + " ranks="
          + ranks
          + " at="
          + epoch
          + ":"
          + step;
    }
  }

  @Provide
  Arbitrary<Case> cases() {
    Arbitrary<int[]> rows =
        Arbitraries.integers().between(1, 9).array(int[].class).ofMinSize(1).ofMaxSize(16);
    Arbitrary<OrderSpec> specs =
        Combinators.combine(
                Arbitraries.of(0L, 1L, 42L, 1L << 32, Long.MAX_VALUE),
                Arbitraries.integers().between(1, 8),
                Arbitraries.integers().between(1, 12),
                Arbitraries.integers().between(1, 5),
                Arbitraries.of(Shuffle.ROWS, Shuffle.ROWS, Shuffle.ROW_GROUPS, Shuffle.NONE),
                Arbitraries.of(Deal.class),
                Arbitraries.of(Remainder.class))
            .as(
                (seed, lanes, perLane, window, shuffle, deal, remainder) ->
                    new OrderSpec(seed, lanes, lanes * perLane, window, shuffle, deal, remainder));
    return Combinators.combine(
            rows,
            specs,
            Arbitraries.integers().between(0, 1000),
            Arbitraries.longs().between(0, 3),
            Arbitraries.integers().between(0, 1000))
        .filter(
            (n, spec, anyRanks, epoch, anyStep) -> {
              int total = Arrays.stream(n).sum();
              return total >= (spec.remainder() == Remainder.DROP ? spec.batch() : spec.lanes());
            })
        .as(
            (n, spec, anyRanks, epoch, anyStep) -> {
              int[] divisors =
                  IntStream.rangeClosed(1, spec.batch())
                      .filter(w -> spec.batch() % w == 0)
                      .toArray();
              long steps = OrderOracle.epoch(spec, n, 0).size();
              return new Case(
                  spec, n, divisors[anyRanks % divisors.length], epoch, anyStep % steps);
            });
  }

  @Property(tries = 400, seed = SEED, shrinking = ShrinkingMode.BOUNDED)
  void ranksTogetherDeliverTheGlobalBatch(@ForAll("cases") Case c) {
    Plan plan = c.plan();
    List<List<OrderOracle.Row>> expected = c.oracle(c.epoch());
    assertEquals(expected.size(), plan.steps());
    long padding = expected.stream().flatMap(List::stream).filter(row -> !row.valid()).count();
    assertEquals(padding, plan.padding());
    GlobalOrder batches = new GlobalOrder(plan.epoch(c.epoch()), c.step());
    List<RankRows> ranks = new ArrayList<>();
    for (int r = 0; r < c.ranks(); r++) {
      RankPlan rank = new RankPlan(plan, new RankSlice(r, c.ranks()));
      ranks.add(new RankRows(rank, c.epoch(), c.step()));
    }
    for (int t = (int) c.step(); t < expected.size(); t++) {
      GlobalBatch batch = batches.next();
      assertEquals(t, batch.step());
      assertRows(expected.get(t), 0, batch.rows(), batch.valid());
      int at = 0;
      for (RankRows rank : ranks) {
        RankRows.Step step = rank.next();
        assertEquals((long) t * c.spec().batch() + at, step.firstPosition());
        assertRows(expected.get(t), at, step.rows(), step.valid());
        at += step.rows().length;
      }
      assertEquals(c.spec().batch(), at);
    }
    assertFalse(batches.hasNext());
    for (RankRows rank : ranks) {
      assertFalse(rank.hasNext());
      assertFalse(rank.holdsWindows());
    }
  }

  private static void assertRows(
      List<OrderOracle.Row> expected, int at, long[] rows, boolean[] valid) {
    for (int i = 0; i < rows.length; i++) {
      assertEquals(expected.get(at + i).number(), rows[i]);
      assertEquals(expected.get(at + i).valid(), valid[i]);
    }
  }

  /** A window's use as the oracle knows it. */
  private record Use(WindowKey key, long first, long last, Set<Integer> pieces) {}

  /** The uses that a rank needs from a cursor on, in load order. */
  private static List<Use> uses(Case c, int rank, long epoch, long firstStep) {
    List<List<OrderOracle.Row>> steps = c.oracle(epoch);
    int perRank = c.spec().batch() / c.ranks();
    Map<List<Integer>, Use> uses = new HashMap<>();
    for (int t = (int) firstStep; t < steps.size(); t++) {
      for (OrderOracle.Row row : steps.get(t).subList(rank * perRank, (rank + 1) * perRank)) {
        List<Integer> id = List.of(row.lane(), row.pass(), row.window());
        Use before = uses.get(id);
        Set<Integer> pieces = before == null ? new HashSet<>() : before.pieces();
        pieces.add(row.piece());
        WindowKey key = new WindowKey(epoch, row.lane(), row.pass(), row.window());
        uses.put(id, new Use(key, before == null ? t : before.first(), t, pieces));
      }
    }
    TreeMap<String, Use> ordered = new TreeMap<>();
    for (Use use : uses.values()) {
      WindowKey key = use.key();
      ordered.put(
          String.format("%06d %06d %06d %06d", use.first(), key.lane(), key.pass(), key.window()),
          use);
    }
    return List.copyOf(ordered.values());
  }

  @Property(tries = 400, seed = SEED, shrinking = ShrinkingMode.BOUNDED)
  void loadsAreThoseWithRowsFromTheCursorOnInLoadOrder(@ForAll("cases") Case c) {
    Plan plan = c.plan();
    int perWindow = plan.windowPieces();
    for (int r = 0; r < c.ranks(); r++) {
      RankPlan rank = new RankPlan(plan, new RankSlice(r, c.ranks()));
      Iterator<WindowLoad> loads = rank.loads(new Cursor(c.epoch(), c.step()), c.epoch() + 2);
      List<Use> expected = new ArrayList<>(uses(c, r, c.epoch(), c.step()));
      expected.addAll(uses(c, r, c.epoch() + 1, 0));
      for (Use use : expected) {
        WindowLoad load = loads.next();
        assertEquals(use.key(), load.key());
        assertEquals(use.first(), load.firstStep());
        assertEquals(use.last(), load.lastStep());
        assertEquals(load.allPieces().stream().mapToInt(Piece::rows).sum(), load.rows());
        assertEquals(load.rows(), load.order().rows());
        Set<Integer> needed = new HashSet<>();
        for (int i = 0; i < load.pieces(); i++) {
          if (load.needs(i)) {
            needed.add(use.key().window() * perWindow + i);
          }
        }
        assertEquals(use.pieces(), needed);
      }
      assertFalse(loads.hasNext());
    }
  }

  @Property(tries = 200, seed = SEED, shrinking = ShrinkingMode.BOUNDED)
  void windowNeedIsTheMostThatOneStepTouchesAndTheBoundIsNeverLess(@ForAll("cases") Case c) {
    Plan plan = c.plan();
    long most = 0;
    for (int r = 0; r < c.ranks(); r++) {
      RankPlan rank = new RankPlan(plan, new RankSlice(r, c.ranks()));
      for (long e = 0; e < 3; e++) {
        long[] held = new long[(int) plan.steps()];
        for (Iterator<WindowLoad> loads = rank.loads(new Cursor(e, 0), e + 1); loads.hasNext(); ) {
          WindowLoad load = loads.next();
          for (long t = load.firstStep(); t <= load.lastStep(); t++) {
            held[(int) t] += load.allPieces().stream().mapToInt(Piece::rows).sum();
          }
        }
        long mostOfEpoch = Arrays.stream(held).max().orElseThrow();
        assertEquals(mostOfEpoch, rank.peakWindowRows(plan.epoch(e)));
        most = Math.max(most, mostOfEpoch);
      }
    }
    assertEquals(most, WindowNeed.exact(plan, c.ranks(), 3));
    assertEquals(most, WindowNeed.rows(plan, c.ranks(), 3));
    long bound = WindowNeed.bound(plan, c.ranks());
    assertTrue(bound >= most, "bound=" + bound + " most=" + most);
  }

  @Property(tries = 100, seed = SEED, shrinking = ShrinkingMode.BOUNDED)
  void summariesCountWhatTheOracleDelivers(@ForAll("cases") Case c) {
    Plan plan = c.plan();
    List<List<OrderOracle.Row>> steps = c.oracle(c.epoch());
    EpochSummary summary = EpochSummary.of(plan.epoch(c.epoch()));
    DigestSums sums = new DigestSums(c.epoch());
    for (int t = 0; t < steps.size(); t++) {
      for (int i = 0; i < steps.get(t).size(); i++) {
        sums.add((long) t * c.spec().batch() + i, steps.get(t).get(i).number());
      }
    }
    assertEquals(sums.digest(), summary.orderDigest());
    for (LaneSummary lane : LaneSummary.of(plan.epoch(c.epoch()))) {
      LanePlan of = plan.epoch(c.epoch()).lane(lane.lane());
      assertEquals(of.pieces(), lane.pieces());
      assertEquals(of.rows(), lane.rows());
      int readers = 0;
      for (int r = 0; r < c.ranks(); r++) {
        RankPlan rank = new RankPlan(plan, new RankSlice(r, c.ranks()));
        if (lane.lane() >= rank.firstLane() && lane.lane() < rank.firstLane() + rank.lanes()) {
          readers++;
        }
      }
      assertEquals(readers, plan.ranksReading(lane.lane(), c.ranks()));
    }
  }
}
