package io.penstock.container.decode;

import io.penstock.container.tensors.BlockPool;
import io.penstock.model.RowGroupRef;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** The fetched and not yet decoded columns of a row group. */
public final class RowGroupChunks {
  private final RowGroupRef rowGroup;
  private final List<ChunkBytes> chunks;
  private final BlockPool buffers;
  private final AtomicBoolean used = new AtomicBoolean();

  RowGroupChunks(RowGroupRef rowGroup, List<ChunkBytes> chunks, BlockPool buffers) {
    this.rowGroup = rowGroup;
    this.chunks = List.copyOf(chunks);
    this.buffers = buffers;
  }

  public RowGroupRef rowGroup() {
    return rowGroup;
  }

  /** In the order that the columns were asked for. */
  List<ChunkBytes> chunks() {
    return chunks;
  }

  /**
   * Says that the bytes are being used up.
   *
   * @throws IllegalStateException if they were before
   */
  void use() {
    if (!used.compareAndSet(false, true)) {
      throw new IllegalStateException("decoded twice: " + rowGroup);
    }
  }

  /** Gives the buffers back; the bytes are gone after this. */
  void release() {
    Set<byte[]> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    chunks.forEach(chunk -> distinct.add(chunk.bytes()));
    distinct.forEach(buffers::giveBack);
  }

  /** Bytes that the columns have in the file. */
  public long bytes() {
    return chunks.stream().mapToLong(ChunkBytes::length).sum();
  }
}
