package io.penstock.container.fetch;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Buffers that reads are made into, kept for the next read when they are given back. One that never
 * comes back (of a fetch that was cancelled, say) is simply garbage, and so are those that are kept
 * when memory runs short: they are no part of a budget.
 */
public final class ReadBuffers {
  /** A buffer may be larger than what is asked for by this part of it. */
  private static final int WASTE = 4;

  private final long capacity;
  private final TreeMap<Integer, Deque<SoftReference<byte[]>>> byLength =
      new TreeMap<>(); // guarded by this
  private long kept; // guarded by this

  /**
   * @param capacity most bytes that are kept
   */
  public ReadBuffers(long capacity) {
    this.capacity = capacity;
  }

  /** A buffer of at least that many bytes, and little more, with anything in it. */
  byte[] take(int length) {
    synchronized (this) {
      var fits = byLength.ceilingEntry(length);
      while (fits != null && fits.getKey() - length <= fits.getKey() / WASTE) {
        byte[] buffer = remove(fits);
        if (buffer != null) {
          return buffer;
        }
        fits = byLength.ceilingEntry(length);
      }
    }
    return new byte[length];
  }

  /** Gives a buffer back; the caller no longer looks at it. */
  public synchronized void giveBack(byte[] buffer) {
    if (buffer.length > capacity) {
      return;
    }
    byLength
        .computeIfAbsent(buffer.length, length -> new ArrayDeque<>())
        .push(new SoftReference<>(buffer));
    kept += buffer.length;
    while (kept > capacity) {
      remove(byLength.firstEntry());
    }
  }

  /** The buffer, or null if it is garbage already. */
  private byte[] remove(Map.Entry<Integer, Deque<SoftReference<byte[]>>> entry) {
    byte[] buffer = entry.getValue().pop().get();
    if (entry.getValue().isEmpty()) {
      byLength.remove(entry.getKey());
    }
    kept -= entry.getKey();
    return buffer;
  }
}
