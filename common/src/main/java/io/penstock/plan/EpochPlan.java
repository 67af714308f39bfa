package io.penstock.plan;

import java.util.Objects;

/** The plan of one epoch; lanes are computed when asked for. Immutable. */
public final class EpochPlan {
  private final Plan plan;
  private final long epoch;
  private final LaneDeal deal;

  EpochPlan(Plan plan, long epoch, LaneDeal deal) {
    if (epoch < 0) {
      throw new IllegalArgumentException("must be >= 0: epoch=" + epoch);
    }
    this.plan = plan;
    this.epoch = epoch;
    this.deal = deal;
  }

  public Plan plan() {
    return plan;
  }

  public long epoch() {
    return epoch;
  }

  /** How many pieces a lane has. */
  public int pieces(int lane) {
    Objects.checkIndex(lane, plan.order().lanes());
    return deal.pieces(lane);
  }

  /** The plan of a lane in this epoch, computed anew at each call. */
  public LanePlan lane(int lane) {
    Objects.checkIndex(lane, plan.order().lanes());
    return new LanePlan(plan, epoch, lane, deal);
  }
}
