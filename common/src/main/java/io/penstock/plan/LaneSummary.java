package io.penstock.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * What the {@code plan} command says of a lane.
 *
 * @param pieces m_l
 * @param rows rows that the lane owns
 */
public record LaneSummary(int lane, int pieces, long rows) {
  /** All lanes of an epoch. */
  public static List<LaneSummary> of(EpochPlan epoch) {
    int lanes = epoch.plan().order().lanes();
    List<LaneSummary> all = new ArrayList<>(lanes);
    for (int l = 0; l < lanes; l++) {
      all.add(new LaneSummary(l, epoch.pieces(l), epoch.plan().laneRows(l)));
    }
    return List.copyOf(all);
  }
}
