package io.penstock.cli.past;

import io.penstock.model.Digest128;
import io.penstock.plan.DigestSums;
import io.penstock.plan.GlobalBatch;
import io.penstock.plan.GlobalOrder;
import io.penstock.plan.Plan;

/** Order digests by the plan alone. */
public final class PlannedOrder {
  private PlannedOrder() {}

  /** Of the steps {@code from} up to, not including, {@code to} of an epoch. */
  public static Digest128 digest(Plan plan, long epoch, long from, long to) {
    DigestSums sums = new DigestSums(epoch);
    GlobalOrder order = new GlobalOrder(plan.epoch(epoch), from);
    for (long step = from; step < to; step++) {
      GlobalBatch batch = order.next();
      sums.add(batch.firstPosition(), batch.rows(), 0, batch.rows().length);
    }
    return sums.digest();
  }
}
