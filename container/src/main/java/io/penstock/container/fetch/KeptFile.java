package io.penstock.container.fetch;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that stays open from one fetch to the next, so that each costs no more than its reads;
 * fetches that run at the same time share it. Whoever makes it closes it when the last fetch has
 * begun or none will. Thread-safe.
 */
public final class KeptFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeptFile.class);

  private final String path;

  private Opened kept; // guarded by this; null while none is open that fetches can share
  private boolean closed; // guarded by this

  /** The file once opened. */
  static final class Opened {
    final HadoopFile file;
    private int fetches = 1; // guarded by the kept file

    private Opened(HadoopFile file) {
      this.file = file;
    }
  }

  /**
   * @param path the file's full decoded path
   */
  public KeptFile(String path) {
    this.path = Objects.requireNonNull(path, "path");
  }

  /** The file's full decoded path. */
  public String path() {
    return path;
  }

  /** The open file for one more fetch, which ends with {@link #end}. */
  synchronized Optional<Opened> take() {
    if (kept != null) {
      kept.fetches++;
    }
    return Optional.ofNullable(kept);
  }

  /**
   * Shares the file that a fetch has opened because there was none, and that it {@link #end ends}.
   */
  synchronized Opened share(HadoopFile file) {
    Opened opened = new Opened(file);
    if (kept == null && !closed) {
      kept = opened;
    }
    return opened;
  }

  /**
   * Ends a fetch's use of the file, which is closed if it is the last one and none is to come.
   *
   * @param sound whether later fetches may use it; those that have it already go on
   */
  void end(Opened one, boolean sound) {
    boolean last;
    synchronized (this) {
      one.fetches--;
      if (!sound && kept == one) {
        kept = null;
      }
      last = one.fetches == 0 && kept != one;
    }
    if (last) {
      close(one.file);
    }
  }

  /** Has later fetches open the file anew, because one that has it does not come back. */
  void forget() {
    Opened idle;
    synchronized (this) {
      idle = kept != null && kept.fetches == 0 ? kept : null;
      kept = null;
    }
    if (idle != null) {
      close(idle.file);
    }
  }

  /** Says that no fetch will begin any more; those that have the file close it when they end. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    forget();
  }

  private static void close(HadoopFile file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("event=fetch-file-not-closed file={}", file.path(), e);
    }
  }
}
