package io.penstock.container.decode;

import io.penstock.container.decode.ChunkPlaces.ChunkPlace;
import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.FileBytes;
import io.penstock.container.fetch.ReadPart;
import io.penstock.container.tensors.BlockPool;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Columns that are decoded one after the other, each once. They are read in parts; the buffer of
 * one is given back when its last column is decoded, and the next parts are read as soon as their
 * buffers fit into what may be in memory.
 *
 * <h2>Threads</h2>
 *
 * A fetch thread makes it, starts fetches of the first parts, and reads the first one. From then on
 * it belongs to the worker that decodes: that alone starts fetches, and takes what they read.
 */
final class ChunkStream extends RowGroupChunks {
  private final List<ChunkPlace> places;
  private final List<ReadPart> parts;
  private final BlockPool buffers;
  private final long limit;
  private final Rest rest;

  /** By part; null before it is read and after its last column. */
  private final byte[][] read;

  /** Bytes of the buffers that are in use, those that are being read into included. */
  private long held;

  /** Parts that are read or being read. */
  private int started;

  /** Parts that were taken from the fetches that read them. */
  private int taken;

  /** Parts whose columns are all decoded. */
  private int done;

  /** The next column to be decoded. */
  private int next;

  /** Of the parts from {@link #taken} on, one each. */
  private final Deque<Fetch<byte[]>> underWay = new ArrayDeque<>();

  /** Reads parts when there is room for them. */
  interface Rest {
    /** Starts a fetch of a part. */
    Fetch<byte[]> start(ChunkStream stream, int part);

    /** The last fetch has begun, or none will be started any more. */
    void end();
  }

  /**
   * @param places in the order that they are decoded in
   * @param limit most bytes of buffers, unless one alone is longer
   */
  ChunkStream(
      RowGroupRef rowGroup,
      List<ChunkPlace> places,
      List<ReadPart> parts,
      BlockPool buffers,
      long limit,
      Rest rest) {
    super(rowGroup);
    this.places = List.copyOf(places);
    this.parts = List.copyOf(parts);
    this.buffers = buffers;
    this.limit = limit;
    this.rest = rest;
    this.read = new byte[parts.size()][];
  }

  /**
   * Reads the first part and starts what else there is room for; on the fetch thread that made it.
   */
  void begin(FileBytes file) throws IOException {
    if (parts.isEmpty()) {
      rest.end();
      return;
    }
    reserve();
    try {
      readOn();
      keep(read(file, 0));
    } catch (IOException | RuntimeException e) {
      cancel();
      throw e;
    }
  }

  /** Reads a part; on a fetch thread. It may be done several times. */
  byte[] read(FileBytes file, int part) throws IOException {
    byte[] buffer = buffers.take(parts.get(part).room());
    if (part == parts.size() - 1) {
      rest.end();
    }
    parts.get(part).read(file, buffer);
    return buffer;
  }

  /** Whether a further part can be read; one can if none is in memory. */
  private boolean hasRoom() {
    return started < parts.size() && (held == 0 || held + parts.get(started).room() <= limit);
  }

  /** Counts a further part as started. */
  private void reserve() {
    held += parts.get(started).room();
    started++;
  }

  private void keep(byte[] array) {
    read[taken] = array;
    taken++;
  }

  /** Takes what has been read, and reads on while there is room. */
  private void advance() {
    while (!underWay.isEmpty() && underWay.getFirst().isDone()) {
      take();
    }
    readOn();
  }

  private void readOn() {
    while (hasRoom()) {
      int part = started;
      reserve();
      underWay.addLast(rest.start(this, part));
    }
  }

  private void take() {
    keep(underWay.removeFirst().await());
  }

  @Override
  public long bytes() {
    return places.stream().mapToLong(ChunkPlace::length).sum();
  }

  @Override
  int size() {
    return places.size();
  }

  @Override
  ChunkBytes chunk(int column) {
    if (column != next) {
      throw new IllegalStateException(
          "columns must be decoded in order, each once: " + column + " after " + (next - 1));
    }
    next++;
    advance();
    if (read[done] == null) {
      take();
      advance();
    }
    return ChunkBytes.of(places.get(column), read[done], parts.get(done).offset(column));
  }

  @Override
  void decoded(int column) {
    ReadPart part = parts.get(done);
    if (column == part.first() + part.size() - 1) {
      buffers.giveBack(read[done]);
      read[done] = null;
      held -= part.room();
      done++;
      advance();
    }
  }

  @Override
  void release() {
    rest.end();
    cancel();
    for (int k = 0; k < read.length; k++) {
      buffers.giveBack(read[k]);
      read[k] = null;
    }
  }

  /** What is being read into may be written to until that ends, so it never comes back. */
  private void cancel() {
    underWay.forEach(Fetch::cancel);
    underWay.clear();
  }
}
