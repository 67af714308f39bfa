package io.penstock.model;

import java.util.Objects;

/**
 * The feed's part of the order contract's inputs (ORDER.md, "Inputs").
 *
 * @param seed S, 0 &lt;= S &lt; 2^63
 * @param lanes N, canonical sub-streams, &gt;= 1
 * @param batch B, rows of the global batch, a multiple of {@code lanes}
 * @param window K, row-group pieces whose rows are mixed together, &gt;= 1
 */
public record OrderSpec(
    long seed, int lanes, int batch, int window, Shuffle shuffle, Deal deal, Remainder remainder) {
  public OrderSpec {
    Objects.requireNonNull(shuffle, "shuffle");
    Objects.requireNonNull(deal, "deal");
    Objects.requireNonNull(remainder, "remainder");
    if (seed < 0) {
      throw new UsageException("must be >= 0 and < 2^63: seed=" + seed);
    }
    if (lanes < 1) {
      throw new UsageException("must be >= 1: lanes=" + lanes);
    }
    if (batch < 1 || batch % lanes != 0) {
      throw new UsageException(
          "must be a multiple of lanes and >= 1: batch=" + batch + " lanes=" + lanes);
    }
    if (window < 1) {
      throw new UsageException("must be >= 1: window=" + window);
    }
  }

  /** b = B / N, the rows that each lane gives to a global batch. */
  public int laneBatch() {
    return batch / lanes;
  }
}
