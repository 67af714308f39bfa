package io.penstock.bench;

import io.penstock.model.Cursor;
import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.RankSlice;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import io.penstock.plan.Plan;
import io.penstock.plan.RankEpoch;
import io.penstock.plan.RankPlan;
import io.penstock.plan.Segment;
import io.penstock.plan.WindowLoad;
import io.penstock.plan.WindowNeed;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Plans of a dataset of 1,000,000 row groups in 1,024 lanes; each epoch is dealt anew, which is the
 * costlier deal. Row groups are small (8 to 24 rows), so that there are as many steps as a real
 * dataset has.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PlanBenchmark {
  private static final int ROW_GROUPS = 1_000_000;
  private static final int LANES = 1_024;

  /** W. */
  @Param({"1", "32", "1024"})
  public int ranks;

  private OrderSpec order;
  private int[] rows;
  private Plan plan;
  private RankPlan rank;
  private long epoch;
  private SplittableRandom random;

  @Setup
  public void plan() {
    random = new SplittableRandom(42);
    rows = new int[ROW_GROUPS];
    for (int g = 0; g < ROW_GROUPS; g++) {
      rows[g] = random.nextInt(8, 25);
    }
    order = new OrderSpec(42, LANES, LANES, 8, Shuffle.ROWS, Deal.EPOCH, Remainder.DROP);
    plan = new Plan(order, rows);
    rank = new RankPlan(plan, new RankSlice(ranks / 2, ranks));
  }

  /** All that a rank needs to begin an epoch that it has not seen: its lanes' pieces in order. */
  @Benchmark
  public RankEpoch epoch() {
    return rank.epoch(++epoch);
  }

  /** The rows of any step of an epoch that is planned. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public List<Segment> step() {
    return rank.segments(0, random.nextLong(plan.steps()));
  }

  /** From nothing to the first window of any step of any epoch. */
  @Benchmark
  public WindowLoad seek() {
    Plan anew = new Plan(order, rows);
    return new RankPlan(anew, new RankSlice(ranks / 2, ranks))
        .loads(new Cursor(random.nextLong(1_000), random.nextLong(plan.steps())), 1_001)
        .next();
  }

  /** What submitting works out: the windows of the rank that needs most. */
  @Benchmark
  public long windows() {
    return WindowNeed.rows(plan, ranks, 3);
  }
}
