package io.penstock.container.trainer;

import io.penstock.container.device.DeviceFeed;
import io.penstock.container.device.DeviceFeed.DeviceBatch;
import io.penstock.container.slots.StepRecord;
import io.penstock.lifecycle.Clock;
import io.penstock.model.Cursor;
import io.penstock.model.PenstockException;
import io.penstock.model.UsageException;
import java.util.Objects;
import java.util.Optional;

/**
 * Runs the training step over all batches of a rank, on the thread that calls {@link #run}, and
 * keeps the books: what was delivered, what was committed, how long the step waited.
 */
public final class Trainer {
  /** Told of what happens, on the training thread. */
  public interface Listener {
    /** A batch reached the step, which waited for it. */
    void taken(StepRecord record, long waitedNanos);

    /** The step is done with the batch. */
    void stepped(StepRecord record, long steppedNanos);

    /**
     * Everything up to and including {@code record}'s step is committed; returns when that is
     * stored.
     *
     * @param cursor the next step
     */
    void committed(StepRecord record, Cursor cursor);
  }

  private final TrainingStep step;
  private final TrainingContext context;
  private final DeviceFeed feed;
  private final Clock clock;
  private final Listener listener;

  // The training thread's own.
  private StepRecord current;
  private boolean stepCommits;
  private boolean committed = true;

  /**
   * @param context what the step is told; of its commit handle only {@link
   *     TrainingContext.CommitHandle#isWanted} is asked, commits are the trainer's
   */
  public Trainer(
      TrainingStep step, TrainingContext context, DeviceFeed feed, Clock clock, Listener listener) {
    this.step = Objects.requireNonNull(step, "step");
    this.feed = Objects.requireNonNull(feed, "feed");
    this.clock = Objects.requireNonNull(clock, "clock");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.context =
        new TrainingContext(
            context.slice(),
            context.tensors(),
            context.rows(),
            context.steps(),
            context.epochs(),
            context.start(),
            context.arguments(),
            new Commits(context.commits()));
  }

  private final class Commits implements TrainingContext.CommitHandle {
    private final TrainingContext.CommitHandle given;

    Commits(TrainingContext.CommitHandle given) {
      this.given = given;
    }

    @Override
    public void commit() {
      commitFromStep();
    }

    @Override
    public boolean isWanted() {
      return given.isWanted();
    }
  }

  private void commitFromStep() {
    stepCommits = true;
    if (current != null) {
      commit();
    }
  }

  private void commit() {
    listener.committed(current, Cursor.after(current.epoch(), current.step(), context.steps()));
    committed = true;
  }

  /**
   * Loads a training step by class name.
   *
   * @throws UsageException if there is no such class, or it is no {@link TrainingStep}
   */
  public static TrainingStep load(String className, ClassLoader loader) {
    try {
      return Class.forName(className, true, loader)
          .asSubclass(TrainingStep.class)
          .getConstructor()
          .newInstance();
    } catch (ClassCastException e) {
      throw new UsageException(
          "must implement " + TrainingStep.class.getName() + ": penstock.trainer.step=" + className,
          e);
    } catch (ReflectiveOperationException e) {
      throw new UsageException(
          "can't be loaded: penstock.trainer.step=" + className + " (" + e + ")", e);
    }
  }

  /**
   * Delivers every batch to the step.
   *
   * @throws StepFailedException if the step throws
   */
  public void run() {
    try (StepCalls calls = new StepCalls()) {
      calls.call("open", () -> step.open(context));
      for (Optional<DeviceBatch> next = take(); next.isPresent(); next = take()) {
        DeviceBatch batch = next.get();
        long before = clock.nanoTime();
        calls.call(
            "step " + current.epoch() + ":" + current.step(),
            () -> step.step(new Batch(batch.buffer(), batch.record())));
        listener.stepped(current, clock.nanoTime() - before);
        feed.release(batch);
        if (!stepCommits && current.step() + 1 == context.steps()) {
          commit();
        }
      }
    }
    if (!committed) {
      commit();
    }
  }

  private Optional<DeviceBatch> take() {
    long before = clock.nanoTime();
    Optional<DeviceBatch> next = feed.take();
    if (next.isPresent()) {
      current = next.get().record();
      committed = false;
      listener.taken(current, clock.nanoTime() - before);
    }
    return next;
  }

  private interface Call {
    void run() throws Exception;
  }

  /** Calls the user's code, names it in what it throws, and closes it in the end. */
  private final class StepCalls implements AutoCloseable {
    void call(String what, Call call) {
      try {
        call.run();
      } catch (PenstockException | StepFailedException e) {
        throw e;
      } catch (Exception e) {
        throw new StepFailedException(
            "training step " + step.getClass().getName() + " failed in " + what + ": " + e, e);
      }
    }

    @Override
    public void close() {
      call("close", step::close);
    }
  }
}
