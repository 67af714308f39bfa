package io.penstock.catalog;

import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/** A budget for the bytes of footers that are parsed at the same time. */
final class FooterMemory {
  static final FooterMemory UNLIMITED = new FooterMemory(Long.MAX_VALUE);

  private static final int UNIT = 1024;

  private final int units;
  private final Semaphore free;

  FooterMemory(long bytes) {
    units = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / UNIT));
    free = new Semaphore(units, true);
  }

  /** Waits until there is room for a footer; one that is larger than the budget takes all of it. */
  Lease take(long bytes) throws InterruptedIOException {
    int taken = (int) Math.min(units, bytes / UNIT + 1);
    try {
      free.acquire(taken);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for memory for a footer");
    }
    return () -> free.release(taken);
  }

  /** Room for one footer. */
  @FunctionalInterface
  interface Lease {
    void giveBack();
  }
}
