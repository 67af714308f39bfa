package io.penstock.am.core;

import io.penstock.coordination.records.Quarantined;
import io.penstock.coordination.records.RankProgress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The row groups that a feed's ranks quarantined. A row group that lies in several lanes, or that
 * several generations met, counts once.
 */
final class Quarantine {
  private static final int LISTED = 100;

  private final FeedPlan plan;
  private final Map<Integer, Quarantined> known = new TreeMap<>();

  /** By rank: rows beyond those that it lists. */
  private final Map<Integer, Long> unlisted = new HashMap<>();

  Quarantine(FeedPlan plan) {
    this.plan = plan;
  }

  /** Takes in what a rank reports; gives the row groups that are new. */
  List<Quarantined> add(RankProgress progress) {
    List<Quarantined> fresh = new ArrayList<>();
    long listed = 0;
    for (Quarantined bad : progress.quarantined()) {
      listed += bad.rows();
      if (known.putIfAbsent(bad.rowGroup(), bad) == null) {
        fresh.add(bad);
      }
    }
    unlisted.merge(
        progress.rank(),
        Math.max(0, progress.quarantinedRows() - listed),
        (a, b) -> Math.max(a, b));
    return fresh;
  }

  /**
   * What to record of row groups that are new, a line each; of very many only the first.
   *
   * @param fresh what {@link #add} gave
   */
  List<String> words(String feed, List<Quarantined> fresh) {
    List<String> lines = new ArrayList<>();
    int number = rowGroups() - fresh.size();
    for (Quarantined bad : fresh) {
      if (++number <= LISTED) {
        lines.add(bad.told(feed));
      } else if (number == LISTED + 1) {
        lines.add("feed " + feed + ": further row groups are not listed here");
      }
    }
    return lines;
  }

  /** Rows that are quarantined. */
  long rows() {
    return known.values().stream().mapToLong(Quarantined::rows).sum()
        + unlisted.values().stream().mapToLong(Long::longValue).sum();
  }

  int rowGroups() {
    return known.size();
  }

  boolean isTooMuch() {
    return rows() > plan.maxBadRows() * plan.rows();
  }

  /** Why it is too much, with the first of the row groups. */
  String tooMuch(String feed) {
    Quarantined first = known.values().iterator().next();
    return "feed %s: quarantined rows must be <= max_bad_rows=%s of %d: rows=%d; the first is file %s, row group %d: %s"
        .formatted(
            feed,
            plan.maxBadRows(),
            plan.rows(),
            rows(),
            first.file(),
            first.ordinal(),
            first.reason());
  }
}
