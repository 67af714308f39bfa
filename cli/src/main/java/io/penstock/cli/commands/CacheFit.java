package io.penstock.cli.commands;

import io.penstock.config.CacheSettings;
import io.penstock.container.cache.TensorCache;
import io.penstock.feed.BoundFeed;
import io.penstock.model.Deal;
import io.penstock.model.RankSlice;
import io.penstock.model.TensorSpec;
import io.penstock.plan.LanePlan;
import io.penstock.plan.Plan;
import io.penstock.plan.RankPlan;
import java.util.BitSet;
import java.util.List;

/**
 * Whether the cache of one rank holds all that the rank needs. It keeps whole row groups, also
 * those of which other ranks need some rows too.
 *
 * @param bytes what the rank that needs most would take on disk
 * @param quotaBytes what it may take; 0 with the cache off
 */
record CacheFit(long bytes, long quotaBytes) {
  static CacheFit of(BoundFeed feed, Plan plan, int ranks, CacheSettings settings) {
    List<TensorSpec> specs = feed.specs();
    long most = 0;
    for (int rank = 0; rank < ranks; rank++) {
      BitSet needed = rowGroups(plan, new RankPlan(plan, new RankSlice(rank, ranks)));
      most =
          Math.max(
              most,
              needed.stream()
                  .mapToLong(
                      g -> TensorCache.bytesOnDisk(specs, plan.rowsOf(g), settings.recordBytes()))
                  .sum());
    }
    return new CacheFit(most, settings.use() == CacheSettings.Use.ON ? settings.quotaBytes() : 0);
  }

  /** The row groups that a rank meets over all epochs. */
  private static BitSet rowGroups(Plan plan, RankPlan rank) {
    BitSet needed = new BitSet(plan.rowGroups());
    if (plan.order().deal() == Deal.EPOCH) {
      needed.set(0, plan.rowGroups());
      return needed;
    }
    for (int l = rank.firstLane(); l < rank.firstLane() + rank.lanes(); l++) {
      LanePlan lane = plan.epoch(0).lane(l);
      for (int i = 0; i < lane.pieces(); i++) {
        needed.set(lane.piece(i).rowGroup());
      }
    }
    return needed;
  }

  boolean holdsAll() {
    return bytes <= quotaBytes;
  }
}
