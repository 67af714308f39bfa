package io.penstock.container.ordered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.lifecycle.Agent;
import io.penstock.lifecycle.ClosedException;
import io.penstock.lifecycle.TestingClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What a stage does, step by step, on the test's own thread. */
@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
class OrderedStageStepTest {
  private final TestingClock clock = new TestingClock();
  private final Budget budget = Budget.ofBytes(100);

  /** An item or result that remembers how often it was closed. */
  private static final class Closing implements AutoCloseable {
    private final String name;
    private int closed;

    Closing(String name) {
      this.name = name;
    }

    @Override
    public void close() {
      closed++;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static StageSettings settings(int workers, int queue, int readAhead) {
    return new StageSettings(
        "stepped", workers, queue, readAhead, Duration.ofSeconds(5), Duration.ofSeconds(5));
  }

  private static List<Integer> items(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private <I, O> OrderedStage<I, O> stage(StageSettings settings, Source<I> source, Work<I, O> work)
      throws Exception {
    OrderedStage<I, O> stage =
        new OrderedStage<>(
            settings, source, Allowance.of(budget, item -> 10), worker -> work, clock);
    for (int i = 0; i < settings.workers(); i++) {
      stage.worker(i).onStart();
    }
    return stage;
  }

  private static int admitAll(OrderedStage<?, ?> stage) throws Exception {
    int count = 0;
    while (stage.admission().ready()) {
      count += stage.admission().doWork() == Agent.Next.AGAIN ? 1 : 0;
    }
    return count;
  }

  @Test
  void itemsAreAdmittedForFreeWorkersAndAheadOfThem() throws Exception {
    TestingSource<Integer> source = new TestingSource<>(items(10));
    OrderedStage<Integer, String> stage = stage(settings(2, 1, 3), source, (item, held) -> "r");
    assertEquals(5, admitAll(stage));
    assertEquals(List.of(0, 1, 2, 3, 4), source.admitted);
    assertEquals(50, budget.used());
    stage.worker(1).doWork();
    assertFalse(stage.admission().ready());
    stage.close();
  }

  @Test
  void withoutReadAheadAnItemIsAdmittedOnlyForAFreeWorker() throws Exception {
    TestingSource<Integer> source = new TestingSource<>(items(10));
    OrderedStage<Integer, String> stage = stage(settings(2, 2, 0), source, (item, held) -> "r");
    assertEquals(2, admitAll(stage));
    stage.worker(0).doWork();
    assertEquals(1, admitAll(stage));
    stage.close();
  }

  @Test
  void oneSlowItemHoldsUpNobodyUntilTheQueuesAreFull() throws Exception {
    TestingSource<Integer> source = new TestingSource<>(items(50));
    List<Integer> worked = new ArrayList<>();
    OrderedStage<Integer, Integer> stage =
        stage(
            settings(3, 2, 1),
            source,
            (item, held) -> {
              worked.add(item);
              return item;
            });
    admitAll(stage);
    // Worker 0 has item 0 and takes no step.
    while (stage.worker(1).ready() || stage.worker(2).ready()) {
      for (int i = 1; i <= 2; i++) {
        if (stage.worker(i).ready()) {
          stage.worker(i).doWork();
        }
      }
      admitAll(stage);
    }
    assertEquals(List.of(1, 2, 3, 4), worked);
    assertFalse(stage.resultReady());
    stage.worker(0).doWork();
    for (int expected = 0; expected <= 4; expected++) {
      assertTrue(stage.resultReady());
      try (Result<Integer> result = stage.take().orElseThrow()) {
        assertEquals(expected, result.value());
        assertEquals(expected, result.sequence());
      }
    }
    stage.close();
    assertEquals(0, budget.used());
  }

  /**
   * With memory reserved when the result is known, items 1 and 2 would fill the budget here, item 0
   * could never get any, and the merge would wait for it for ever.
   */
  @Test
  void anItemThatIsDoneLastHasItsMemoryBeforeLaterOnes() throws Exception {
    Budget forTwo = Budget.ofBytes(20);
    OrderedStage<Integer, Integer> stage =
        new OrderedStage<>(
            settings(3, 1, 0),
            new TestingSource<>(items(3)),
            Allowance.of(forTwo, item -> 10),
            worker -> (item, held) -> item,
            clock);
    for (int i = 0; i < 3; i++) {
      stage.worker(i).onStart();
    }
    stage.admission().doWork();
    stage.admission().doWork();
    assertEquals(20, forTwo.used());
    stage.worker(1).doWork();
    assertTrue(stage.worker(0).ready());
    assertFalse(stage.worker(2).ready());
    stage.worker(0).doWork();
    stage.take().orElseThrow().close();
    stage.admission().doWork();
    stage.worker(2).doWork();
    assertEquals(1, stage.take().orElseThrow().value());
    assertEquals(2, stage.take().orElseThrow().value());
    stage.close();
  }

  @Test
  void everyWorkerPassesOnASentinelAndEnds() throws Exception {
    OrderedStage<Integer, Integer> stage =
        stage(settings(2, 1, 1), new TestingSource<>(items(1)), (item, held) -> item);
    assertEquals(1, admitAll(stage));
    assertEquals(Agent.Next.AGAIN, stage.worker(0).doWork());
    assertEquals(Agent.Next.END, stage.worker(1).doWork());
    stage.take().orElseThrow().close();
    assertFalse(stage.resultReady());
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    new Thread(() -> ended.complete(stage.take().isEmpty()), "consumer").start();
    Threads.awaitParked("consumer", "awaitOldest");
    assertEquals(Agent.Next.END, stage.worker(0).doWork());
    assertTrue(ended.get(10, TimeUnit.SECONDS));
    assertTrue(stage.take().isEmpty());
    stage.close();
  }

  @Test
  void aStageThatWasClosedBeforeItsEndGivesNothing() throws Exception {
    OrderedStage<Integer, Integer> stage =
        stage(settings(1, 1, 0), new TestingSource<>(items(1)), (item, held) -> item);
    stage.admission().doWork();
    stage.worker(0).doWork();
    stage.close();
    assertThrows(ClosedException.class, stage::take);
    assertThrows(IllegalStateException.class, stage::start);
  }

  @Test
  void closingClosesItemsAndResultsThatNobodyTookAndNoOthers() throws Exception {
    List<Closing> items = IntStream.range(0, 8).mapToObj(i -> new Closing("item " + i)).toList();
    List<Closing> results = new ArrayList<>();
    OrderedStage<Closing, Closing> stage =
        stage(
            settings(2, 2, 2),
            new TestingSource<>(items),
            (item, held) -> {
              Closing result = new Closing("result of " + item);
              results.add(result);
              return result;
            });
    admitAll(stage);
    stage.worker(0).doWork();
    stage.worker(0).doWork();
    Result<Closing> taken = stage.take().orElseThrow();
    admitAll(stage);
    // Results: 0 taken, 2 in a queue; items: 1 and 3 in hands, 4 and 5 admitted, 6 and 7 not.
    assertEquals(60, budget.used());
    stage.close();
    assertEquals(List.of(0, 1, 0, 1, 1, 1, 0, 0), items.stream().map(item -> item.closed).toList());
    assertEquals(List.of(0, 1), results.stream().map(result -> result.closed).toList());
    assertEquals(10, budget.used());
    assertSame(results.get(0), taken.value());
    taken.close();
    taken.close();
    assertEquals(1, results.get(0).closed);
    assertEquals(0, budget.used());
    assertThrows(IllegalStateException.class, taken::value);
    stage.close();
    assertEquals(1, results.get(1).closed);
  }

  @Test
  void anItemThatIsRefusedIsClosedAndHoldsNothing() throws Exception {
    Closing item = new Closing("item");
    IllegalStateException refusal = new IllegalStateException("no");
    TestingSource<Closing> source =
        new TestingSource<>(List.of(item)) {
          @Override
          public void admitted(Closing refused) {
            throw refusal;
          }
        };
    OrderedStage<Closing, String> stage = stage(settings(1, 1, 0), source, (i, held) -> "r");
    assertSame(
        refusal, assertThrows(IllegalStateException.class, () -> stage.admission().doWork()));
    assertEquals(1, item.closed);
    assertEquals(0, budget.used());
    stage.close();
  }

  @Test
  void workThatFailsHoldsNothing() throws Exception {
    OrderedStage<Integer, String> stage =
        stage(settings(1, 1, 0), new TestingSource<>(items(1)), (item, held) -> null);
    stage.admission().doWork();
    assertEquals(10, budget.used());
    assertThrows(NullPointerException.class, () -> stage.worker(0).doWork());
    assertEquals(0, budget.used());
    stage.close();
  }

  @Test
  void waitsAndWorkAreMeasured() throws Exception {
    TestingSource<Integer> source =
        new TestingSource<>(items(2)) {
          @Override
          public Integer next() throws Exception {
            clock.advance(Duration.ofSeconds(1));
            return super.next();
          }
        };
    Allowance<Integer> allowance =
        new Allowance<>() {
          @Override
          public Reservation reserve(Integer item) {
            clock.advance(Duration.ofSeconds(10));
            return budget.reserve(10, item);
          }

          @Override
          public void stop() {}
        };
    OrderedStage<Integer, Integer> stage =
        new OrderedStage<>(
            settings(1, 1, 0),
            source,
            allowance,
            worker ->
                (item, held) -> {
                  clock.advance(Duration.ofSeconds(100));
                  return item;
                },
            clock);
    stage.worker(0).onStart();
    stage.admission().doWork();
    stage.worker(0).doWork();
    clock.advance(Duration.ofSeconds(1_000));
    assertEquals(inNanos(0, 0, 1, 10, 11, 1_000, 100), stage.stats());
    stage.take().orElseThrow().close();
    stage.admission().doWork();
    clock.advance(Duration.ofSeconds(10_000));
    assertEquals(inNanos(1, 0, 2, 20, 22, 1_000, 10_100), stage.stats());
    stage.close();
  }

  private static StageStats inNanos(
      long taken, long consumer, long source, long allowance, long idle, long full, long busy) {
    return new StageStats(
        taken,
        TimeUnit.SECONDS.toNanos(consumer),
        TimeUnit.SECONDS.toNanos(source),
        TimeUnit.SECONDS.toNanos(allowance),
        TimeUnit.SECONDS.toNanos(idle),
        TimeUnit.SECONDS.toNanos(full),
        TimeUnit.SECONDS.toNanos(busy));
  }

  @Test
  void settingsThatMakeNoStageAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> settings(0, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> settings(1, 0, 0));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> settings(1, 1, -1));
    assertEquals(
        "must be workers >= 1, queue >= 1, readAhead >= 0: workers=1 queue=1 readAhead=-1",
        refused.getMessage());
  }
}
