package io.penstock.container;

import io.penstock.config.CacheSettings;
import io.penstock.config.Settings;
import io.penstock.container.slots.SlotLayout;
import io.penstock.model.RankSlice;
import io.penstock.model.UsageException;
import io.penstock.plan.WindowNeed;

/**
 * The memory that one rank takes, worked out before the job starts.
 *
 * @param windowBytes the windows that any one step touches, at most
 * @param workBytes the largest row group in work: fetched and transformed
 * @param decodeBytes arrays that all workers decode into
 * @param orderBytes the row orders of those windows
 * @param loadBytes what the loading stage may take of the heap; at least {@code windowBytes +
 *     workBytes}
 * @param slotBytes slots and device buffers, outside the heap
 * @param cacheBytes memory of the cache's own index
 */
public record MemoryNeed(
    long windowBytes,
    long workBytes,
    long decodeBytes,
    long orderBytes,
    long loadBytes,
    long slotBytes,
    long cacheBytes) {
  /** Classes, threads, footers, file system clients. */
  static final long BASE_HEAP_BYTES = 96L << 20;

  /**
   * Works it out for the rank that needs most.
   *
   * @param heapBytes heap of the process
   * @throws UsageException if it does not fit; the message says what is needed and which setting
   *     gives more
   */
  public static MemoryNeed of(PreparedFeed feed, int ranks, long heapBytes, Settings settings) {
    RankSlice.check(ranks, feed.plan().order().batch());
    LoadNeed loading = new LoadNeed(feed, settings.fetch());
    long windowRows = WindowNeed.rows(feed.plan(), ranks, feed.feed().epochs());
    long windows = windowRows * loading.keptRowBytes();
    long order = windowRows * Integer.BYTES;
    long work = 0;
    for (int i = 0; i < feed.catalog().rowGroups().size(); i++) {
      work = Math.max(work, loading.peakBytes(feed.catalog().ref(i)));
    }
    long decode =
        StoredRowGroups.decodeBytes(feed)
            * settings.load().workersOn(settings.container().vcores());
    int rows = feed.plan().order().batch() / ranks;
    long slot = new SlotLayout(feed.bound().specs(), rows).bytes();
    long slots = slot * (settings.batch().slots() + settings.device().buffers());
    long cache =
        settings.cache().use() == CacheSettings.Use.ON ? settings.cache().memoryBytes() : 0;
    long left = heapBytes - BASE_HEAP_BYTES - order - decode - cache;
    long load = settings.load().memoryBytes() > 0 ? settings.load().memoryBytes() : left;
    MemoryNeed need = new MemoryNeed(windows, work, decode, order, Math.max(load, 0), slots, cache);
    need.check(left, ranks);
    return need;
  }

  private void check(long left, int ranks) {
    long least = windowBytes + workBytes;
    if (loadBytes > left || least > loadBytes) {
      throw new UsageException(
          "a rank's memory does not fit: windows "
              + mebibytes(windowBytes)
              + " + largest row group in work "
              + mebibytes(workBytes)
              + " = "
              + mebibytes(least)
              + ", but loading may take "
              + mebibytes(Math.max(0, Math.min(left, loadBytes)))
              + " of the heap (ranks="
              + ranks
              + "); raise penstock.container.memory, or lower order.window or the rows of a row group");
    }
  }

  /** Heap that the rank needs at least. */
  public long leastHeapBytes() {
    return windowBytes + workBytes + decodeBytes + orderBytes + cacheBytes + BASE_HEAP_BYTES;
  }

  /** As {@code key=value} fields of a log line. */
  String fields() {
    return "windows=%d work=%d decode=%d order=%d load=%d slots=%d cache=%d"
        .formatted(
            windowBytes, workBytes, decodeBytes, orderBytes, loadBytes, slotBytes, cacheBytes);
  }

  private static String mebibytes(long bytes) {
    return (bytes + (1 << 20) - 1 >> 20) + " MiB";
  }
}
