package io.penstock.container.load;

import io.penstock.container.tensors.RowGroupSource;
import io.penstock.container.tensors.RowGroupSource.Origin;
import io.penstock.container.tensors.RowGroupTensors;

/**
 * The rows of a piece.
 *
 * @param tensors of the piece's rows alone: its row 0 is row {@code firstRow} of the row group
 * @param firstRow row within the row group of the first row
 * @param source who gets the tensors back
 */
public record LoadedPiece(
    RowGroupTensors tensors, int firstRow, Origin origin, RowGroupSource source)
    implements AutoCloseable {
  /** Gives the tensors back; nobody may look at them any more. */
  @Override
  public void close() {
    source.giveBack(tensors);
  }
}
