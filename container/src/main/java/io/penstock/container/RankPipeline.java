package io.penstock.container;

import io.penstock.config.Settings;
import io.penstock.container.batch.BatchFeed;
import io.penstock.container.batch.ValuesDigest;
import io.penstock.container.load.WindowFeed;
import io.penstock.container.ordered.Budget;
import io.penstock.container.ordered.StageSettings;
import io.penstock.container.ordered.StageStats;
import io.penstock.container.slots.FullSlots;
import io.penstock.container.slots.SlotLayout;
import io.penstock.container.slots.SlotRing;
import io.penstock.container.tensors.RowGroupSource;
import io.penstock.lifecycle.Clock;
import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import io.penstock.plan.RankPlan;

/**
 * The data plane of one rank, from row groups to full slots: load ▶ batch. The same for a container
 * and for local commands.
 */
public final class RankPipeline implements AutoCloseable {
  private final BatchFeed batches;
  private final SlotLayout layout;

  private RankPipeline(BatchFeed batches, SlotLayout layout) {
    this.batches = batches;
    this.layout = layout;
  }

  /**
   * Wires the stages; {@link #start} starts their threads.
   *
   * @param start first step to deliver
   * @param end one past the last
   * @param source where row groups come from; not closed by this
   * @param memory what the rank may take
   */
  public static RankPipeline of(
      PreparedFeed feed,
      RankSlice slice,
      Cursor start,
      Cursor end,
      RowGroupSource source,
      MemoryNeed memory,
      Settings settings,
      Clock clock) {
    RankPlan plan = new RankPlan(feed.plan(), slice);
    int vcores = settings.container().vcores();
    StageSettings load =
        new StageSettings(
            "load",
            settings.load().workersOn(vcores),
            settings.load().queue(),
            settings.load().readAhead(),
            settings.load().workTimeout(),
            settings.container().closeTimeout());
    StageSettings fill =
        new StageSettings(
            "batch",
            settings.batch().workersOn(vcores),
            settings.batch().slots(),
            0,
            settings.batch().workTimeout(),
            settings.container().closeTimeout());
    long epochs = end.step() == 0 ? end.epoch() : end.epoch() + 1;
    WindowFeed windows =
        new WindowFeed(
            plan,
            start,
            epochs,
            feed.catalog()::ref,
            source,
            Budget.ofBytes(memory.loadBytes()),
            load,
            clock);
    SlotLayout layout = new SlotLayout(feed.bound().specs(), plan.rowsPerStep());
    ValuesDigest valuesDigest =
        switch (settings.batch().valuesDigest()) {
          case ON -> ValuesDigest.ON;
          case OFF -> ValuesDigest.OFF;
        };
    SlotRing ring = new SlotRing(layout, settings.batch().slots());
    return new RankPipeline(
        new BatchFeed(plan, start, end, windows, ring, valuesDigest, fill, clock), layout);
  }

  /** Starts the threads. */
  public void start() {
    batches.start();
  }

  /** Filled slots in step order. */
  public FullSlots slots() {
    return batches;
  }

  /** How a slot is laid out. */
  public SlotLayout layout() {
    return layout;
  }

  /** Where the stages waited so far, as {@code key=value} fields of a log line. */
  String waits() {
    return fields("load", batches.loadStats()) + " " + fields("batch", batches.stats());
  }

  private static String fields(String stage, StageStats stats) {
    return "%1$s.taken=%2$d %1$s.busyMillis=%3$d %1$s.idleMillis=%4$d %1$s.fullMillis=%5$d"
            .formatted(
                stage,
                stats.taken(),
                millis(stats.workersBusy()),
                millis(stats.workersIdle()),
                millis(stats.workersFull()))
        + " %1$s.sourceMillis=%2$d %1$s.memoryMillis=%3$d %1$s.consumerMillis=%4$d"
            .formatted(
                stage,
                millis(stats.sourceWaited()),
                millis(stats.allowanceWaited()),
                millis(stats.consumerWaited()));
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }

  @Override
  public void close() {
    batches.close();
  }
}
