package io.penstock.container.decode;

import io.penstock.container.tensors.BlockPool;
import io.penstock.model.RowGroupRef;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** All columns at once, to be decoded in any order, some perhaps several times. */
final class FetchedChunks extends RowGroupChunks {
  private final List<ChunkBytes> chunks;
  private final BlockPool buffers;

  FetchedChunks(RowGroupRef rowGroup, List<ChunkBytes> chunks, BlockPool buffers) {
    super(rowGroup);
    this.chunks = List.copyOf(chunks);
    this.buffers = buffers;
  }

  @Override
  public long bytes() {
    return chunks.stream().mapToLong(ChunkBytes::length).sum();
  }

  @Override
  int size() {
    return chunks.size();
  }

  @Override
  ChunkBytes chunk(int column) {
    return chunks.get(column);
  }

  @Override
  void decoded(int column) {}

  @Override
  void release() {
    Set<byte[]> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    chunks.forEach(chunk -> distinct.add(chunk.bytes()));
    distinct.forEach(buffers::giveBack);
  }
}
