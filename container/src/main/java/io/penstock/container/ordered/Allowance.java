package io.penstock.container.ordered;

import java.util.function.ToLongFunction;

/** Gives items what they must hold to be worked on: bytes of a budget, or a slot of a ring. */
public interface Allowance<I> {
  /**
   * Waits until the item can hold what its work needs at most. The wait is for the consumer to be
   * done with earlier results, so it has no deadline. Called by the stage's admission thread, in
   * the order of the plan.
   *
   * @throws IllegalArgumentException if it could never hold that much
   * @throws io.penstock.lifecycle.ClosedException once {@link #stop()} was called
   */
  Reservation reserve(I item);

  /** Ends a {@link #reserve} that waits now or later. Called by any thread; must not block. */
  void stop();

  /**
   * Items hold a part of a budget that is the stage's own.
   *
   * @param peak what an item's work holds at most, fetching included, in the budget's unit
   */
  static <I> Allowance<I> of(Budget budget, ToLongFunction<? super I> peak) {
    return new Allowance<>() {
      @Override
      public Reservation reserve(I item) {
        return budget.reserve(peak.applyAsLong(item), item);
      }

      @Override
      public void stop() {
        budget.close();
      }
    };
  }
}
