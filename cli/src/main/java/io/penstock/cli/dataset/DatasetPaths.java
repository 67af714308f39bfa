package io.penstock.cli.dataset;

import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.model.UsageException;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Datasets by their paths. Where a path is refused that has no scheme and is there on this machine
 * alone, the message says so.
 */
public final class DatasetPaths {
  private DatasetPaths() {}

  /**
   * Reads the footers of a feed's dataset.
   *
   * @throws UsageException if the feed and the dataset do not fit each other
   */
  public static Catalog catalog(Feed feed, Configuration configuration, Settings settings) {
    return hinted(
        feed.dataset().paths(),
        configuration,
        () ->
            Catalog.read(
                feed.dataset(),
                schema -> BoundFeed.bind(feed, schema).fileColumns(),
                configuration,
                settings.catalog()));
  }

  /** Does something with paths. */
  public static <T> T hinted(
      Collection<String> paths, Configuration configuration, Supplier<T> action) {
    try {
      return action.get();
    } catch (UsageException e) {
      String standard = FileSystem.getDefaultUri(configuration).toString();
      List<String> lines = new ArrayList<>(e.getMessage().lines().toList());
      if (!standard.startsWith("file:")) {
        for (String path : paths) {
          if (!path.contains(":/") && new File(path).exists()) {
            lines.add(
                path
                    + " is on this machine, but a path without a scheme is on "
                    + standard
                    + "; for this machine's write file://"
                    + new File(path).getAbsolutePath());
          }
        }
      }
      if (lines.size() == e.getMessage().lines().count()) {
        throw e;
      }
      throw new UsageException(String.join("\n", lines), e);
    }
  }
}
