package io.penstock.container.load;

import io.penstock.container.ordered.Allowance;
import io.penstock.container.ordered.Budget;
import io.penstock.container.ordered.OrderedStage;
import io.penstock.container.ordered.Reservation;
import io.penstock.container.ordered.Result;
import io.penstock.container.ordered.Source;
import io.penstock.container.ordered.StageSettings;
import io.penstock.container.ordered.StageStats;
import io.penstock.container.ordered.Work;
import io.penstock.container.tensors.RowGroupSource;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.lifecycle.Clock;
import io.penstock.model.Cursor;
import io.penstock.model.Piece;
import io.penstock.model.RowGroupRef;
import io.penstock.plan.RankPlan;
import io.penstock.plan.WindowLoad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.IntFunction;

/**
 * Loads a rank's pieces in load order and hands out the windows that they make up.
 *
 * <p>Each piece loads its whole row group (cache or storage, decode, transform) and keeps its own
 * rows. Memory is reserved for what loading takes at its peak; when the piece is there, what it
 * does not keep is given back.
 */
public final class WindowFeed implements AutoCloseable {
  private final OrderedStage<PieceItem, LoadedPiece> stage;
  // Windows whose pieces are under way, in load order: the admission thread adds, the consumer
  // takes.
  private final Deque<WindowLoad> underWay = new ConcurrentLinkedDeque<>();
  // Requests whose result is not read yet, so that stopping can cancel them.
  private final Set<RowGroupSource.Request> requested = ConcurrentHashMap.newKeySet();

  /**
   * @param start first step to deliver
   * @param epochs epochs of the run
   * @param rowGroups finds a row group by its place in the catalog
   * @param memory bytes for the pieces in work and the windows that are held
   */
  public WindowFeed(
      RankPlan plan,
      Cursor start,
      long epochs,
      IntFunction<RowGroupRef> rowGroups,
      RowGroupSource source,
      Budget memory,
      StageSettings settings,
      Clock clock) {
    this.stage =
        new OrderedStage<>(
            settings,
            new PieceSource(plan.loads(start, epochs), rowGroups, source),
            Allowance.of(memory, item -> peakBytes(source, item)),
            worker -> new PieceWork(source),
            clock);
  }

  private static long peakBytes(RowGroupSource source, PieceItem item) {
    return source.peakBytes(item.rowGroup());
  }

  /** Starts the threads. */
  public void start() {
    stage.start();
  }

  /**
   * Waits for the next window in load order; empty after the last one. The caller holds it and
   * closes it. One thread at a time.
   */
  public Optional<LoadedWindow> take() {
    List<Result<LoadedPiece>> results = new ArrayList<>();
    try {
      Optional<Result<LoadedPiece>> first = stage.take();
      if (first.isEmpty()) {
        return Optional.empty();
      }
      Result<LoadedPiece> next = first.get();
      results.add(next);
      WindowLoad window = underWay.remove();
      LoadedPiece[] pieces = new LoadedPiece[window.pieces()];
      for (int i = 0; i < pieces.length; i++) {
        if (!window.needs(i)) {
          continue;
        }
        if (next == null) {
          next =
              stage
                  .take()
                  .orElseThrow(() -> new IllegalStateException("pieces ended inside " + window));
          results.add(next);
        }
        pieces[i] = next.value();
        next = null;
      }
      return Optional.of(new LoadedWindow(window, pieces, results));
    } catch (Throwable failure) {
      results.forEach(Result::close);
      throw failure;
    }
  }

  /** Ends waits, now and later; returns at once. */
  public void stop() {
    stage.stop();
  }

  /** What was done, and where it waited. */
  public StageStats stats() {
    return stage.stats();
  }

  @Override
  public void close() {
    stage.close();
  }

  private final class PieceSource implements Source<PieceItem> {
    private final Iterator<WindowLoad> windows;
    private final IntFunction<RowGroupRef> rowGroups;
    private final RowGroupSource source;
    private final Deque<PieceItem> items = new ArrayDeque<>();

    PieceSource(
        Iterator<WindowLoad> windows, IntFunction<RowGroupRef> rowGroups, RowGroupSource source) {
      this.windows = windows;
      this.rowGroups = rowGroups;
      this.source = source;
    }

    @Override
    public PieceItem next() {
      while (items.isEmpty() && windows.hasNext()) {
        WindowLoad window = windows.next();
        for (int i = 0; i < window.pieces(); i++) {
          if (window.needs(i)) {
            items.add(new PieceItem(window, i, rowGroups.apply(window.piece(i).rowGroup())));
          }
        }
        underWay.add(window);
      }
      return items.poll();
    }

    @Override
    public void admitted(PieceItem item) {
      RowGroupSource.Request request = source.request(item.rowGroup());
      requested.add(request);
      item.requested(request);
    }

    @Override
    public void stop() {
      requested.forEach(RowGroupSource.Request::cancel);
    }
  }

  private final class PieceWork implements Work<PieceItem, LoadedPiece> {
    private final RowGroupSource source;
    private final RowGroupSource.Reader reader;

    PieceWork(RowGroupSource source) {
      this.source = source;
      this.reader = source.newReader();
    }

    @Override
    public LoadedPiece apply(PieceItem item, Reservation held) {
      RowGroupSource.Loaded loaded;
      try {
        loaded = reader.read(item.request());
      } finally {
        requested.remove(item.request());
      }
      Piece piece = item.piece();
      RowGroupTensors rows = loaded.tensors().slice(piece.from(), piece.to());
      if (rows != loaded.tensors()) {
        source.giveBack(loaded.tensors());
      }
      held.shrinkTo(Math.min(rows.bytes(), held.amount()));
      return new LoadedPiece(rows, piece.from(), loaded.origin(), source);
    }

    @Override
    public void close() {
      reader.close();
    }
  }
}
