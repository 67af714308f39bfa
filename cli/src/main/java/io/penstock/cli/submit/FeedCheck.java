package io.penstock.cli.submit;

import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.feed.Feed;

/** Whether a job can run at all, before it is submitted. */
@FunctionalInterface
public interface FeedCheck {
  /**
   * Checks that feed, dataset and ranks fit each other and a rank fits its memory.
   *
   * @throws io.penstock.model.UsageException that says what does not
   */
  void check(Feed feed, Catalog catalog, int ranks, Settings settings);
}
