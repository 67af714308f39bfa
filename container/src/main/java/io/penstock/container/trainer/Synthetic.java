package io.penstock.container.trainer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes a given time a step, to stand for a GPU: {@code penstock.step.milliseconds}, 0 by default.
 */
public final class Synthetic implements TrainingStep {
  private long nanos;

  @Override
  public void open(TrainingContext context) {
    StepArguments arguments = new StepArguments(context.arguments());
    double milliseconds = arguments.number("milliseconds", 0, 0, 86_400_000);
    arguments.refuseOthers();
    this.nanos = Math.round(milliseconds * TimeUnit.MILLISECONDS.toNanos(1));
  }

  @Override
  public void step(Batch batch) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
