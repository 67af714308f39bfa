package io.penstock.container.decode;

import io.penstock.container.tensors.Column;
import io.penstock.model.DataException;
import io.penstock.model.DataException.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes fetched row groups on one worker thread.
 *
 * <h2>Whose arrays</h2>
 *
 * The arrays of the columns belong to the decoder: they are good until its next call, and may be
 * longer than the column. So once it has seen the largest row group it allocates next to nothing.
 */
public final class RowGroupDecoder implements AutoCloseable {
  private final Scratch scratch = new Scratch();
  private final ChunkDecoder chunks;
  private final List<ColumnBuffers> buffers = new ArrayList<>();

  /** What is done with the checksums that pages can carry. */
  public enum Checksums {
    VERIFY,
    IGNORE
  }

  public RowGroupDecoder(Checksums checksums) {
    this.chunks = new ChunkDecoder(checksums, scratch);
  }

  /**
   * Decodes all columns that were fetched, in the order asked for. The fetched bytes are used up:
   * it can be done once.
   *
   * @throws DataException naming file, row group and column (and the page in its detail) if the
   *     bytes are not what the footer and the format say
   */
  public List<Column> decode(RowGroupChunks fetched) {
    fetched.use();
    List<Column> columns = new ArrayList<>(fetched.chunks().size());
    try {
      for (int k = 0; k < fetched.chunks().size(); k++) {
        columns.add(decode(fetched, k));
      }
    } finally {
      fetched.release();
    }
    return columns;
  }

  private Column decode(RowGroupChunks fetched, int k) {
    if (k == buffers.size()) {
      buffers.add(new ColumnBuffers());
    }
    ChunkBytes chunk = fetched.chunks().get(k);
    try {
      return chunks.decode(chunk, fetched.rowGroup().rows(), buffers.get(k));
    } catch (RuntimeException e) {
      Place place = Place.of(fetched.rowGroup()).inColumn(chunk.leaf().name());
      String detail = e instanceof CorruptException ? e.getMessage() : e.toString();
      throw new DataException(place, detail, e);
    }
  }

  @Override
  public void close() {
    scratch.close();
  }
}
