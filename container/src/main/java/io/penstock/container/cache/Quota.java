package io.penstock.container.cache;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a folder may take on disk, and how much of that is taken. Thread-safe. */
final class Quota {
  private static final Logger LOG = LoggerFactory.getLogger(Quota.class);

  private final Path folder;
  private final long bytes;
  private final double maxDiskShare;
  private final AtomicLong used;
  private final AtomicBoolean saidFull = new AtomicBoolean();

  /**
   * @param bytes what the folder may take
   * @param maxDiskShare share of the file system that may be full
   * @param used what it takes already
   */
  Quota(Path folder, long bytes, double maxDiskShare, long used) {
    this.folder = folder;
    this.bytes = bytes;
    this.maxDiskShare = maxDiskShare;
    this.used = new AtomicLong(used);
  }

  long used() {
    return used.get();
  }

  /** Takes that many bytes for good; false, and takes none, if they do not fit. */
  boolean reserve(long more) {
    long before = used.getAndUpdate(u -> u + more <= bytes ? u + more : u);
    if (before + more > bytes) {
      sayFull("quota", before, more);
      return false;
    }
    if (diskIsFull(more)) {
      used.addAndGet(-more);
      sayFull("disk", before, more);
      return false;
    }
    return true;
  }

  private boolean diskIsFull(long more) {
    try {
      FileStore store = Files.getFileStore(folder);
      double free = store.getUsableSpace() - (double) more;
      return free < store.getTotalSpace() * (1 - maxDiskShare);
    } catch (IOException e) {
      LOG.warn("event=cache-disk-unknown folder={} reason={}", folder, e.toString());
      return true;
    }
  }

  private void sayFull(String what, long before, long more) {
    if (saidFull.compareAndSet(false, true)) {
      LOG.info(
          "event=cache-full what={} folder={} used={} next={} quota={}",
          what,
          folder,
          before,
          more,
          bytes);
    }
  }
}
