package io.penstock.plan;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** The global batches of one epoch, one after the other; holds the order of one window a lane. */
public final class GlobalOrder implements Iterator<GlobalBatch> {
  private final Plan plan;
  private final LaneStream[] lanes;
  private long step;

  /**
   * @param firstStep where to begin, 0 &lt;= firstStep &lt;= T
   */
  public GlobalOrder(EpochPlan epoch, long firstStep) {
    this.plan = epoch.plan();
    if (firstStep < 0 || firstStep > plan.steps()) {
      throw new IndexOutOfBoundsException("step=" + firstStep + " steps=" + plan.steps());
    }
    this.step = firstStep;
    this.lanes = new LaneStream[plan.order().lanes()];
    for (int l = 0; l < lanes.length; l++) {
      lanes[l] = new LaneStream(epoch.lane(l), firstStep * plan.order().laneBatch());
    }
  }

  @Override
  public boolean hasNext() {
    return step < plan.steps();
  }

  @Override
  public GlobalBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int perLane = plan.order().laneBatch();
    long[] rows = new long[plan.order().batch()];
    boolean[] valid = new boolean[rows.length];
    for (int l = 0; l < lanes.length; l++) {
      lanes[l].read(rows, valid, l * perLane, perLane);
    }
    GlobalBatch batch = new GlobalBatch(step, plan.position(step, 0), rows, valid);
    step++;
    return batch;
  }
}
