package io.penstock.container.batch;

import io.penstock.container.load.LoadedWindow;
import io.penstock.container.slots.Slot;
import io.penstock.plan.Segment;
import java.util.List;

/**
 * A step to fill: its rows, the windows they lie in (one a segment), and the slot that it got at
 * admission.
 */
final class StepItem implements AutoCloseable {
  private final long epoch;
  private final long step;
  private final List<Segment> segments;
  private final List<LoadedWindow> windows;
  // Written by the admission thread before the item is handed out.
  private Slot slot;

  StepItem(long epoch, long step, List<Segment> segments, List<LoadedWindow> windows) {
    this.epoch = epoch;
    this.step = step;
    this.segments = segments;
    this.windows = windows;
  }

  long epoch() {
    return epoch;
  }

  long step() {
    return step;
  }

  List<Segment> segments() {
    return segments;
  }

  LoadedWindow window(int segment) {
    return windows.get(segment);
  }

  Slot slot() {
    return slot;
  }

  void fillInto(Slot reserved) {
    this.slot = reserved;
  }

  /** Lets go of the windows. */
  @Override
  public void close() {
    windows.forEach(LoadedWindow::close);
  }

  @Override
  public String toString() {
    return "step " + epoch + ":" + step;
  }
}
