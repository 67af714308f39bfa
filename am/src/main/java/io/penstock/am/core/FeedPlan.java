package io.penstock.am.core;

/**
 * A feed as far as the state machine needs it.
 *
 * @param ranks W
 * @param batch rows of the global batch
 * @param steps steps per epoch
 * @param epochs epochs of the job
 * @param rows rows of the catalog
 * @param maxBadRows share of all rows that may be quarantined
 */
public record FeedPlan(
    int ranks, int batch, long steps, long epochs, long rows, double maxBadRows) {
  public FeedPlan {
    if (ranks < 1 || batch < 1 || steps < 1 || epochs < 1 || rows < 1) {
      throw new IllegalArgumentException(
          "must be >= 1: ranks=%d batch=%d steps=%d epochs=%d rows=%d"
              .formatted(ranks, batch, steps, epochs, rows));
    }
  }
}
