package io.penstock.container.tensors;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Large arrays of bytes (row groups' tensors, what is read from storage), kept for the next use
 * when they are given back: a fresh one costs its zeroing, and the collector a copy of it while it
 * lives. Thread-safe.
 *
 * <p>A block that never comes back is simply garbage, and so are those that are kept when memory
 * runs short: only blocks in use are part of a budget.
 */
public final class BlockPool {
  /** A block may be longer than what is asked for by this part of it. */
  private static final int WASTE = 16;

  private final long capacity;
  private final TreeMap<Integer, Deque<SoftReference<byte[]>>> byLength =
      new TreeMap<>(); // guarded by this
  private long kept; // guarded by this

  /**
   * @param capacity most bytes that are kept while nobody uses them
   */
  public BlockPool(long capacity) {
    this.capacity = capacity;
  }

  /** A block of at least that many bytes, and little more, with anything in it. */
  public byte[] take(int length) {
    synchronized (this) {
      var fits = byLength.ceilingEntry(length);
      while (fits != null && fits.getKey() - length <= fits.getKey() / WASTE) {
        byte[] block = remove(fits);
        if (block != null) {
          return block;
        }
        fits = byLength.ceilingEntry(length);
      }
    }
    return new byte[length];
  }

  /** Gives blocks back; the caller no longer looks at them. One may be null. */
  public synchronized void giveBack(byte[]... blocks) {
    for (byte[] block : blocks) {
      if (block != null && block.length > 0 && block.length <= capacity) {
        byLength
            .computeIfAbsent(block.length, length -> new ArrayDeque<>())
            .push(new SoftReference<>(block));
        kept += block.length;
      }
    }
    while (kept > capacity) {
      remove(byLength.firstEntry());
    }
  }

  /** The block, or null if it is garbage already. */
  private byte[] remove(Map.Entry<Integer, Deque<SoftReference<byte[]>>> entry) {
    byte[] block = entry.getValue().pop().get();
    if (entry.getValue().isEmpty()) {
      byLength.remove(entry.getKey());
    }
    kept -= entry.getKey();
    return block;
  }
}
