package io.penstock.container.decode;

import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.fetch.FileBytes;
import io.penstock.container.fetch.KeptFile;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * A fetch of columns that are read while others are decoded: it is done when the first part is
 * there, and giving it up gives up the later ones too. Thread-safe.
 */
final class StreamedFetch implements Fetch<RowGroupChunks>, ChunkStream.Rest {
  private final Fetcher fetcher;
  private final String what;
  private final KeptFile file;
  private final Fetch<RowGroupChunks> first;
  private final List<Fetch<?>> later = new ArrayList<>(); // guarded by this
  private boolean cancelled; // guarded by this

  /** Makes the stream of a file and reads its first part. */
  interface Opening {
    RowGroupChunks open(FileBytes file, ChunkStream.Rest rest) throws IOException;
  }

  StreamedFetch(Fetcher fetcher, RowGroupRef rowGroup, Opening opening) {
    this.fetcher = fetcher;
    this.what = "row group " + rowGroup.ordinal();
    this.file = new KeptFile(rowGroup.path());
    this.first = fetcher.start(file, what, bytes -> opening.open(bytes, this), Fetcher.Turn.LAST);
  }

  @Override
  public Fetch<byte[]> start(ChunkStream stream, int part) {
    synchronized (this) {
      if (cancelled) {
        throw new CancellationException("cancelled: file " + file.path() + ", " + what);
      }
      Fetch<byte[]> fetch =
          fetcher.start(file, what, bytes -> stream.read(bytes, part), Fetcher.Turn.NEXT);
      later.add(fetch);
      return fetch;
    }
  }

  @Override
  public void end() {
    file.close();
  }

  @Override
  public RowGroupChunks await() {
    return first.await();
  }

  @Override
  public boolean isDone() {
    return first.isDone();
  }

  @Override
  public void cancel() {
    List<Fetch<?>> started;
    synchronized (this) {
      cancelled = true;
      started = List.copyOf(later);
    }
    first.cancel();
    started.forEach(Fetch::cancel);
    file.close();
  }

  @Override
  public int retries() {
    List<Fetch<?>> started;
    synchronized (this) {
      started = List.copyOf(later);
    }
    return first.retries() + started.stream().mapToInt(Fetch::retries).sum();
  }
}
