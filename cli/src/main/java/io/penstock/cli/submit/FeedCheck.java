package io.penstock.cli.submit;

import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.feed.Feed;
import io.penstock.model.RankRange;

/** Whether a job can run at all, before it is submitted. */
@FunctionalInterface
public interface FeedCheck {
  /**
   * Checks that feed, dataset and ranks fit each other, and that a rank fits its memory whatever
   * number of ranks the job comes to have.
   *
   * @throws io.penstock.model.UsageException that says what does not
   */
  void check(Feed feed, Catalog catalog, RankRange ranks, Settings settings);
}
