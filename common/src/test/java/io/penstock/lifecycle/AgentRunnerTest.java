package io.penstock.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
class AgentRunnerTest {
  private static final Duration LONG = Duration.ofSeconds(15);

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  /** Waits in its first step until it is woken, or until the test lets it go. */
  private class Waiting implements Agent {
    final CountDownLatch inStep = new CountDownLatch(1);
    final Signal go = new Signal();
    volatile boolean interrupted;

    @Override
    public String role() {
      return "waiting";
    }

    @Override
    public void onStart() {
      calls.add("start");
    }

    @Override
    public Next doWork() {
      inStep.countDown();
      go.await(Deadline.after(LONG, SystemClock.INSTANCE), () -> "a wake-up");
      interrupted = Thread.currentThread().isInterrupted();
      calls.add("step");
      return Next.AGAIN;
    }

    @Override
    public void wake() {
      go.raise();
    }

    @Override
    public void onClose() {
      calls.add("close");
    }
  }

  private AgentRunner runner(Agent agent) {
    return new AgentRunner(agent, SystemClock.INSTANCE, LONG, failures::add);
  }

  private static Agent steps(int count) {
    return new Agent() {
      private int left = count;

      @Override
      public String role() {
        return "counting";
      }

      @Override
      public Next doWork() {
        return --left > 0 ? Next.AGAIN : Next.END;
      }

      @Override
      public void wake() {}
    };
  }

  @Test
  void closeWakesTheAgentAndReturnsWhenItIsQuiet() throws Exception {
    Waiting agent = new Waiting();
    AgentRunner runner = runner(agent);
    runner.start();
    agent.inStep.await();
    runner.close();
    assertEquals(List.of("start", "step", "close"), calls);
    assertFalse(agent.interrupted);
    runner.close();
    assertEquals(List.of(), failures);
  }

  @Test
  void anAgentThatHasNoMoreWorkEndsByItself() {
    AgentRunner runner = runner(steps(3));
    runner.start();
    runner.awaitQuiet(Deadline.after(LONG, SystemClock.INSTANCE));
    runner.close();
  }

  @Test
  void anAgentThatWasNeverStartedIsQuiet() {
    AgentRunner runner = runner(new Waiting());
    runner.close();
    assertEquals(List.of(), calls);
    assertThrows(IllegalStateException.class, runner::start);
  }

  @Test
  void aSecondStartFails() {
    try (AgentRunner runner = runner(new Waiting())) {
      runner.start();
      assertThrows(IllegalStateException.class, runner::start);
    }
  }

  @Test
  void aFailureIsToldInTheAgentsThreadAndTheAgentCloses() {
    IllegalArgumentException failure = new IllegalArgumentException("bad");
    Agent agent =
        new Agent() {
          @Override
          public String role() {
            return "failing";
          }

          @Override
          public Next doWork() {
            throw failure;
          }

          @Override
          public void wake() {}

          @Override
          public void onClose() {
            calls.add("close");
          }
        };
    AgentRunner runner =
        new AgentRunner(
            agent,
            SystemClock.INSTANCE,
            LONG,
            told -> {
              calls.add(Thread.currentThread().getName());
              failures.add(told);
            });
    runner.start();
    runner.awaitQuiet(Deadline.after(LONG, SystemClock.INSTANCE));
    assertEquals(List.of("failing", "close"), calls);
    assertSame(failure, failures.get(0));
    runner.close();
  }

  @Test
  void closingAStuckAgentNamesItsThreadAndShowsWhereItIs() throws Exception {
    TestingClock clock = new TestingClock();
    Waiting agent =
        new Waiting() {
          @Override
          public void wake() {}
        };
    AgentRunner runner = new AgentRunner(agent, clock, Duration.ofSeconds(5), failures::add);
    runner.start();
    agent.inStep.await();
    CompletableFuture<Void> close = CompletableFuture.runAsync(runner::close);
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(5));
    Throwable stuck =
        assertThrows(ExecutionException.class, () -> close.get(10, TimeUnit.SECONDS)).getCause();
    assertEquals("waited 5 s for the end of thread waiting", stuck.getMessage());
    assertTrue(
        List.of(stuck.getSuppressed()[0].getStackTrace()).stream()
            .anyMatch(frame -> frame.getMethodName().equals("doWork")));
    agent.go.raise();
    runner.close();
    assertEquals(List.of("start", "step", "close"), calls);
  }

  @Test
  void anAgentCannotWaitForItsOwnEnd() {
    AgentRunner[] runner = new AgentRunner[1];
    Agent agent =
        new Agent() {
          @Override
          public String role() {
            return "selfish";
          }

          @Override
          public Next doWork() {
            runner[0].close();
            return Next.END;
          }

          @Override
          public void wake() {}
        };
    runner[0] = runner(agent);
    runner[0].start();
    runner[0].awaitQuiet(Deadline.after(LONG, SystemClock.INSTANCE));
    assertEquals("an agent can't wait for its own end: selfish", failures.get(0).getMessage());
  }

  @Test
  void threadsAreNamedByRoleAndTellWhatTheyThrow() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    NamedThreads threads =
        new NamedThreads(
            "fetch",
            (thread, failure) -> {
              calls.add(thread.getName() + " " + failure.getMessage());
              told.countDown();
            });
    Thread first = threads.newThread(() -> calls.add(Thread.currentThread().getName()));
    Thread second =
        threads.newThread(
            () -> {
              throw new IllegalStateException("broken");
            });
    first.start();
    first.join();
    second.start();
    told.await();
    assertEquals(List.of("fetch-0", "fetch-1 broken"), calls);
    assertTrue(first.isDaemon());
  }
}
