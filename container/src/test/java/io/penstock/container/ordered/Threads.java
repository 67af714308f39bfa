package io.penstock.container.ordered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What tests want to know of threads that they do not own. */
final class Threads {
  private Threads() {}

  static List<Thread> whoseNameStartsWith(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .toList();
  }

  /** Returns once the thread of this name is parked inside a method of this name. */
  static void awaitParked(String name, String method) {
    eventually(
        () ->
            whoseNameStartsWith(name).stream()
                .filter(
                    thread ->
                        thread.getState() == Thread.State.WAITING
                            || thread.getState() == Thread.State.TIMED_WAITING)
                .anyMatch(
                    thread ->
                        List.of(thread.getStackTrace()).stream()
                            .anyMatch(frame -> frame.getMethodName().equals(method))),
        name + " parked in " + method);
  }

  static void assertNoneLeft(String prefix) {
    for (Thread thread : whoseNameStartsWith(prefix)) {
      try {
        thread.join(10_000);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      assertEquals(Thread.State.TERMINATED, thread.getState(), thread.getName());
    }
  }

  static void eventually(BooleanSupplier condition, String what) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < until, "never: " + what);
      Thread.yield();
    }
  }
}
