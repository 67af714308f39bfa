package io.penstock.container.ordered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.lifecycle.Agent;
import io.penstock.lifecycle.TestingClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Takes the steps of a stage's agents and of its consumer by hand, on one thread, in every order
 * that there is (or in many random ones where there are too many). In each the results must come in
 * order, within the budget, and there must be something left to do until the end has come: no
 * schedule locks up.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class OrderedStageScheduleTest {
  /**
   * @param sizes bytes that each item reserves; its result holds half of them
   * @param hold results that the consumer keeps before it gives back the oldest
   */
  private record Shape(
      List<Integer> sizes, int budget, int workers, int queue, int readAhead, int hold) {}

  /** One run: the stage, its consumer, and who could take a step now. */
  private static final class Run {
    private final Shape shape;
    private final Budget budget;
    private final OrderedStage<Integer, String> stage;
    private final Deque<Result<String>> held = new ArrayDeque<>();
    private final List<String> taken = new ArrayList<>();
    private int admitted;
    private boolean ended;

    Run(Shape shape) throws Exception {
      this.shape = shape;
      this.budget = Budget.ofBytes(shape.budget());
      List<Integer> items = IntStream.range(0, shape.sizes().size()).boxed().toList();
      this.stage =
          new OrderedStage<>(
              new StageSettings(
                  "stepped",
                  shape.workers(),
                  shape.queue(),
                  shape.readAhead(),
                  Duration.ZERO,
                  Duration.ZERO),
              new TestingSource<>(items),
              Allowance.of(budget, shape.sizes()::get),
              worker ->
                  (item, reservation) -> {
                    reservation.shrinkTo(reservation.amount() / 2);
                    return "result " + item;
                  },
              new TestingClock());
      for (int i = 0; i < shape.workers(); i++) {
        stage.worker(i).onStart();
      }
    }

    private boolean fits() {
      return admitted == shape.sizes().size()
          || shape.sizes().get(admitted) <= budget.capacity() - budget.used();
    }

    List<Runnable> possibleSteps() {
      List<Runnable> steps = new ArrayList<>();
      if (stage.admission().ready() && fits()) {
        steps.add(() -> admitted += step(stage.admission()) == Agent.Next.AGAIN ? 1 : 0);
      }
      for (int i = 0; i < shape.workers(); i++) {
        OrderedStage<Integer, String>.Worker worker = stage.worker(i);
        if (worker.ready()) {
          steps.add(() -> step(worker));
        }
      }
      if (!ended && held.size() < shape.hold() && stage.resultReady()) {
        steps.add(this::take);
      }
      if (!held.isEmpty()) {
        steps.add(() -> held.remove().close());
      }
      return steps;
    }

    private void take() {
      Optional<Result<String>> result = stage.take();
      result.ifPresentOrElse(
          present -> {
            taken.add(present.value());
            held.add(present);
          },
          () -> ended = true);
    }

    private static Agent.Next step(Agent agent) {
      try {
        return agent.doWork();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    /** Runs to the end; {@code choose} picks one of n possible steps. */
    void finish(IntUnaryOperator choose) {
      List<Integer> choices = new ArrayList<>();
      for (List<Runnable> steps = possibleSteps(); !steps.isEmpty(); steps = possibleSteps()) {
        int choice = choose.applyAsInt(steps.size());
        choices.add(choice);
        steps.get(choice).run();
        assertTrue(budget.used() <= shape.budget(), () -> shape + " " + choices);
      }
      assertTrue(ended, () -> "locked up: " + shape + " after " + choices);
      assertEquals(
          IntStream.range(0, shape.sizes().size()).mapToObj(i -> "result " + i).toList(), taken);
      assertEquals(0, budget.used());
      stage.close();
    }
  }

  /** Depth-first over all choices; returns how many schedules there were. */
  private static int runAll(Shape shape) throws Exception {
    List<Integer> prefix = new ArrayList<>();
    int schedules = 0;
    while (true) {
      List<Integer> widths = new ArrayList<>();
      int[] at = {0};
      new Run(shape)
          .finish(
              width -> {
                if (at[0] == prefix.size()) {
                  prefix.add(0);
                }
                widths.add(width);
                return prefix.get(at[0]++);
              });
      schedules++;
      int last = prefix.size() - 1;
      while (last >= 0 && prefix.get(last) + 1 == widths.get(last)) {
        prefix.remove(last--);
      }
      if (last < 0) {
        return schedules;
      }
      prefix.set(last, prefix.get(last) + 1);
    }
  }

  @Test
  void everyScheduleOfThreeItemsAndTwoWorkersEndsInOrder() throws Exception {
    assertTrue(runAll(new Shape(List.of(4, 4, 4), 100, 2, 1, 0, 1)) > 1_000);
  }

  @Test
  void everyScheduleEndsWhereTheBudgetIsSmallerThanTwoItems() throws Exception {
    assertTrue(runAll(new Shape(List.of(6, 6, 6), 8, 2, 1, 1, 1)) > 10);
  }

  @Test
  void everyScheduleEndsWhereALargeItemWaitsForAllEarlierOnes() throws Exception {
    assertTrue(runAll(new Shape(List.of(2, 8, 2), 8, 2, 1, 2, 1)) > 10);
  }

  @Test
  void everyScheduleEndsWhereTheConsumerKeepsResults() throws Exception {
    assertTrue(runAll(new Shape(List.of(4, 4, 4), 8, 2, 1, 0, 2)) > 100);
  }

  @Test
  void everyScheduleOfNoItemsEnds() throws Exception {
    assertTrue(runAll(new Shape(List.of(), 1, 3, 1, 1, 1)) > 1);
  }

  @Test
  void randomSchedulesOfRandomShapesEndInOrder() throws Exception {
    Random random = new Random(20260101);
    for (int i = 0; i < 3_000; i++) {
      int largest = 1 + random.nextInt(9);
      List<Integer> sizes =
          IntStream.range(0, random.nextInt(25))
              .mapToObj(item -> random.nextInt(largest + 1))
              .toList();
      int hold = 1 + random.nextInt(3);
      // The budget holds what the consumer keeps plus the largest item in work.
      int budget = largest + (hold - 1) * (largest / 2) + random.nextInt(3 * largest);
      new Run(
              new Shape(
                  sizes,
                  budget,
                  1 + random.nextInt(4),
                  1 + random.nextInt(3),
                  random.nextInt(4),
                  hold))
          .finish(random::nextInt);
    }
  }
}
