package io.penstock.coordination;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ephemeral node that says that its owner lives. It is made again when a new session replaces a
 * lost one.
 *
 * @param <T> the record
 */
public final class Registration<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

  private final Coordination coordination;
  private final String path;
  private final AutoCloseable reconnects;

  // Guarded by this.
  private FencedJob job;
  private T record;
  private boolean closed;

  Registration(Coordination coordination, FencedJob job, String path, T record) {
    this.coordination = coordination;
    this.job = job;
    this.path = path;
    this.record = record;
    job.putEphemeral(path, record);
    this.reconnects = coordination.afterReconnect(this::restore);
  }

  /**
   * Replaces the record.
   *
   * @throws FencedException if somebody newer has taken over
   */
  public synchronized void update(T changed) {
    record = changed;
    if (!closed) {
      job.putEphemeral(path, changed);
    }
  }

  /** Goes on under another fence, after the owner has raised it. */
  public synchronized void fencedBy(FencedJob raised) {
    job = raised;
  }

  /** Removes the node. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      reconnects.close();
      if (coordination.connection() == Connection.CONNECTED) {
        job.remove(path);
      }
    } catch (Exception e) {
      // The end of the session removes it too.
      LOG.info("event=registration-left node={} reason={}", path, e.toString());
    }
  }

  private synchronized void restore() {
    if (closed) {
      return;
    }
    try {
      job.putEphemeral(path, record);
    } catch (RuntimeException e) {
      // The owner finds the same at its next write.
      LOG.warn("event=registration-not-restored node={} reason={}", path, e.toString());
    }
  }
}
