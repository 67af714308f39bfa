package io.penstock.history;

import io.penstock.coordination.records.Sums;
import java.util.Optional;

/** Adds the steps of a rank up to blocks. Belongs to the thread that calls it. */
final class BlockSums {
  private final int blockSteps;
  private final long steps;
  private long epoch = -1;
  private long from;
  private long to;
  private Sums sums = Sums.NONE;

  /**
   * @param blockSteps steps of a block
   * @param steps steps of an epoch
   */
  BlockSums(int blockSteps, long steps) {
    this.blockSteps = blockSteps;
    this.steps = steps;
  }

  /**
   * Counts a step; steps come in order.
   *
   * @return the block, if this step ends it
   */
  Optional<Block> add(long ofEpoch, long step, Sums ofStep) {
    if (epoch == -1) {
      epoch = ofEpoch;
      from = step;
      to = step;
    }
    if (ofEpoch != epoch || step != to) {
      throw new IllegalArgumentException(
          "steps come in order: expected %d:%d, got %d:%d".formatted(epoch, to, ofEpoch, step));
    }
    sums = sums.plus(ofStep);
    to++;
    return to % blockSteps == 0 || to == steps ? cut() : Optional.empty();
  }

  /** Ends the block here; empty if it has no step yet. */
  Optional<Block> cut() {
    if (epoch == -1) {
      return Optional.empty();
    }
    Block block = new Block(epoch, from, to, sums);
    epoch = -1;
    sums = Sums.NONE;
    return Optional.of(block);
  }
}
