package io.penstock.plan;

import io.penstock.model.Deal;
import io.penstock.model.Shuffle;
import java.util.Arrays;

/**
 * The row groups laid end to end in dealt order, and where each lane begins in them: one number a
 * row group and two a lane.
 */
final class LaneDeal {
  private final Plan plan;
  private final int[] dealt;

  /** Index in {@code dealt} of the row group in which a lane begins. */
  private final int[] firstIndex;

  /** Row of that row group at which the lane begins. */
  private final int[] firstOffset;

  LaneDeal(Plan plan, long epoch) {
    this.plan = plan;
    this.dealt = dealt(plan, epoch);
    int lanes = plan.order().lanes();
    this.firstIndex = new int[lanes];
    this.firstOffset = new int[lanes];
    int index = 0;
    long begin = 0;
    for (int lane = 0; lane < lanes; lane++) {
      long border = plan.laneBegin(lane);
      while (begin + plan.rowsOf(dealt[index]) <= border) {
        begin += plan.rowsOf(dealt[index]);
        index++;
      }
      firstIndex[lane] = index;
      firstOffset[lane] = (int) (border - begin);
    }
  }

  private static int[] dealt(Plan plan, long epoch) {
    int groups = plan.rowGroups();
    if (plan.order().shuffle() == Shuffle.NONE) {
      return Permutations.identity(groups);
    }
    long seed = plan.order().seed();
    return plan.order().deal() == Deal.FIXED
        ? Permutations.permutation(seed, groups, Domain.DEAL)
        : Permutations.permutation(seed, groups, Domain.DEAL, epoch);
  }

  /** Row of its first row group at which the lane begins. */
  int firstOffset(int lane) {
    return firstOffset[lane];
  }

  /** How many pieces the lane has. */
  int pieces(int lane) {
    return end(lane) - firstIndex[lane];
  }

  /** The row groups of the lane's pieces, as dealt. */
  int[] rowGroups(int lane) {
    return Arrays.copyOfRange(dealt, firstIndex[lane], end(lane));
  }

  /** One past the index in {@code dealt} of the lane's last row group. */
  private int end(int lane) {
    if (lane + 1 == firstIndex.length) {
      return dealt.length;
    }
    return firstOffset[lane + 1] == 0 ? firstIndex[lane + 1] : firstIndex[lane + 1] + 1;
  }
}
