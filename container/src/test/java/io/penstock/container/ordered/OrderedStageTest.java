package io.penstock.container.ordered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.ClosedException;
import io.penstock.lifecycle.DeadlineException;
import io.penstock.lifecycle.SystemClock;
import io.penstock.lifecycle.TestingClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stage with its threads. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class OrderedStageTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final Budget budget = Budget.ofBytes(100);
  private final TestingClock clock = new TestingClock();
  private final CountDownLatch stuck = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private OrderedStage<Integer, Integer> stage;

  @AfterEach
  void everythingIsQuietAndGivenBack() {
    never.countDown();
    stage.close();
    Threads.assertNoneLeft("threaded-");
    assertEquals(0, budget.used());
  }

  private static List<Integer> items(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private static StageSettings settings(int workers, int queue, int readAhead) {
    return new StageSettings("threaded", workers, queue, readAhead, LONG, LONG);
  }

  private void start(
      StageSettings settings,
      Source<Integer> source,
      IntFunction<Work<Integer, Integer>> works,
      Clock time) {
    stage = new OrderedStage<>(settings, source, Allowance.of(budget, item -> 10), works, time);
    stage.start();
  }

  private void start(StageSettings settings, Source<Integer> source, Work<Integer, Integer> work) {
    start(settings, source, worker -> work, SystemClock.INSTANCE);
  }

  private int takeOne() {
    try (Result<Integer> result = stage.take().orElseThrow()) {
      return result.value();
    }
  }

  /** Work that stands still at one item until the test is over. */
  private Work<Integer, Integer> stuckAt(int last) {
    return (item, held) -> {
      if (item == last) {
        stuck.countDown();
        never.await();
      }
      return item;
    };
  }

  @Test
  void resultsComeInOrderThoughTheFirstIsDoneLast() throws Exception {
    CountDownLatch othersDone = new CountDownLatch(3);
    start(
        settings(4, 1, 0),
        new TestingSource<>(items(4)),
        (item, held) -> {
          if (item == 0) {
            othersDone.await();
          } else {
            othersDone.countDown();
          }
          return item;
        });
    for (int expected = 0; expected < 4; expected++) {
      assertEquals(expected, takeOne());
    }
    assertTrue(stage.take().isEmpty());
  }

  @Test
  void aStageOfNoItemsEnds() {
    start(settings(3, 1, 2), new TestingSource<>(List.of()), (item, held) -> item);
    assertTrue(stage.take().isEmpty());
    assertTrue(stage.take().isEmpty());
  }

  @Test
  void eachWorkerMakesUsesAndClosesItsWorkInItsOwnThread() {
    AtomicInteger closed = new AtomicInteger();
    start(
        settings(2, 1, 0),
        new TestingSource<>(items(20)),
        worker -> {
          String thread = "threaded-worker-" + worker;
          assertEquals(thread, Thread.currentThread().getName());
          return new Work<>() {
            @Override
            public Integer apply(Integer item, Reservation held) {
              assertEquals(thread, Thread.currentThread().getName());
              return item;
            }

            @Override
            public void close() {
              assertEquals(thread, Thread.currentThread().getName());
              closed.incrementAndGet();
            }
          };
        },
        SystemClock.INSTANCE);
    for (int i = 0; i < 20; i++) {
      assertEquals(i, takeOne());
    }
    assertTrue(stage.take().isEmpty());
    stage.close();
    assertEquals(2, closed.get());
  }

  @Test
  void aSecondStartFails() {
    start(settings(1, 1, 0), new TestingSource<>(items(1)), (item, held) -> item);
    assertThrows(IllegalStateException.class, stage::start);
  }

  @Test
  void aFailureWakesTheMergeThoughEarlierItemsAreStillInWork() throws Exception {
    IllegalStateException failure = new IllegalStateException("bad page");
    CountDownLatch fail = new CountDownLatch(1);
    start(
        settings(2, 1, 0),
        new TestingSource<>(items(2)),
        (item, held) -> {
          if (item == 0) {
            never.await();
          }
          fail.await();
          throw failure;
        });
    CompletableFuture<Optional<Result<Integer>>> take =
        CompletableFuture.supplyAsync(() -> stage.take());
    fail.countDown();
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> take.get(10, TimeUnit.SECONDS));
    assertSame(failure, thrown.getCause());
    assertSame(failure, assertThrows(IllegalStateException.class, () -> stage.take()));
  }

  @Test
  void aCheckedFailureIsTheCause() {
    IOException failure = new IOException("no block");
    start(
        settings(2, 1, 0),
        new TestingSource<>(items(2)),
        (item, held) -> {
          throw failure;
        });
    StageFailedException thrown = assertThrows(StageFailedException.class, () -> stage.take());
    assertSame(failure, thrown.getCause());
    assertEquals("stage threaded failed: no block", thrown.getMessage());
  }

  @Test
  void anErrorOfAWorkerIsThrownAsItIs() {
    OutOfMemoryError failure = new OutOfMemoryError("for the test");
    start(
        settings(1, 1, 0),
        new TestingSource<>(items(1)),
        (item, held) -> {
          throw failure;
        });
    assertSame(failure, assertThrows(OutOfMemoryError.class, () -> stage.take()));
  }

  @Test
  void aSourceThatFailsFailsTheStageAndIsStopped() {
    IllegalArgumentException failure = new IllegalArgumentException("plan");
    TestingSource<Integer> source =
        new TestingSource<>(items(1)) {
          @Override
          public Integer next() {
            throw failure;
          }
        };
    start(settings(2, 1, 0), source, (item, held) -> item);
    assertSame(failure, assertThrows(IllegalArgumentException.class, () -> stage.take()));
    stage.close();
    assertTrue(source.stopped);
  }

  @Test
  void aWorkerThatCannotStartFailsTheStage() {
    IllegalStateException failure = new IllegalStateException("no buffer");
    start(
        settings(2, 1, 0),
        new TestingSource<>(items(1)),
        worker -> {
          throw failure;
        },
        SystemClock.INSTANCE);
    assertSame(failure, assertThrows(IllegalStateException.class, () -> stage.take()));
  }

  @Test
  void anItemThatIsLargerThanTheWholeBudgetFailsTheStage() {
    stage =
        new OrderedStage<>(
            settings(2, 1, 0),
            new TestingSource<>(List.of(10, 101)),
            Allowance.of(budget, item -> item),
            worker -> (item, held) -> item,
            SystemClock.INSTANCE);
    stage.start();
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> {
              takeOne();
              takeOne();
            });
    assertEquals(
        "must be >= 0 and <= the whole budget of 100 bytes: 101 bytes for 101",
        refused.getMessage());
  }

  @Test
  void workThatCannotBeClosedIsToldByClose() {
    IOException failure = new IOException("busy");
    start(
        settings(2, 1, 0),
        new TestingSource<>(items(1)),
        worker ->
            new Work<>() {
              @Override
              public Integer apply(Integer item, Reservation held) {
                return item;
              }

              @Override
              public void close() throws IOException {
                if (worker == 1) {
                  throw failure;
                }
              }
            },
        SystemClock.INSTANCE);
    assertEquals(0, takeOne());
    assertTrue(stage.take().isEmpty());
    StageFailedException thrown = assertThrows(StageFailedException.class, stage::close);
    assertSame(failure, thrown.getCause());
  }

  @Test
  void aWorkerThatTakesTooLongIsNamedWithItsItem() throws Exception {
    start(settings(2, 1, 0), new TestingSource<>(items(5)), worker -> stuckAt(0), clock);
    CompletableFuture<Optional<Result<Integer>>> take =
        CompletableFuture.supplyAsync(() -> stage.take());
    clock.awaitWaiters(1);
    clock.advance(LONG);
    Throwable late =
        assertThrows(ExecutionException.class, () -> take.get(10, TimeUnit.SECONDS)).getCause();
    assertInstanceOf(DeadlineException.class, late);
    assertTrue(
        late.getMessage().matches("waited 50 s for item 0 \\(0\\) in thread threaded-worker-[01]"),
        late.getMessage());
    assertSame(late, assertThrows(DeadlineException.class, () -> stage.take()));
  }

  @Test
  void theConsumerWaitsForTheSourceWithoutADeadline() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    TestingSource<Integer> source =
        new TestingSource<>(items(1)) {
          @Override
          public Integer next() throws Exception {
            go.await();
            return super.next();
          }
        };
    start(settings(1, 1, 0), source, worker -> (item, held) -> item, clock);
    CompletableFuture<Integer> take = new CompletableFuture<>();
    Thread consumer = new Thread(() -> take.complete(takeOne()), "consumer");
    consumer.start();
    Threads.awaitParked("consumer", "awaitOldest");
    clock.advance(Duration.ofDays(1));
    assertFalse(take.isDone());
    go.countDown();
    assertEquals(0, take.get(10, TimeUnit.SECONDS));
    assertEquals(Duration.ofDays(1).toNanos(), stage.stats().consumerWaited());
  }

  @Test
  void twoThreadsCannotTakeAtOnce() {
    start(settings(1, 1, 0), new TestingSource<>(items(1)), stuckAt(0));
    CompletableFuture<Throwable> first = new CompletableFuture<>();
    Thread consumer =
        new Thread(
            () -> first.complete(assertThrows(ClosedException.class, () -> stage.take())),
            "consumer");
    consumer.start();
    Threads.awaitParked("consumer", "awaitOldest");
    assertEquals(
        "two threads take results of stage threaded",
        assertThrows(IllegalStateException.class, () -> stage.take()).getMessage());
    stage.stop();
    assertEquals("closed: stage threaded", first.join().getMessage());
  }

  @Test
  void closingWakesASourceThatBlocks() {
    CountDownLatch stopped = new CountDownLatch(1);
    Source<Integer> source =
        new Source<>() {
          @Override
          public Integer next() throws Exception {
            stopped.await();
            throw new ClosedException("closed: upstream");
          }

          @Override
          public void stop() {
            stopped.countDown();
          }
        };
    start(settings(2, 1, 0), source, (item, held) -> item);
    Threads.awaitParked("threaded-admission", "next");
    stage.close();
    assertThrows(ClosedException.class, () -> stage.take());
  }

  @Test
  void closingWakesAdmissionThatWaitsForMemory() {
    Reservation other = budget.reserve(95, "other");
    start(settings(2, 1, 0), new TestingSource<>(items(5)), (item, held) -> item);
    Threads.awaitParked("threaded-admission", "reserve");
    stage.close();
    other.close();
  }

  @Test
  void closingWakesAdmissionThatWaitsForRoomAndWorkersThatAreFull() {
    start(settings(2, 1, 1), new TestingSource<>(items(50)), (item, held) -> item);
    Threads.eventually(() -> budget.used() == 30, "two results and an item ahead");
    Threads.awaitParked("threaded-admission", "awaitRoom");
    Threads.awaitParked("threaded-worker-0", "awaitHand");
    Threads.awaitParked("threaded-worker-1", "awaitHand");
    stage.close();
  }

  @Test
  void closingWakesTheConsumer() throws Exception {
    start(settings(1, 1, 0), new TestingSource<>(items(1)), stuckAt(0));
    assertTrue(await(stuck));
    CompletableFuture<Throwable> take = new CompletableFuture<>();
    Thread consumer =
        new Thread(
            () -> take.complete(assertThrows(ClosedException.class, () -> stage.take())),
            "consumer");
    consumer.start();
    Threads.awaitParked("consumer", "awaitOldest");
    CompletableFuture<Void> close = CompletableFuture.runAsync(() -> stage.close());
    assertEquals("closed: stage threaded", take.get(10, TimeUnit.SECONDS).getMessage());
    assertFalse(close.isDone());
    never.countDown();
    close.get(10, TimeUnit.SECONDS);
  }

  @Test
  void closingAStuckWorkerNamesItAndTouchesNothingThatItCouldUse() throws Exception {
    start(settings(2, 1, 0), new TestingSource<>(items(2)), worker -> stuckAt(0), clock);
    assertTrue(await(stuck));
    Threads.eventually(() -> budget.used() == 20, "both items admitted");
    CompletableFuture<Void> close = CompletableFuture.runAsync(() -> stage.close());
    Threads.eventually(
        () -> Threads.whoseNameStartsWith("threaded-").size() == 1, "the others have ended");
    clock.awaitWaiters(1);
    clock.advance(LONG);
    Throwable late =
        assertThrows(ExecutionException.class, () -> close.get(10, TimeUnit.SECONDS)).getCause();
    assertInstanceOf(DeadlineException.class, late);
    assertTrue(
        late.getMessage().startsWith("waited 50 s for the end of threads threaded-worker-"),
        late.getMessage());
    assertEquals(20, budget.used());
    never.countDown();
    stage.close();
    assertEquals(0, budget.used());
  }

  @Test
  void noThreadOfAStageIsInterrupted() {
    AtomicInteger interrupts = new AtomicInteger();
    CountDownLatch inWork = new CountDownLatch(1);
    CountDownLatch stopSeen = new CountDownLatch(1);
    TestingSource<Integer> source =
        new TestingSource<>(items(1)) {
          @Override
          public void stop() {
            stopSeen.countDown();
          }
        };
    start(
        settings(1, 1, 0),
        source,
        (item, held) -> {
          inWork.countDown();
          try {
            stopSeen.await();
          } catch (InterruptedException e) {
            interrupts.incrementAndGet();
          }
          interrupts.addAndGet(Thread.interrupted() ? 1 : 0);
          return item;
        });
    assertTrue(await(inWork));
    stage.close();
    assertEquals(0, interrupts.get());
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aStageThatPullsFromAnotherPassesOnOrderEndAndFailures() {
    OrderedStage<Integer, Integer> upstream =
        new OrderedStage<>(
            new StageSettings("threaded-upstream", 3, 1, 2, LONG, LONG),
            new TestingSource<>(items(100)),
            Allowance.of(Budget.ofSlots(4), item -> 1),
            worker ->
                (item, held) -> {
                  if (item == 90) {
                    throw new IllegalStateException("bad page");
                  }
                  return item * 2;
                },
            SystemClock.INSTANCE);
    upstream.start();
    Source<Integer> pull =
        new Source<>() {
          @Override
          public Integer next() {
            Optional<Result<Integer>> result = upstream.take();
            try {
              return result.map(Result::value).orElse(null);
            } finally {
              result.ifPresent(Result::close);
            }
          }

          @Override
          public void stop() {
            upstream.stop();
          }
        };
    start(settings(2, 1, 0), pull, (item, held) -> item + 1);
    int taken = 0;
    IllegalStateException thrown = null;
    while (thrown == null) {
      try {
        assertEquals(2 * taken + 1, takeOne());
        taken++;
      } catch (IllegalStateException e) {
        thrown = e;
      }
    }
    assertEquals("bad page", thrown.getMessage());
    assertTrue(taken <= 90, "taken " + taken);
    stage.close();
    upstream.close();
  }

  /** Threads that race, with delays that the seed decides; memory, order and number are checked. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whateverTheThreadsDoNothingIsLostOrOutOfOrderOrOverTheBudget(long seed) {
    for (int round = 0; round < 30; round++) {
      Random random = new Random(seed * 1_000 + round);
      int count = random.nextInt(150);
      int largest = 1 + random.nextInt(20);
      int[] sizes = random.ints(count, 0, largest + 1).toArray();
      int[] delays = random.ints(count, 0, 1_000).toArray();
      int hold = 1 + random.nextInt(3);
      Budget bytes = Budget.ofBytes(largest * hold + random.nextInt(3 * largest));
      AtomicInteger inMemory = new AtomicInteger();
      AtomicInteger mostInMemory = new AtomicInteger();
      stage =
          new OrderedStage<>(
              settings(1 + random.nextInt(5), 1 + random.nextInt(3), random.nextInt(4)),
              new TestingSource<>(items(count)),
              Allowance.of(bytes, item -> sizes[item]),
              worker ->
                  (item, held) -> {
                    int now = inMemory.addAndGet(sizes[item]);
                    mostInMemory.accumulateAndGet(now, Math::max);
                    spin(delays[item]);
                    inMemory.addAndGet(sizes[item] / 2 - sizes[item]);
                    held.shrinkTo(sizes[item] / 2);
                    return item;
                  },
              SystemClock.INSTANCE);
      stage.start();
      Deque<Result<Integer>> kept = new ArrayDeque<>();
      for (int expected = 0; expected < count; expected++) {
        if (kept.size() == hold) {
          closeOldest(kept, sizes, inMemory);
        }
        Result<Integer> result = stage.take().orElseThrow();
        assertEquals(expected, result.value());
        kept.add(result);
        if (random.nextInt(8) == 0) {
          spin(random.nextInt(1_000));
        }
      }
      assertTrue(stage.take().isEmpty());
      while (!kept.isEmpty()) {
        closeOldest(kept, sizes, inMemory);
      }
      stage.close();
      assertEquals(0, bytes.used());
      assertEquals(0, inMemory.get());
      assertTrue(mostInMemory.get() <= bytes.capacity());
      assertEquals(count, stage.stats().taken());
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  private static void closeOldest(
      Deque<Result<Integer>> kept, int[] sizes, AtomicInteger inMemory) {
    Result<Integer> oldest = kept.remove();
    inMemory.addAndGet(-(sizes[oldest.value()] / 2));
    oldest.close();
  }

  /** Closes at a moment that the seed decides, while all threads are busy. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void closingAtAnyMomentEndsAllThreadsAndGivesAllBack(long seed) {
    for (int round = 0; round < 100; round++) {
      Random random = new Random(seed * 1_000 + round);
      Budget bytes = Budget.ofBytes(10 + random.nextInt(30));
      AtomicInteger failAt = new AtomicInteger(random.nextBoolean() ? random.nextInt(40) : -1);
      stage =
          new OrderedStage<>(
              settings(1 + random.nextInt(4), 1 + random.nextInt(2), random.nextInt(3)),
              new TestingSource<>(items(1_000)),
              Allowance.of(bytes, item -> 1 + item % 10),
              worker ->
                  (item, held) -> {
                    if (item == failAt.get()) {
                      throw new IllegalStateException("item " + item);
                    }
                    return item;
                  },
              SystemClock.INSTANCE);
      stage.start();
      int takes = random.nextInt(60);
      try {
        for (int i = 0; i < takes; i++) {
          assertEquals(i, takeOne());
        }
      } catch (IllegalStateException failed) {
        assertEquals("item " + failAt.get(), failed.getMessage());
      }
      stage.close();
      assertEquals(0, bytes.used());
    }
  }
}
