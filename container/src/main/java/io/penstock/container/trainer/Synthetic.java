package io.penstock.container.trainer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes a given time a step, to stand for a GPU: {@code penstock.step.milliseconds}, 0 by default.
 * With {@code penstock.step.commit-every} it commits each so many steps of an epoch, to stand for
 * checkpoints, and when a commit is wanted; 0, the default, for never.
 */
public final class Synthetic implements TrainingStep {
  private long nanos;
  private long commitEvery;
  private TrainingContext.CommitHandle commits;

  @Override
  public void open(TrainingContext context) {
    StepArguments arguments = new StepArguments(context.arguments());
    double milliseconds = arguments.number("milliseconds", 0, 0, 86_400_000);
    commitEvery = arguments.whole("commit-every", 0);
    arguments.refuseOthers();
    this.nanos = Math.round(milliseconds * TimeUnit.MILLISECONDS.toNanos(1));
    this.commits = context.commits();
  }

  @Override
  public void step(Batch batch) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    if (commitEvery > 0 && ((batch.step() + 1) % commitEvery == 0 || commits.isWanted())) {
      commits.commit();
    }
  }
}
