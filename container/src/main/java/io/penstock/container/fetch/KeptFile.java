package io.penstock.container.fetch;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that stays open from one fetch to the next, so that each costs no more than its reads.
 * Whoever makes it closes it when the last fetch has begun or none will. Thread-safe; of fetches
 * that run at the same time, one has the open file and the others open it for themselves.
 */
public final class KeptFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeptFile.class);

  private final String path;

  private HadoopFile idle; // guarded by this; null while none is open or a fetch has it
  private boolean closed; // guarded by this

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

  /** The open file, for one fetch alone. */
  synchronized Optional<HadoopFile> take() {
    Optional<HadoopFile> taken = Optional.ofNullable(idle);
    idle = null;
    return taken;
  }

  /** Takes a sound file back, or closes it if no fetch is to come. */
  void keep(HadoopFile file) {
    synchronized (this) {
      if (!closed && idle == null) {
        idle = file;
        return;
      }
    }
    close(file);
  }

  /** Says that no fetch will begin any more; a fetch that has the file closes it when it ends. */
  @Override
  public void close() {
    Optional<HadoopFile> open;
    synchronized (this) {
      closed = true;
      open = take();
    }
    open.ifPresent(KeptFile::close);
  }

  static void close(HadoopFile file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("event=fetch-file-not-closed file={}", file.path(), e);
    }
  }
}
