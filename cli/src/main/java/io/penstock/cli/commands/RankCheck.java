package io.penstock.cli.commands;

import io.penstock.catalog.Catalog;
import io.penstock.cli.submit.FeedCheck;
import io.penstock.config.Settings;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.model.RankSlice;
import io.penstock.plan.Plan;

/** What every rank of a job would find out as soon as it starts. */
final class RankCheck implements FeedCheck {
  @Override
  public void check(Feed feed, Catalog catalog, int ranks, Settings settings) {
    BoundFeed.bind(feed, catalog.schema());
    new Plan(feed.order(), catalog.rowCounts());
    RankSlice.check(ranks, feed.order().batch());
  }
}
