package io.penstock.container.load;

import io.penstock.container.tensors.RowGroupSource;
import io.penstock.model.Piece;
import io.penstock.model.RowGroupRef;
import io.penstock.plan.WindowLoad;

/** A piece on its way through the stage. Its request is set when it is admitted. */
final class PieceItem implements AutoCloseable {
  private final WindowLoad window;
  private final int index;
  private final RowGroupRef rowGroup;
  // Written by the admission thread before the item is handed out.
  private RowGroupSource.Request request;

  PieceItem(WindowLoad window, int index, RowGroupRef rowGroup) {
    this.window = window;
    this.index = index;
    this.rowGroup = rowGroup;
  }

  Piece piece() {
    return window.piece(index);
  }

  RowGroupRef rowGroup() {
    return rowGroup;
  }

  RowGroupSource.Request request() {
    return request;
  }

  void requested(RowGroupSource.Request started) {
    this.request = started;
  }

  /** For an item that nobody will work on. */
  @Override
  public void close() {
    if (request != null) {
      request.cancel();
    }
  }

  @Override
  public String toString() {
    return "piece "
        + piece().from()
        + ".."
        + piece().to()
        + " of row group "
        + rowGroup.ordinal()
        + " of "
        + rowGroup.path()
        + " for window "
        + window.key();
  }
}
