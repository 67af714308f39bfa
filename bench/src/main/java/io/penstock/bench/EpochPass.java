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
import org.apache.commons.io.FileUtils;

/**
 * All epochs of a feed through a rank's chain, to full slots, which are taken and given back at
 * once: from storage, from a warm cache, or as a job does it whose cache is cold when it starts.
 *
 * <pre>
 *   EpochPass FEED (storage | warm:CACHE_FOLDER | cold:CACHE_FOLDER) WARM_SECONDS [SETTING=VALUE ...]
 * </pre>
 */
final class EpochPass {
  private EpochPass() {}

  public static void main(String[] args) throws Exception {
    List<String> arguments = List.of(args);
    Prepared prepared = Prepared.read(arguments.get(0), arguments.subList(3, arguments.size()));
    String[] from = arguments.get(1).split(":", 2);
    double warmSeconds = Double.parseDouble(arguments.get(2));
    try (Fetcher fetcher = new Fetcher(prepared.configuration(), prepared.settings().fetch())) {
      switch (from[0]) {
        case "storage" -> {
          try (StoredRowGroups source = prepared.rowGroups(fetcher, Optional.empty())) {
            answer(prepared, source, warmSeconds);
          }
        }
        case "warm" -> {
          try (TensorCache cache = cache(prepared, Path.of(from[1]));
              StoredRowGroups source = prepared.rowGroups(fetcher, Optional.of(cache))) {
            epochs(prepared, source);
            checkHoldsAll(cache, prepared);
            answer(prepared, source, warmSeconds);
          }
        }
        case "cold" -> {
          try (Job job = new Job(prepared, fetcher, Path.of(from[1]))) {
            answer(prepared, job, warmSeconds);
          }
        }
        default -> throw new IllegalArgumentException(arguments.get(1));
      }
    }
  }

  private static void answer(Prepared prepared, RowGroupSource source, double warmSeconds)
      throws Exception {
    answer(
        prepared,
        () -> {
          epochs(prepared, source);
          return -1;
        },
        warmSeconds);
  }

  private static void answer(Prepared prepared, Passes.Pass pass, double warmSeconds)
      throws Exception {
    PreparedFeed feed = prepared.feed();
    long rows = feed.plan().steps() * feed.plan().order().batch() * feed.feed().epochs();
    Passes.answer(Map.of("rows", rows, "bytes", rows * feed.bound().rowBytes()), pass, warmSeconds);
  }

  private static void checkHoldsAll(TensorCache cache, Prepared prepared) {
    if (cache.size() != prepared.feed().catalog().rowGroups().size()) {
      throw new IllegalStateException("the cache must hold all row groups: " + cache.size());
    }
  }

  /** Its first epoch fills a cache, which the later ones are read from. */
  private static final class Job implements Passes.Pass, AutoCloseable {
    private final Prepared prepared;
    private final Fetcher fetcher;
    private final Path folder;
    private TensorCache cache;
    private StoredRowGroups source;

    Job(Prepared prepared, Fetcher fetcher, Path folder) {
      this.prepared = prepared;
      this.fetcher = fetcher;
      this.folder = folder;
    }

    @Override
    public void prepare() throws Exception {
      close();
      FileUtils.deleteDirectory(folder.toFile());
      cache = cache(prepared, folder);
      source = prepared.rowGroups(fetcher, Optional.of(cache));
    }

    @Override
    public long run() {
      epochs(prepared, source);
      checkHoldsAll(cache, prepared);
      return -1;
    }

    @Override
    public void close() {
      if (cache != null) {
        source.close();
        cache.close();
      }
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
