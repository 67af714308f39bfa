package io.penstock.plan;

import io.penstock.model.Digest128;
import java.util.Arrays;
import java.util.List;

/**
 * What the {@code plan} command says of an epoch.
 *
 * @param steps T
 * @param padding rows that are not valid
 * @param firstRows catalog row numbers of the first 16 rows of the first global batch
 * @param lastRows those of the last 16 rows of the last
 * @param orderDigest of all rows of the epoch
 */
public record EpochSummary(
    long epoch,
    long steps,
    long padding,
    List<Long> firstRows,
    List<Long> lastRows,
    Digest128 orderDigest) {
  private static final int SHOWN = 16;

  public EpochSummary {
    firstRows = List.copyOf(firstRows);
    lastRows = List.copyOf(lastRows);
  }

  /** Goes through all rows of the epoch, lane by lane. */
  public static EpochSummary of(EpochPlan epoch) {
    Plan plan = epoch.plan();
    long[] first = new GlobalOrder(epoch, 0).next().rows();
    long[] last = new GlobalOrder(epoch, plan.steps() - 1).next().rows();
    return new EpochSummary(
        epoch.epoch(),
        plan.steps(),
        plan.padding(),
        boxed(first, 0, Math.min(SHOWN, first.length)),
        boxed(last, Math.max(0, last.length - SHOWN), last.length),
        orderDigest(epoch));
  }

  private static Digest128 orderDigest(EpochPlan epoch) {
    Plan plan = epoch.plan();
    int perLane = plan.order().laneBatch();
    DigestSums sums = new DigestSums(epoch.epoch());
    long[] rows = new long[perLane];
    boolean[] valid = new boolean[perLane];
    for (int l = 0; l < plan.order().lanes(); l++) {
      LaneStream stream = new LaneStream(epoch.lane(l), 0);
      for (long step = 0; step < plan.steps(); step++) {
        stream.read(rows, valid, 0, perLane);
        sums.add(plan.position(step, l * perLane), rows, 0, perLane);
      }
    }
    return sums.digest();
  }

  private static List<Long> boxed(long[] rows, int from, int to) {
    return Arrays.stream(rows, from, to).boxed().toList();
  }
}
