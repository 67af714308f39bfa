package io.penstock.bench;

import io.penstock.config.CacheSettings;
import io.penstock.container.MemoryNeed;
import io.penstock.container.PreparedFeed;
import io.penstock.container.RankPipeline;
import io.penstock.container.StoredRowGroups;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.cache.TensorCacheConfig;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.slots.FullSlots.FullSlot;
import io.penstock.container.tensors.RowGroupSource;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All epochs of a feed through a rank's chain, from files or from the cache to full slots, which
 * are taken and given back at once.
 *
 * <pre>  EpochPass FEED (storage | CACHE_FOLDER) WARM_SECONDS [SETTING=VALUE ...]</pre>
 */
final class EpochPass {
  private EpochPass() {}

  public static void main(String[] args) throws Exception {
    List<String> arguments = List.of(args);
    Prepared prepared = Prepared.read(arguments.get(0), arguments.subList(3, arguments.size()));
    PreparedFeed feed = prepared.feed();
    try (TensorCache cache =
            arguments.get(1).equals("storage") ? null : cache(prepared, Path.of(arguments.get(1)));
        Fetcher fetcher = new Fetcher(prepared.configuration(), prepared.settings().fetch());
        StoredRowGroups source = prepared.rowGroups(fetcher, Optional.ofNullable(cache))) {
      long rows = epochs(prepared, source);
      if (cache != null && cache.size() != feed.catalog().rowGroups().size()) {
        throw new IllegalStateException("the cache must hold all row groups: " + cache.size());
      }
      Passes.answer(
          Map.of("rows", rows, "bytes", rows * feed.bound().rowBytes()),
          () -> {
            epochs(prepared, source);
            return -1;
          },
          Double.parseDouble(arguments.get(2)));
    }
  }

  private static TensorCache cache(Prepared prepared, Path folder) throws Exception {
    CacheSettings settings = prepared.settings().cache();
    return TensorCache.open(
        folder,
        prepared.feed().bound().specs(),
        new TensorCacheConfig(
            settings.quotaBytes(),
            settings.recordBytes(),
            settings.memoryBytes(),
            settings.maxDiskShare()));
  }

  /** Delivers all epochs; returns their rows. */
  static long epochs(Prepared prepared, RowGroupSource source) {
    PreparedFeed feed = prepared.feed();
    MemoryNeed memory =
        MemoryNeed.of(feed, 1, Runtime.getRuntime().maxMemory(), prepared.settings());
    long rows = 0;
    try (RankPipeline pipeline =
        RankPipeline.of(
            feed,
            new RankSlice(0, 1),
            Cursor.START,
            new Cursor(feed.feed().epochs(), 0),
            source,
            memory,
            prepared.settings(),
            SystemClock.INSTANCE)) {
      pipeline.start();
      while (true) {
        Optional<FullSlot> taken = pipeline.slots().take();
        if (taken.isEmpty()) {
          return rows;
        }
        try (FullSlot slot = taken.get()) {
          rows += slot.slot().record().rows();
        }
      }
    }
  }
}
