package io.penstock.container;

import io.penstock.catalog.RowGroupInfo;
import io.penstock.config.BatchSettings.ValuesDigest;
import io.penstock.config.DecodeSettings;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.decode.FooterCache;
import io.penstock.container.decode.ParquetRowGroups;
import io.penstock.container.decode.RowGroupChunks;
import io.penstock.container.decode.RowGroupDecoder;
import io.penstock.container.fetch.Fetch;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.RowGroupSource;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.container.transform.Transformer;
import io.penstock.container.transform.Transforms;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.Deadline;
import io.penstock.lifecycle.Signal;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import io.penstock.model.TensorSpec;
import io.penstock.plan.RowValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Row groups from the cache or from storage. What came from storage is put into the cache if that
 * has room.
 *
 * <p>Whether to fetch is decided when a row group is asked for, from memory: one that the cache
 * holds never touches storage. One that an earlier request is on the way of bringing into the cache
 * (a row group across lanes has a piece in each; an epoch's last ones may be the next one's first)
 * is waited for when it is read, and fetched then only if it did not get in. The earlier request
 * was handed to a worker before, so the wait ends.
 */
public final class StoredRowGroups
    implements RowGroupSource, RankBooks.StorageCounters, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoredRowGroups.class);

  /** Their values fit into one array; of larger row groups the rows are hashed when delivered. */
  private static final int MOST_ROWS_WITH_VALUES =
      Integer.MAX_VALUE / RowGroupTensors.ROW_VALUE_BYTES;

  private final PreparedFeed feed;
  private final List<String> columns;
  private final List<TensorSpec> specs;
  private final BadRowGroup badRowGroup;
  private final LoadNeed need;
  private final Transforms transforms;
  private final Fetcher fetcher;
  private final ParquetRowGroups files;
  private final RowGroupDecoder.Checksums checksums;
  private final ValuesDigest valuesDigest;
  private final Optional<TensorCache> cache;
  private final BlockPool blocks = new BlockPool(Runtime.getRuntime().maxMemory() / 2);
  private final BiConsumer<RowGroupRef, String> onQuarantine;
  private final Duration loadWithin;
  private final Clock clock;
  // Row groups that are fetched to be cached, by their place in the catalog; raised when they are.
  private final Map<Integer, Signal> underWay = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong retries = new AtomicLong();

  /**
   * @param jars where a jar that the feed names, as written there, lies on this machine
   * @param valuesDigest whether what each row counts in it is worked out
   * @param cache closed by its owner, as is the fetcher
   * @param onQuarantine told of each row group that is delivered as not valid, and why; on worker
   *     threads
   * @param loadWithin how long one row group may take to load
   */
  public StoredRowGroups(
      PreparedFeed feed,
      Function<String, Path> jars,
      Fetcher fetcher,
      DecodeSettings decode,
      ValuesDigest valuesDigest,
      Optional<TensorCache> cache,
      BiConsumer<RowGroupRef, String> onQuarantine,
      Duration loadWithin,
      Clock clock) {
    this.feed = feed;
    this.columns = feed.bound().fileColumns();
    this.specs = feed.bound().specs();
    this.badRowGroup = feed.feed().dataset().badRowGroup();
    this.need = new LoadNeed(feed, fetcher.settings());
    this.transforms = Transforms.compile(feed.bound(), jars);
    this.fetcher = fetcher;
    this.files = new ParquetRowGroups(new FooterCache(decode.footerBytes()), fetcher.settings());
    this.checksums =
        switch (decode.pageChecksums()) {
          case VERIFIED -> RowGroupDecoder.Checksums.VERIFY;
          case IGNORED -> RowGroupDecoder.Checksums.IGNORE;
        };
    this.valuesDigest = valuesDigest;
    this.cache = cache;
    this.onQuarantine = onQuarantine;
    this.loadWithin = loadWithin;
    this.clock = clock;
  }

  @Override
  public Request request(RowGroupRef rowGroup) {
    if (holds(rowGroup)) {
      return new Stored(rowGroup, Optional.empty(), Optional.empty());
    }
    Signal cached = new Signal();
    if (cache.isPresent()) {
      Signal earlier = underWay.putIfAbsent(rowGroup.index(), cached);
      if (earlier != null) {
        return new Stored(rowGroup, Optional.empty(), Optional.of(earlier));
      }
    }
    return new Stored(rowGroup, Optional.of(fetch(rowGroup)), Optional.of(cached));
  }

  private boolean holds(RowGroupRef rowGroup) {
    return cache.isPresent() && cache.get().holds(rowGroup.index());
  }

  private Fetch<RowGroupChunks> fetch(RowGroupRef rowGroup) {
    return need.readAhead(rowGroup)
        .map(ahead -> files.start(fetcher, rowGroup, columns, ahead))
        .orElseGet(
            () ->
                fetcher.start(
                    rowGroup.path(),
                    "row group " + rowGroup.ordinal(),
                    file -> files.fetch(file, rowGroup, columns)));
  }

  @Override
  public long peakBytes(RowGroupRef rowGroup) {
    return holds(rowGroup) ? need.keptBytes(rowGroup) : need.peakBytes(rowGroup);
  }

  /** About what the arrays of one worker grow to when it decodes any of the row groups. */
  static long decodeBytes(PreparedFeed feed) {
    long largest =
        feed.catalog().rowGroups().stream().mapToLong(RowGroupInfo::decodedBytes).max().orElse(0);
    int columns = Transforms.columnsAtOnce(feed.bound());
    return largest * ((columns - 1) / RowGroupInfo.DECODED_AT_ONCE + 1);
  }

  @Override
  public void giveBack(RowGroupTensors tensors) {
    tensors.giveBack(blocks);
  }

  @Override
  public Reader newReader() {
    return new StoredReader();
  }

  @Override
  public long bytes() {
    return bytes.get();
  }

  @Override
  public long retries() {
    return retries.get();
  }

  /** Unloads user code; readers must have been closed. */
  @Override
  public void close() {
    transforms.close();
  }

  /**
   * @param fetch empty if the cache held it when it was asked for, or will when it is read
   * @param cached raised when the fetch has been used, or when an earlier request's has
   */
  private record Stored(
      RowGroupRef rowGroup, Optional<Fetch<RowGroupChunks>> fetch, Optional<Signal> cached)
      implements Request {
    @Override
    public void cancel() {
      fetch.ifPresent(Fetch::cancel);
      cached.ifPresent(Signal::raise);
    }
  }

  private final class StoredReader implements Reader {
    private final RowGroupDecoder decoder = new RowGroupDecoder(checksums);
    private final Transformer transformer = transforms.newTransformer(blocks);
    private final int[] rowBytes = specs.stream().mapToInt(TensorSpec::rowBytes).toArray();

    @Override
    public Loaded read(Request request) {
      long before = clock.nanoTime();
      Stored stored = (Stored) request;
      RowGroupRef rowGroup = stored.rowGroup();
      Loaded loaded = fromCache(stored).orElseGet(() -> fromStorage(stored));
      loaded.tensors().quarantined().ifPresent(reason -> onQuarantine.accept(rowGroup, reason));
      LOG.debug(
          "event=loaded rowGroup={} file={} ordinal={} rows={} source={} millis={}",
          rowGroup.index(),
          rowGroup.path(),
          rowGroup.ordinal(),
          rowGroup.rows(),
          loaded.origin(),
          (clock.nanoTime() - before) / 1_000_000);
      return loaded;
    }

    private Optional<Loaded> fromCache(Stored stored) {
      if (stored.fetch().isPresent()) {
        return Optional.empty();
      }
      stored
          .cached()
          .ifPresent(
              earlier ->
                  earlier.await(
                      Deadline.after(loadWithin, clock),
                      () -> "another piece of " + stored.rowGroup() + " to be loaded"));
      return cache
          .orElseThrow()
          .get(stored.rowGroup().index(), stored.rowGroup().rows(), blocks)
          .map(tensors -> new Loaded(tensors, Origin.CACHE, 0));
    }

    private Loaded fromStorage(Stored stored) {
      RowGroupRef rowGroup = stored.rowGroup();
      // Without a fetch the cache turned out to be full or damaged.
      Fetch<RowGroupChunks> fetch = stored.fetch().orElseGet(() -> fetch(rowGroup));
      try {
        return fetched(rowGroup, fetch);
      } finally {
        if (stored.fetch().isPresent()) {
          underWay.remove(rowGroup.index());
          stored.cached().orElseThrow().raise();
        }
      }
    }

    private Loaded fetched(RowGroupRef rowGroup, Fetch<RowGroupChunks> fetch) {
      RowGroupTensors tensors;
      try {
        RowGroupChunks chunks = fetch.await();
        bytes.addAndGet(chunks.bytes());
        try (RowGroupDecoder.Opened columns = decoder.open(chunks)) {
          tensors =
              transformer.apply(
                  rowGroup, columns, feed.catalog().fileOf(rowGroup.index()).partitions());
        }
        tensors = withRowValues(tensors);
      } catch (DataException e) {
        if (badRowGroup == BadRowGroup.FAIL) {
          throw e;
        }
        tensors = RowGroupTensors.quarantined(rowGroup.rows(), specs, e.getMessage());
      }
      retries.addAndGet(fetch.retries());
      RowGroupTensors kept = tensors;
      cache.ifPresent(c -> c.put(rowGroup.index(), kept));
      return new Loaded(tensors, Origin.STORAGE, fetch.retries());
    }

    private RowGroupTensors withRowValues(RowGroupTensors tensors) {
      if (valuesDigest == ValuesDigest.OFF || tensors.rows() > MOST_ROWS_WITH_VALUES) {
        return tensors;
      }
      byte[] values = blocks.take(tensors.rows() * RowGroupTensors.ROW_VALUE_BYTES);
      RowValue.ofRows(tensors.rows(), tensors.blocks(), rowBytes, values);
      return tensors.withRowValues(values);
    }

    @Override
    public void close() {
      transformer.close();
      decoder.close();
    }
  }
}
