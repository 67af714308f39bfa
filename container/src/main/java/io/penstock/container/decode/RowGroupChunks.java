package io.penstock.container.decode;

import io.penstock.model.RowGroupRef;
import java.util.List;

/** The fetched and not yet decoded columns of a row group. */
public final class RowGroupChunks {
  private final RowGroupRef rowGroup;
  private final List<ChunkBytes> chunks;

  RowGroupChunks(RowGroupRef rowGroup, List<ChunkBytes> chunks) {
    this.rowGroup = rowGroup;
    this.chunks = List.copyOf(chunks);
  }

  public RowGroupRef rowGroup() {
    return rowGroup;
  }

  /** In the order that the columns were asked for. */
  List<ChunkBytes> chunks() {
    return chunks;
  }

  /** Bytes that the columns have in the file. */
  public long bytes() {
    return chunks.stream().mapToLong(ChunkBytes::length).sum();
  }
}
