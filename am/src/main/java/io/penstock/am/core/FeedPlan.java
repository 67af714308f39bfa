package io.penstock.am.core;

import io.penstock.model.RankRange;

/**
 * A feed as far as the state machine needs it.
 *
 * @param ranks W, or what it may be; its most divides the batch
 * @param batch rows of the global batch
 * @param lanes of the feed
 * @param steps steps per epoch
 * @param epochs epochs of the job
 * @param rows rows of the catalog
 * @param maxBadRows share of all rows that may be quarantined
 */
public record FeedPlan(
    RankRange ranks, int batch, int lanes, long steps, long epochs, long rows, double maxBadRows) {
  public FeedPlan {
    if (batch < 1 || lanes < 1 || steps < 1 || epochs < 1 || rows < 1) {
      throw new IllegalArgumentException(
          "must be >= 1: batch=%d lanes=%d steps=%d epochs=%d rows=%d"
              .formatted(batch, lanes, steps, epochs, rows));
    }
    ranks.check(batch);
  }

  /** Of a fixed number of ranks, where lanes decide nothing. */
  public FeedPlan(int ranks, int batch, long steps, long epochs, long rows, double maxBadRows) {
    this(RankRange.of(ranks), batch, 1, steps, epochs, rows, maxBadRows);
  }

  /** The fewest ranks that the feed can go on with. */
  int leastRanks() {
    return ranks.dividing(batch).get(0);
  }
}
