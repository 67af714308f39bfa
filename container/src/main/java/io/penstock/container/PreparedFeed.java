package io.penstock.container;

import io.penstock.catalog.Catalog;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.plan.Plan;

/**
 * A feed with its dataset: everything that decides what is delivered, and in which order.
 *
 * @param catalog the dataset's row groups
 * @param bound the feed with the dataset's columns
 * @param plan the order contract over the catalog
 */
public record PreparedFeed(Catalog catalog, BoundFeed bound, Plan plan) {
  /**
   * Binds a feed to a catalog.
   *
   * @throws io.penstock.model.UsageException if they do not fit each other
   */
  public static PreparedFeed of(Feed feed, Catalog catalog) {
    BoundFeed bound = BoundFeed.bind(feed, catalog.schema());
    return new PreparedFeed(catalog, bound, new Plan(feed.order(), catalog.rowCounts()));
  }

  public Feed feed() {
    return bound.feed();
  }
}
