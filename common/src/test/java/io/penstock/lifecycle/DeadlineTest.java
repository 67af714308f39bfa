package io.penstock.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
class DeadlineTest {
  private final TestingClock clock = new TestingClock();

  @Test
  void aDeadlinePassesWhenItsTimeHasCome() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(5), clock);
    clock.advance(Duration.ofMillis(4_999));
    assertFalse(deadline.passed());
    assertEquals(1_000_000, deadline.nanosLeft());
    clock.advance(Duration.ofMillis(1));
    assertTrue(deadline.passed());
    assertEquals(0, deadline.nanosLeft());
  }

  @Test
  void aDeadlineInThePastIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Deadline.after(Duration.ofNanos(-1), clock));
  }

  @Test
  void whatComesTooLateSaysHowLongItWaitedAndForWhat() {
    Deadline inSeconds = Deadline.after(Duration.ofSeconds(30), clock);
    assertEquals("waited 30 s for the NameNode", inSeconds.exceeded("the NameNode").getMessage());
    Deadline inMillis = Deadline.after(Duration.ofMillis(1_500), clock);
    assertEquals("waited 1500 ms for a lock", inMillis.exceeded("a lock").getMessage());
  }

  @Test
  void aWaitEndsWhenTheClockIsMovedPastItsDeadline() throws Exception {
    Signal never = new Signal();
    CompletableFuture<Void> wait =
        CompletableFuture.runAsync(
            () -> never.await(Deadline.after(Duration.ofSeconds(5), clock), () -> "a signal"));
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(4));
    clock.awaitWaiters(1);
    assertFalse(wait.isDone());
    clock.advance(Duration.ofSeconds(1));
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> wait.get(10, TimeUnit.SECONDS));
    assertEquals("waited 5 s for a signal", failed.getCause().getMessage());
  }

  @Test
  void aSignalEndsAllWaits() throws Exception {
    Signal signal = new Signal();
    Deadline late = Deadline.after(Duration.ofSeconds(5), clock);
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(() -> signal.await(late, () -> "a signal"));
    CompletableFuture<Boolean> second =
        CompletableFuture.supplyAsync(() -> signal.awaitUntil(late));
    clock.awaitWaiters(2);
    assertFalse(signal.raised());
    signal.raise();
    first.get(10, TimeUnit.SECONDS);
    assertTrue(second.get(10, TimeUnit.SECONDS));
    assertTrue(signal.raised());
  }

  @Test
  void aPauseEndsWithoutASignalWhenItsTimeHasCome() throws Exception {
    Signal signal = new Signal();
    Deadline time = Deadline.after(Duration.ofSeconds(5), clock);
    CompletableFuture<Boolean> pause = CompletableFuture.supplyAsync(() -> signal.awaitUntil(time));
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(5));
    assertFalse(pause.get(10, TimeUnit.SECONDS));
  }

  @Test
  void anInterruptDoesNotEndAWaitAndIsKept() {
    Signal never = new Signal();
    Thread.currentThread().interrupt();
    Deadline soon = Deadline.after(Duration.ofMillis(1), SystemClock.INSTANCE);
    assertThrows(DeadlineException.class, () -> never.await(soon, () -> "a signal"));
    assertTrue(soon.passed());
    assertTrue(Thread.interrupted());
  }
}
