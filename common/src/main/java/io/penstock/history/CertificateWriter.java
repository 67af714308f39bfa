package io.penstock.history;

import io.penstock.lifecycle.Agent;
import io.penstock.lifecycle.Backoff;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes blocks on a thread of its own, so that storage that hangs holds up that thread alone.
 *
 * <h2>Failures</h2>
 *
 * Blocks stay in memory until they are kept. When a write fails, the part is given up and all that
 * is not kept is written again to the next one, after a pause that doubles from one second to a
 * minute; readers take a block that is there twice once. Who waits for a commit waits for one
 * deadline only: while writing fails or is late, commits do not wait at all; closing waits once
 * more. If storage is away for so long that memory would grow without end, the oldest blocks are
 * dropped, and {@code verify} says that it does not know them. None of this ends the job: the sums
 * that the job itself goes by are in ZooKeeper.
 */
final class CertificateWriter implements Agent {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateWriter.class);

  private static final int MOST_PENDING = 1 << 16;

  /** So many blocks are written without a commit. */
  private static final int WRITE_AT = 256;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final CertificateHeader header;
  private final CertificateParts parts;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by lock.
  private final Deque<Block> pending = new ArrayDeque<>();
  private long added;
  private long wanted;
  private boolean dropped;
  private boolean ending;
  private boolean late;
  private long readyAt;

  // The agent's own.
  private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  private CertificateParts.Part part;
  private int nextPart;

  CertificateWriter(CertificateHeader header, CertificateParts parts, Clock clock) {
    this.header = header;
    this.parts = parts;
    this.clock = clock;
    this.readyAt = clock.nanoTime();
  }

  @Override
  public String role() {
    return "certificate-writer";
  }

  /** Takes a block; never blocks. */
  void add(Block block) {
    lock.lock();
    try {
      if (pending.size() == MOST_PENDING) {
        pending.remove();
        if (!dropped) {
          dropped = true;
          LOG.warn("event=certificate-blocks-dropped reason=\"history was not written for long\"");
        }
      }
      pending.add(block);
      added++;
      if (pending.size() >= WRITE_AT) {
        wanted = added;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all that was added is kept, but not while writing fails.
   *
   * @return whether it is kept
   */
  boolean keep(Duration longest) {
    lock.lock();
    try {
      long target = added;
      wanted = target;
      changed.signalAll();
      Deadline deadline = Deadline.after(longest, clock);
      while (done() < target && !late && !deadline.passed()) {
        deadline.await(lock, changed, () -> "the certificate file to be written");
      }
      if (done() < target && !late) {
        late = true;
        LOG.warn("event=history-late waited={} pending={}", longest, pending.size());
      }
      return done() >= target;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The last chance: waits until all that was added is kept, also where writing was late or failed
   * before, which is tried again at once.
   *
   * @return whether it is kept
   */
  boolean finish(Duration longest) {
    lock.lock();
    try {
      wanted = added;
      readyAt = clock.nanoTime();
      changed.signalAll();
      Deadline deadline = Deadline.after(longest, clock);
      while (!pending.isEmpty() && !deadline.passed()) {
        deadline.await(lock, changed, () -> "the certificate file to be written");
      }
      if (!pending.isEmpty()) {
        LOG.warn("event=history-not-complete waited={} pending={}", longest, pending.size());
      }
      return pending.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** How many blocks need not be written any more. */
  private long done() {
    return added - pending.size();
  }

  @Override
  public Next doWork() {
    List<Block> batch = new ArrayList<>();
    long end = await(batch);
    if (batch.isEmpty()) {
      return Next.END;
    }
    try {
      write(batch);
      succeeded(end);
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
    return Next.AGAIN;
  }

  /**
   * Waits for blocks that are to be written; none if the end has come.
   *
   * @return how many were added before
   */
  private long await(List<Block> batch) {
    lock.lock();
    try {
      while (!ending && (wanted <= done() || clock.nanoTime() < readyAt)) {
        if (wanted <= done()) {
          changed.awaitUninterruptibly();
        } else {
          clock.await(lock, changed, readyAt);
        }
      }
      if (!ending) {
        batch.addAll(pending);
      }
      return added;
    } finally {
      lock.unlock();
    }
  }

  private void write(List<Block> batch) throws IOException {
    if (part == null) {
      part = parts.create(nextPart++);
      part.write(CertificateFormat.header(header));
    }
    for (Block block : batch) {
      part.write(CertificateFormat.record(block));
    }
    if (part.keep() == CertificateParts.After.NEXT_PART) {
      part = null;
    }
  }

  private void succeeded(long end) {
    lock.lock();
    try {
      if (backoff.isFailing()) {
        LOG.info("event=history-written-again");
      }
      backoff.succeeded();
      late = false;
      while (done() < end) {
        pending.remove();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void failed(Exception e) {
    LOG.warn("event=history-not-written part={} reason=\"{}\"", nextPart - 1, e.toString());
    giveUpPart();
    lock.lock();
    try {
      late = true;
      readyAt = clock.nanoTime() + backoff.failed().toNanos();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void giveUpPart() {
    CertificateParts.Part broken = part;
    part = null;
    if (broken != null) {
      try {
        broken.close();
      } catch (IOException | RuntimeException e) {
        LOG.debug("event=part-not-closed", e);
      }
    }
  }

  @Override
  public void wake() {
    lock.lock();
    try {
      ending = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the part and the file system. */
  @Override
  public void onClose() throws IOException {
    giveUpPart();
    parts.close();
  }
}
