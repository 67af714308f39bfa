package io.penstock.container.decode;

import io.penstock.model.RowGroupRef;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The fetched and not yet decoded columns of a row group. But for {@link #rowGroup} and {@link
 * #bytes} it belongs to the thread that decodes them.
 */
public abstract sealed class RowGroupChunks permits FetchedChunks, ChunkStream {
  private final RowGroupRef rowGroup;
  private final AtomicBoolean used = new AtomicBoolean();

  RowGroupChunks(RowGroupRef rowGroup) {
    this.rowGroup = rowGroup;
  }

  public final RowGroupRef rowGroup() {
    return rowGroup;
  }

  /** Bytes that the columns have in the file. */
  public abstract long bytes();

  /** How many columns there are. */
  abstract int size();

  /**
   * A column chunk, good until it is said to be decoded.
   *
   * @param column its place in the order that they were asked for
   * @throws io.penstock.model.UnreachableException if storage failed
   */
  abstract ChunkBytes chunk(int column);

  /** Says that nobody looks at the bytes of a column any more. */
  abstract void decoded(int column);

  /** Gives all buffers back; the bytes are gone after this. */
  abstract void release();

  /**
   * Says that the bytes are being used up.
   *
   * @throws IllegalStateException if they were before
   */
  final void use() {
    if (!used.compareAndSet(false, true)) {
      throw new IllegalStateException("decoded twice: " + rowGroup);
    }
  }
}
