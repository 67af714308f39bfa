package io.penstock.container;

import io.penstock.config.Settings;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.slots.FullSlots;
import io.penstock.container.slots.SlotLayout;
import io.penstock.lifecycle.Resources;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches of a feed made on this machine by the classes that a job uses, without YARN, ZooKeeper or
 * a cache: what {@code peek} shows.
 */
public final class LocalBatches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalBatches.class);

  private final Resources open;
  private final RankPipeline pipeline;

  private LocalBatches(Resources open, RankPipeline pipeline) {
    this.open = open;
    this.pipeline = pipeline;
  }

  /**
   * Opens the steps {@code start} up to, not including, {@code end}.
   *
   * @throws io.penstock.model.UsageException if the feed does not fit into this process's memory
   */
  public static LocalBatches open(
      PreparedFeed feed,
      RankSlice slice,
      Cursor start,
      Cursor end,
      Configuration configuration,
      Settings settings) {
    MemoryNeed memory =
        MemoryNeed.of(feed, slice.ranks(), Runtime.getRuntime().maxMemory(), settings);
    Resources open = new Resources();
    try {
      Fetcher fetcher = open.add(new Fetcher(configuration, settings.fetch()));
      NamedJars jars = open.add(new NamedJars(feed.feed()));
      StoredRowGroups source =
          open.add(
              new StoredRowGroups(
                  feed,
                  jars::path,
                  fetcher,
                  settings.decode(),
                  settings.batch().valuesDigest(),
                  Optional.empty(),
                  (rowGroup, reason) ->
                      LOG.warn("event=quarantine rowGroup={} reason={}", rowGroup.index(), reason),
                  settings.load().workTimeout(),
                  SystemClock.INSTANCE));
      RankPipeline pipeline =
          open.add(
              RankPipeline.of(
                  feed, slice, start, end, source, memory, settings, SystemClock.INSTANCE));
      pipeline.start();
      return new LocalBatches(open, pipeline);
    } catch (Throwable failure) {
      open.closeAfter(failure);
      throw failure;
    }
  }

  /** How a slot is laid out. */
  public SlotLayout layout() {
    return pipeline.layout();
  }

  /** The next step's slot, or empty after the last one. */
  public Optional<FullSlots.FullSlot> take() {
    return pipeline.slots().take();
  }

  /** Ends all threads. */
  @Override
  public void close() {
    try {
      open.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("local batches could not be closed", e);
    }
  }
}
