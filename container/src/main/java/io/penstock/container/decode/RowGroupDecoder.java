package io.penstock.container.decode;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.model.DataException;
import io.penstock.model.DataException.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes fetched row groups on one worker thread.
 *
 * <h2>Whose arrays</h2>
 *
 * The arrays of the columns belong to the decoder, which keeps a set of them for each slot: they
 * are good until a column is decoded into the same slot, and may be longer than the column. So once
 * it has seen the largest row group it allocates next to nothing, and whoever uses up a few columns
 * before asking for the next holds a few columns. No column has a part of the fetched bytes: their
 * buffer may be in use again as soon as it is decoded.
 */
public final class RowGroupDecoder implements AutoCloseable {
  private final Scratch scratch = new Scratch();
  private final ChunkDecoder chunks;
  private final List<ColumnBuffers> slots = new ArrayList<>();

  /** What is done with the checksums that pages can carry. */
  public enum Checksums {
    VERIFY,
    IGNORE
  }

  public RowGroupDecoder(Checksums checksums) {
    this.chunks = new ChunkDecoder(checksums, scratch);
  }

  /**
   * Takes up a row group. The fetched bytes are used up: it can be done once.
   *
   * @return its columns, to be closed before the next row group
   */
  public Opened open(RowGroupChunks fetched) {
    fetched.use();
    return new Opened(fetched);
  }

  /**
   * Decodes all columns that were fetched, in the order asked for, each into a slot of its own.
   *
   * @throws DataException naming file, row group and column (and the page in its detail) if the
   *     bytes are not what the footer and the format say
   */
  public List<Column> decode(RowGroupChunks fetched) {
    List<Column> columns = new ArrayList<>();
    try (Opened opened = open(fetched)) {
      for (int k = 0; k < opened.size(); k++) {
        columns.add(opened.decode(k, k));
      }
    }
    return columns;
  }

  @Override
  public void close() {
    scratch.close();
  }

  /** The columns of one fetched row group. */
  public final class Opened implements RowGroupColumns, AutoCloseable {
    private final RowGroupChunks fetched;

    private Opened(RowGroupChunks fetched) {
      this.fetched = fetched;
    }

    /** How many columns were fetched. */
    public int size() {
      return fetched.size();
    }

    @Override
    public Column decode(int column, int slot) {
      while (slots.size() <= slot) {
        slots.add(new ColumnBuffers());
      }
      ChunkBytes chunk = fetched.chunk(column);
      Column decoded;
      try {
        decoded = chunks.decode(chunk, fetched.rowGroup().rows(), slots.get(slot));
      } catch (RuntimeException e) {
        Place place = Place.of(fetched.rowGroup()).inColumn(chunk.leaf().name());
        String detail = e instanceof CorruptException ? e.getMessage() : e.toString();
        throw new DataException(place, detail, e);
      }
      fetched.decoded(column);
      return decoded;
    }

    /** Gives the fetched bytes back. */
    @Override
    public void close() {
      fetched.release();
    }
  }
}
