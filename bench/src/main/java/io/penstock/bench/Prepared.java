package io.penstock.bench;

import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.container.PreparedFeed;
import io.penstock.container.StoredRowGroups;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.fetch.Fetcher;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.lifecycle.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** A feed of this machine's files, and the settings that it is delivered with. */
record Prepared(PreparedFeed feed, Settings settings, Configuration configuration) {
  /**
   * Reads a feed file and the footers of its dataset.
   *
   * @param assignments {@code name=value} of settings that are not to have their defaults
   */
  static Prepared read(String feedFile, List<String> assignments) throws IOException {
    Configuration configuration = new Configuration(false);
    for (String assignment : assignments) {
      String[] parts = assignment.split("=", 2);
      configuration.set(parts[0], parts[1]);
    }
    Settings settings = Settings.read(configuration);
    Path path = Path.of(feedFile);
    Feed feed =
        FeedParser.parse(
            Files.readString(path),
            feedFile,
            named -> Files.readAllBytes(path.resolveSibling(named)));
    Catalog catalog =
        Catalog.read(
            feed.dataset(),
            schema -> BoundFeed.bind(feed, schema).fileColumns(),
            configuration,
            settings.catalog());
    return new Prepared(PreparedFeed.of(feed, catalog), settings, configuration);
  }

  /** The feed's row groups, from the cache where it has them, else from files. */
  StoredRowGroups rowGroups(Fetcher fetcher, Optional<TensorCache> cache) {
    return new StoredRowGroups(
        feed,
        Path::of,
        fetcher,
        settings.decode(),
        settings.batch().valuesDigest(),
        cache,
        (rowGroup, reason) -> {},
        settings.load().workTimeout(),
        SystemClock.INSTANCE);
  }
}
