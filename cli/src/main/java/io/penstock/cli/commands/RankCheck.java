package io.penstock.cli.commands;

import io.penstock.catalog.Catalog;
import io.penstock.cli.submit.FeedCheck;
import io.penstock.config.Settings;
import io.penstock.container.PreparedFeed;
import io.penstock.feed.Feed;
import io.penstock.model.RankRange;
import io.penstock.model.UsageException;

/** What every rank of a job would find out as soon as it starts. */
final class RankCheck implements FeedCheck {
  @Override
  public void check(Feed feed, Catalog catalog, RankRange ranks, Settings settings) {
    PreparedFeed prepared = PreparedFeed.of(feed, catalog);
    for (int number : ranks.dividing(feed.order().batch())) {
      try {
        RankMemory.of(prepared, number, settings).check();
      } catch (UsageException e) {
        throw ranks.fixed()
            ? e
            : new UsageException("with %d ranks: %s".formatted(number, e.getMessage()), e);
      }
    }
  }
}
