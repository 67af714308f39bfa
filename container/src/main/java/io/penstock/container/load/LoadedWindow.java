package io.penstock.container.load;

import io.penstock.container.ordered.Result;
import io.penstock.plan.WindowKey;
import io.penstock.plan.WindowLoad;
import io.penstock.plan.WindowOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A window whose pieces are in memory. It is shared by the steps that gather from it: each holds
 * it, and when the last one lets go its memory is given back.
 */
public final class LoadedWindow implements AutoCloseable {
  private final WindowLoad load;
  private final WindowOrder order;
  private final LoadedPiece[] pieces;
  private final List<Result<LoadedPiece>> results;
  private final AtomicInteger holders = new AtomicInteger(1);

  LoadedWindow(WindowLoad load, LoadedPiece[] pieces, List<Result<LoadedPiece>> results) {
    this.load = load;
    this.order = load.order();
    this.pieces = pieces;
    this.results = List.copyOf(results);
  }

  public WindowKey key() {
    return load.key();
  }

  /** Last step that gathers from it. */
  public long lastStep() {
    return load.lastStep();
  }

  /** The order of its rows. */
  public WindowOrder order() {
    return order;
  }

  /** A piece by its place in the window; null if no step of this rank needs it. */
  public LoadedPiece piece(int index) {
    return pieces[index];
  }

  /** One more holder; called by a holder. */
  public LoadedWindow hold() {
    if (holders.getAndIncrement() < 1) {
      throw new IllegalStateException("window " + key() + " was freed");
    }
    return this;
  }

  /** One holder less; the last one frees the memory. */
  @Override
  public void close() {
    if (holders.decrementAndGet() == 0) {
      results.forEach(Result::close);
    }
  }
}
