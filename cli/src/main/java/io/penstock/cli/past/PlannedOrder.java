package io.penstock.cli.past;

import io.penstock.model.Digest128;
import io.penstock.plan.DigestSums;
import io.penstock.plan.GlobalBatch;
import io.penstock.plan.GlobalOrder;
import io.penstock.plan.Plan;

/**
 * What some steps deliver by the plan alone.
 *
 * @param digest order digest
 * @param bad rows, padding aside, of row groups that are quarantined
 */
public record PlannedOrder(Digest128 digest, long bad) {
  /** Of the steps {@code from} up to, not including, {@code to} of an epoch. */
  public static PlannedOrder of(
      Plan plan, QuarantinedRows quarantined, long epoch, long from, long to) {
    DigestSums sums = new DigestSums(epoch);
    GlobalOrder order = new GlobalOrder(plan.epoch(epoch), from);
    long bad = 0;
    for (long step = from; step < to; step++) {
      GlobalBatch batch = order.next();
      sums.add(batch.firstPosition(), batch.rows(), 0, batch.rows().length);
      bad += quarantined.count(batch);
    }
    return new PlannedOrder(sums.digest(), bad);
  }

  /** The digest of the steps {@code from} up to, not including, {@code to} of an epoch. */
  public static Digest128 digest(Plan plan, long epoch, long from, long to) {
    return of(plan, QuarantinedRows.NONE, epoch, from, to).digest();
  }
}
