package io.penstock.cli.commands;

import io.penstock.catalog.Catalog;
import io.penstock.cli.submit.FeedCheck;
import io.penstock.config.Settings;
import io.penstock.container.PreparedFeed;
import io.penstock.feed.Feed;

/** What every rank of a job would find out as soon as it starts. */
final class RankCheck implements FeedCheck {
  @Override
  public void check(Feed feed, Catalog catalog, int ranks, Settings settings) {
    RankMemory.of(PreparedFeed.of(feed, catalog), ranks, settings).check();
  }
}
