package io.penstock.container.decode;

import io.penstock.container.decode.ChunkPlaces.ChunkPlace;
import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.FileBytes;
import io.penstock.container.fetch.ReadPart;
import io.penstock.container.tensors.BlockPool;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Columns that are decoded one after the other, each once. They are read in parts; the buffer of
 * one is given back when its last column is decoded, and the next parts are read as soon as their
 * buffers fit into what may be in memory.
 *
 * <h2>Threads</h2>
 *
 * A fetch thread makes it and reads the first parts. From then on it belongs to the worker that
 * decodes: that alone starts fetches, at most one at a time, and takes what they read.
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

  /** Parts whose columns are all decoded. */
  private int done;

  /** The next column to be decoded. */
  private int next;

  /** The parts from {@link #started} less its own on; null if nothing is being read. */
  private Fetch<List<byte[]>> underWay;

  /** Reads parts when there is room for them. */
  interface Rest {
    /** Starts a fetch of parts {@code from} up to, not including, {@code to}. */
    Fetch<List<byte[]>> start(ChunkStream stream, int from, int to);

    /** No fetch will be started any more. */
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

  /** Reads the first parts; on the fetch thread that made it. */
  void begin(FileBytes file) throws IOException {
    int from = started;
    reserve();
    keep(from, read(file, from, started));
  }

  /** Reads some parts; on a fetch thread. It may be done several times. */
  List<byte[]> read(FileBytes file, int from, int to) throws IOException {
    List<byte[]> arrays = new ArrayList<>();
    for (ReadPart part : parts.subList(from, to)) {
      byte[] buffer = buffers.take(part.room());
      part.read(file, buffer);
      arrays.add(buffer);
    }
    if (to == parts.size()) {
      rest.end();
    }
    return arrays;
  }

  /** Counts further parts as started, as many as there is room for; at least one if none is. */
  private void reserve() {
    while (started < parts.size() && (held == 0 || held + parts.get(started).room() <= limit)) {
      held += parts.get(started).room();
      started++;
    }
  }

  private void keep(int from, List<byte[]> arrays) {
    for (int k = 0; k < arrays.size(); k++) {
      read[from + k] = arrays.get(k);
    }
  }

  /** Takes what has been read, and reads on if there is room. */
  private void advance() {
    if (underWay != null && underWay.isDone()) {
      take();
    }
    if (underWay == null) {
      int from = started;
      reserve();
      if (started > from) {
        underWay = rest.start(this, from, started);
      }
    }
  }

  private void take() {
    List<byte[]> arrays = underWay.await();
    underWay = null;
    keep(started - arrays.size(), arrays);
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
    if (underWay != null) {
      // What it reads into may be written to until it ends, so it never comes back.
      underWay.cancel();
      underWay = null;
    }
    for (int k = 0; k < read.length; k++) {
      buffers.giveBack(read[k]);
      read[k] = null;
    }
  }
}
