package io.penstock.cli.past;

import io.penstock.catalog.Catalog;
import io.penstock.catalog.RowGroupInfo;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.Quarantined;
import io.penstock.plan.GlobalBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The row groups of a feed that a job delivered as not valid.
 *
 * @param rowGroups those that its decisions name
 * @param firstRows the first row of each, rising
 * @param ends one past the last row of each
 * @param complete whether the decisions name all of them
 */
public record QuarantinedRows(
    List<Quarantined> rowGroups, long[] firstRows, long[] ends, boolean complete) {
  /** Nothing was bad. */
  static final QuarantinedRows NONE =
      new QuarantinedRows(List.of(), new long[0], new long[0], true);

  /** Of a feed, by the decisions of the job and of those before. */
  static QuarantinedRows of(String feed, List<Decision> decisions, Catalog catalog) {
    Map<String, Map<Integer, Integer>> places = new HashMap<>();
    for (int index = 0; index < catalog.rowGroups().size(); index++) {
      places
          .computeIfAbsent(catalog.fileOf(index).path(), path -> new HashMap<>())
          .put(catalog.rowGroups().get(index).ordinal(), index);
    }
    List<Quarantined> bad = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    boolean complete = true;
    for (Decision decision : decisions) {
      if (!decision.kind().equals(Quarantined.DECISION)) {
        continue;
      }
      var read =
          Quarantined.read(
              decision.detail(),
              feed,
              (file, ordinal) -> places.getOrDefault(file, Map.of()).getOrDefault(ordinal, -1));
      if (read.isPresent() && read.get().rowGroup() >= 0) {
        if (seen.add(read.get().rowGroup())) {
          bad.add(read.get());
        }
      } else if (decision.detail().startsWith("feed " + feed + ":")) {
        complete = false;
      }
    }
    bad.sort((a, b) -> Integer.compare(a.rowGroup(), b.rowGroup()));
    long[] firstRows = new long[bad.size()];
    long[] ends = new long[bad.size()];
    for (int i = 0; i < bad.size(); i++) {
      RowGroupInfo info = catalog.rowGroups().get(bad.get(i).rowGroup());
      firstRows[i] = info.firstRow();
      ends[i] = info.firstRow() + info.rows();
    }
    return new QuarantinedRows(List.copyOf(bad), firstRows, ends, complete);
  }

  /** Rows of a batch, padding aside, that are of these row groups. */
  long count(GlobalBatch batch) {
    if (firstRows.length == 0) {
      return 0;
    }
    long count = 0;
    for (int i = 0; i < batch.rows().length; i++) {
      if (batch.valid()[i] && holds(batch.rows()[i])) {
        count++;
      }
    }
    return count;
  }

  private boolean holds(long row) {
    int at = java.util.Arrays.binarySearch(firstRows, row);
    int last = at >= 0 ? at : -at - 2;
    return last >= 0 && row < ends[last];
  }
}
