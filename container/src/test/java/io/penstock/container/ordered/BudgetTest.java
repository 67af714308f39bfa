package io.penstock.container.ordered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.lifecycle.ClosedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
class BudgetTest {
  private final Budget budget = Budget.ofBytes(100);

  /** Reserves in a thread of its own, and returns when that has its turn in the line. */
  private CompletableFuture<Reservation> reserveBlocked(String name, long amount) {
    CompletableFuture<Reservation> future = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                future.complete(budget.reserve(amount, name));
              } catch (RuntimeException e) {
                future.completeExceptionally(e);
              }
            },
            name);
    thread.start();
    Threads.awaitParked(name, "reserve");
    return future;
  }

  @Test
  void whatIsGivenBackCanBeReservedAgain() {
    Reservation first = budget.reserve(60, "first");
    Reservation second = budget.reserve(40, "second");
    assertEquals(100, budget.used());
    first.shrinkTo(10);
    assertEquals(10, first.amount());
    assertEquals(50, budget.used());
    first.close();
    first.close();
    assertEquals(40, budget.used());
    second.close();
    assertEquals(0, budget.used());
    assertEquals(100, budget.mostUsed());
  }

  @Test
  void moreThanThereIsIsRefusedAtOnce() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> budget.reserve(101, "piece 7"));
    assertEquals(
        "must be >= 0 and <= the whole budget of 100 bytes: 101 bytes for piece 7",
        refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> budget.reserve(-1, "piece 7"));
    assertEquals(0, budget.used());
    assertThrows(IllegalArgumentException.class, () -> Budget.ofSlots(0));
  }

  @Test
  void aReservationCanOnlyShrink() {
    Reservation held = budget.reserve(10, "item");
    assertThrows(IllegalArgumentException.class, () -> held.shrinkTo(11));
    assertThrows(IllegalArgumentException.class, () -> held.shrinkTo(-1));
    held.close();
    assertThrows(IllegalArgumentException.class, () -> held.shrinkTo(1));
    assertEquals(0, budget.used());
  }

  @Test
  void aSmallOneDoesNotOvertakeALargeOneThatWaits() throws Exception {
    Reservation early = budget.reserve(50, "early");
    CompletableFuture<Reservation> large = reserveBlocked("large", 90);
    CompletableFuture<Reservation> small = reserveBlocked("small", 10);
    assertFalse(small.isDone());
    early.shrinkTo(11);
    assertFalse(large.isDone());
    early.shrinkTo(10);
    assertEquals(90, large.get(10, TimeUnit.SECONDS).amount());
    assertFalse(small.isDone());
    early.close();
    assertEquals(10, small.get(10, TimeUnit.SECONDS).amount());
    assertEquals(100, budget.used());
  }

  @Test
  void closingEndsAllWaitsAndWhatIsHeldCanStillBeGivenBack() {
    Reservation held = budget.reserve(100, "held");
    CompletableFuture<Reservation> first = reserveBlocked("first", 1);
    CompletableFuture<Reservation> second = reserveBlocked("second", 2);
    budget.close();
    for (CompletableFuture<Reservation> wait : java.util.List.of(first, second)) {
      assertTrue(
          assertThrows(ExecutionException.class, () -> wait.get(10, TimeUnit.SECONDS)).getCause()
              instanceof ClosedException);
    }
    assertThrows(ClosedException.class, () -> budget.reserve(0, "late"));
    held.close();
    assertEquals(0, budget.used());
  }
}
