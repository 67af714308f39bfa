package io.penstock.container;

import io.penstock.config.Settings;
import io.penstock.container.device.Device;
import io.penstock.container.device.DeviceFeed;
import io.penstock.container.slots.StepRecord;
import io.penstock.container.tensors.RowGroupSource;
import io.penstock.container.trainer.Trainer;
import io.penstock.container.trainer.TrainingContext;
import io.penstock.container.trainer.TrainingStep;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.Resources;
import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank from its first to its last step: row groups ▶ windows ▶ batches ▶ device ▶ training step,
 * with the books kept.
 *
 * @param source where row groups come from; closed by its owner
 * @param device closed by its owner
 * @param books what the rank delivers is written here
 * @param commits stores a commit; returns when it is stored
 */
record RankRun(
    PreparedFeed feed,
    RankSlice slice,
    Cursor start,
    RowGroupSource source,
    MemoryNeed memory,
    Device device,
    TrainingStep step,
    RankBooks books,
    Runnable commits,
    Settings settings,
    Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(RankRun.class);

  /**
   * Delivers all steps; returns when the last one is committed and every thread of the data plane
   * has ended.
   *
   * @throws RuntimeException what failed first
   */
  void run() throws Exception {
    long steps = feed.plan().steps();
    long epochs = feed.feed().epochs();
    Resources open = new Resources();
    try {
      RankPipeline pipeline =
          open.add(
              RankPipeline.of(
                  feed, slice, start, new Cursor(epochs, 0), source, memory, settings, clock));
      DeviceFeed batches =
          open.add(
              new DeviceFeed(
                  device,
                  pipeline.layout(),
                  settings.device().buffers(),
                  pipeline.slots(),
                  clock,
                  settings.container().closeTimeout()));
      pipeline.start();
      batches.start();
      TrainingContext context =
          new TrainingContext(
              slice,
              feed.bound().specs(),
              pipeline.layout().rows(),
              steps,
              epochs,
              start,
              settings.trainer().arguments(),
              new Wish());
      new Trainer(step, context, batches, clock, new Bookkeeper(pipeline, steps)).run();
      books.stepReport(step.report());
    } catch (Throwable failure) {
      open.closeAfter(failure);
      throw failure;
    }
    open.close();
  }

  /** The trainer takes the commits itself. */
  private final class Wish implements TrainingContext.CommitHandle {
    @Override
    public void commit() {
      throw new IllegalStateException("commits are the trainer's");
    }

    @Override
    public boolean isWanted() {
      return books.isCommitWanted();
    }
  }

  private final class Bookkeeper implements Trainer.Listener {
    private final RankPipeline pipeline;
    private final long steps;

    Bookkeeper(RankPipeline pipeline, long steps) {
      this.pipeline = pipeline;
      this.steps = steps;
    }

    @Override
    public void taken(StepRecord record, long waitedNanos) {
      books.taken(record, waitedNanos, steps);
    }

    @Override
    public void stepped(StepRecord record, long steppedNanos) {
      books.stepped(record);
      if (record.step() + 1 == steps) {
        LOG.info("event=epoch-delivered epoch={} {}", record.epoch(), pipeline.waits());
      }
    }

    @Override
    public void committed(StepRecord record, Cursor cursor) {
      books.stepReport(step.report());
      books.committed(cursor);
      commits.run();
      LOG.info("event=committed epoch={} step={} next={}", record.epoch(), record.step(), cursor);
    }
  }
}
