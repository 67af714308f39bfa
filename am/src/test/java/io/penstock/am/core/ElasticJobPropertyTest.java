package io.penstock.am.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.RunState;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankRange;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Containers that come and go at random, under a job of any range of ranks. */
class ElasticJobPropertyTest {
  private static final long STEPS = 5;
  private static final long EPOCHS = 3;
  private static final Limits LIMITS =
      new Limits(
          Integer.MAX_VALUE,
          Duration.ofDays(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(120),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5),
          Duration.ofSeconds(20));

  @Property(tries = 500, seed = "42")
  void lossesAndArrivalsNeverLeaveTheRangeAndNeverCountAPositionTwice(
      @ForAll @IntRange(min = 1, max = 6) int min,
      @ForAll @IntRange(min = 0, max = 6) int more,
      @ForAll @IntRange(min = 1, max = 4) int rows,
      @ForAll @IntRange(min = 1, max = 12) int lanes,
      @ForAll long seed) {
    int max = min + more;
    int batch = rows * max;
    FeedPlan plan =
        new FeedPlan(new RankRange(min, max), batch, lanes, STEPS, EPOCHS, STEPS * batch, 0);
    Random random = new Random(seed);
    TestingYarn yarn = new TestingYarn(plan, LIMITS, random.nextInt(max + 1));
    yarn.on(new Event.Registered());
    Cursor committed = Cursor.START;
    for (int i = 0; i < 60 && yarn.finish == null; i++) {
      committed = disturb(yarn, random, committed);
      check(yarn, plan, committed);
    }

    // Progress: with enough containers and no more losses it comes to its end.
    yarn.containers(3 * max);
    for (int i = 0; i < 20 && yarn.finish == null; i++) {
      yarn.grant();
      yarn.after(40);
      check(yarn, plan, committed);
      if (yarn.isRunning()) {
        yarn.deliverAll();
      }
    }
    assertEquals(RunState.SUCCEEDED, yarn.finish.state());
    assertEquals(EPOCHS, yarn.epochs.size());
    for (EpochRecord epoch : yarn.epochs.values()) {
      long all = STEPS * batch;
      assertEquals(all, epoch.rows());
      assertEquals(new Digest128(all, 100 * all), epoch.order());
    }
    assertTrue(yarn.idle.isEmpty() && yarn.asks.isEmpty());
  }

  private static Cursor disturb(TestingYarn yarn, Random random, Cursor committed) {
    switch (random.nextInt(8)) {
      case 0 -> yarn.containers(1 + random.nextInt(2));
      case 1 -> yarn.containers(yarn.free() > 0 ? -1 : 1);
      case 2, 3 -> yarn.grant();
      case 4 -> yarn.after(random.nextInt(60));
      case 5 -> {
        List<String> all = List.copyOf(yarn.running.keySet());
        if (!all.isEmpty()) {
          yarn.lose(
              all.get(random.nextInt(all.size())),
              random.nextBoolean() ? Ending.LOST : Ending.FAILED);
        }
      }
      case 6 -> {
        List<String> all = List.copyOf(yarn.idle);
        if (!all.isEmpty()) {
          yarn.lose(all.get(random.nextInt(all.size())), Ending.LOST);
        }
      }
      case 7 -> {
        Cursor next = Cursor.after(committed.epoch(), committed.step(), STEPS);
        if (yarn.isRunning() && next.epoch() < EPOCHS) {
          if (random.nextBoolean()) {
            yarn.commit(next);
            return next;
          }
          yarn.deliver(next);
        }
      }
      default -> throw new AssertionError();
    }
    return committed;
  }

  private static void check(TestingYarn yarn, FeedPlan plan, Cursor committed) {
    int max = plan.ranks().max();
    int there = yarn.running.size() + yarn.idle.size() + yarn.asks.size();
    assertTrue(there <= max, "asks for more than it may have: " + there);
    if (!yarn.isRunning()) {
      return;
    }
    int ranks = yarn.assignments.size();
    assertTrue(plan.ranks().min() <= ranks && ranks <= max, "ranks=" + ranks);
    assertEquals(0, plan.batch() % ranks, "ranks=" + ranks);
    assertEquals(max, there, "what is missing is asked for all the while");
    TreeSet<String> containers = new TreeSet<>();
    for (Assignment assignment : yarn.assignments.values()) {
      assertEquals(ranks, assignment.ranks());
      assertTrue(assignment.start().compareTo(committed) <= 0);
      assertTrue(containers.add(assignment.container()));
    }
  }
}
