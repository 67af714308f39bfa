package io.penstock.container.batch;

import io.penstock.container.load.LoadedWindow;
import io.penstock.container.load.WindowFeed;
import io.penstock.container.ordered.Allowance;
import io.penstock.container.ordered.OrderedStage;
import io.penstock.container.ordered.Reservation;
import io.penstock.container.ordered.Result;
import io.penstock.container.ordered.Source;
import io.penstock.container.ordered.StageSettings;
import io.penstock.container.ordered.StageStats;
import io.penstock.container.slots.FullSlots;
import io.penstock.container.slots.Slot;
import io.penstock.container.slots.SlotRing;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.Resources;
import io.penstock.model.Cursor;
import io.penstock.plan.RankPlan;
import io.penstock.plan.Segment;
import io.penstock.plan.WindowKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Fills a rank's share of every global batch into slots, in step order.
 *
 * <p>The stage's source pulls the windows that the next step needs from the {@link WindowFeed}; a
 * step holds its windows until its slot is filled, and a window is let go when its last step has
 * been planned. So at most the windows of the steps in work are in memory.
 */
public final class BatchFeed implements FullSlots, AutoCloseable {
  private final WindowFeed windows;
  private final StepSource source;
  private final OrderedStage<StepItem, Slot> stage;

  /**
   * @param windows closed by this
   * @param start first step to deliver
   * @param end one past the last: normally {@code (epochs, 0)}
   */
  public BatchFeed(
      RankPlan plan,
      Cursor start,
      Cursor end,
      WindowFeed windows,
      SlotRing ring,
      ValuesDigest valuesDigest,
      StageSettings settings,
      Clock clock) {
    this.windows = windows;
    this.source = new StepSource(plan, start, end);
    this.stage =
        new OrderedStage<>(
            settings,
            source,
            new SlotAllowance(ring),
            worker -> new Gather(plan, valuesDigest),
            clock);
  }

  /** Starts the threads of this and of the loading stage. */
  public void start() {
    windows.start();
    stage.start();
  }

  @Override
  public Optional<FullSlot> take() {
    return stage.take().map(Filled::new);
  }

  @Override
  public void stop() {
    stage.stop();
  }

  /** What filling did, and where it waited. */
  public StageStats stats() {
    return stage.stats();
  }

  /** What loading did, and where it waited. */
  public StageStats loadStats() {
    return windows.stats();
  }

  @Override
  public void close() {
    Resources closing = new Resources();
    closing.add(windows);
    closing.add(source::letGo);
    closing.add(stage);
    try {
      closing.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the batch feed could not be closed", e);
    }
  }

  private record Filled(Result<Slot> result) implements FullSlot {
    @Override
    public Slot slot() {
      return result.value();
    }

    @Override
    public void close() {
      result.close();
    }
  }

  /**
   * Steps with their windows; owned by the admission thread, and by the closer after it has ended.
   */
  private final class StepSource implements Source<StepItem> {
    private final RankPlan plan;
    private final Cursor end;
    private final Map<WindowKey, LoadedWindow> open = new HashMap<>();
    private Cursor next;

    StepSource(RankPlan plan, Cursor start, Cursor end) {
      this.plan = plan;
      this.next = start;
      this.end = end;
    }

    @Override
    public StepItem next() {
      if (next.compareTo(end) >= 0) {
        return null;
      }
      long epoch = next.epoch();
      long step = next.step();
      List<Segment> segments = plan.segments(epoch, step);
      List<LoadedWindow> held = new ArrayList<>(segments.size());
      try {
        for (Segment segment : segments) {
          held.add(window(segment.window()).hold());
        }
      } catch (Throwable failure) {
        held.forEach(LoadedWindow::close);
        throw failure;
      }
      letGoAfter(step);
      next = Cursor.after(epoch, step, plan.plan().steps());
      return new StepItem(epoch, step, segments, held);
    }

    private LoadedWindow window(WindowKey key) {
      while (!open.containsKey(key)) {
        LoadedWindow loaded =
            windows
                .take()
                .orElseThrow(() -> new IllegalStateException("no window " + key + " was loaded"));
        open.put(loaded.key(), loaded);
      }
      return open.get(key);
    }

    private void letGoAfter(long step) {
      for (Iterator<LoadedWindow> all = open.values().iterator(); all.hasNext(); ) {
        LoadedWindow window = all.next();
        if (window.lastStep() <= step) {
          all.remove();
          window.close();
        }
      }
    }

    @Override
    public void stop() {
      windows.stop();
    }

    void letGo() {
      open.values().forEach(LoadedWindow::close);
      open.clear();
    }
  }

  /** A step holds one slot, until the consumer is done with it. */
  private record SlotAllowance(SlotRing ring) implements Allowance<StepItem> {
    @Override
    public Reservation reserve(StepItem item) {
      Slot slot = ring.acquire();
      item.fillInto(slot);
      return new SlotReservation(ring, slot);
    }

    @Override
    public void stop() {
      ring.stop();
    }
  }

  private static final class SlotReservation implements Reservation {
    private final SlotRing ring;
    private final Slot slot;
    private final AtomicBoolean held = new AtomicBoolean(true);

    SlotReservation(SlotRing ring, Slot slot) {
      this.ring = ring;
      this.slot = slot;
    }

    @Override
    public void shrinkTo(long amount) {
      if (amount < amount()) {
        close();
      }
    }

    @Override
    public long amount() {
      return held.get() ? 1 : 0;
    }

    @Override
    public void close() {
      if (held.compareAndSet(true, false)) {
        ring.release(slot);
      }
    }
  }
}
