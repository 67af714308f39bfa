package io.penstock.container;

import io.penstock.catalog.RowGroupInfo;
import io.penstock.config.FetchSettings;
import io.penstock.container.decode.ReadAhead;
import io.penstock.container.fetch.ReadPart;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.feed.BoundColumn;
import io.penstock.feed.BoundTensor;
import io.penstock.model.ColumnSchema;
import io.penstock.model.RowGroupRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What loading row groups takes, worked out from the catalog before any is read.
 *
 * <h2>All at once, or ahead</h2>
 *
 * Columns are decoded in the order of the feed's tensors. If that is about the order that they have
 * in files, and none is in two tensors, then a part of a row group is read ahead and the rest while
 * columns are decoded. Else parts would be scattered over the file, or be read twice: then all is
 * read before, in reads as large as they can be.
 */
final class LoadNeed {
  /** Most runs of neighbouring columns of a tensor, on average: each costs a read. */
  private static final int RUNS_PER_TENSOR = 2;

  private final PreparedFeed feed;
  private final FetchSettings settings;
  private final boolean ahead;
  private final int gaps;

  LoadNeed(PreparedFeed feed, FetchSettings settings) {
    this.feed = feed;
    this.settings = settings;
    List<BoundTensor> tensors = feed.bound().tensors();
    List<String> decoded =
        tensors.stream()
            .flatMap(tensor -> tensor.columns().stream())
            .filter(column -> !column.partition())
            .map(BoundColumn::path)
            .toList();
    List<String> stored = new ArrayList<>();
    this.gaps = neighbours(new HashSet<>(decoded), stored);
    this.ahead =
        decoded.size() == stored.size()
            && runs(decoded, stored) <= RUNS_PER_TENSOR * tensors.size();
  }

  /**
   * Finds the columns that are read, in the order of the schema.
   *
   * @return how many times others lie between two of them
   */
  private int neighbours(Set<String> read, List<String> found) {
    int between = 0;
    boolean skipped = false;
    for (ColumnSchema column : feed.catalog().schema()) {
      if (column.partition()) {
        continue;
      }
      if (!read.contains(column.path())) {
        skipped = true;
        continue;
      }
      between += skipped && !found.isEmpty() ? 1 : 0;
      skipped = false;
      found.add(column.path());
    }
    return between;
  }

  /** Into how many pieces an order must be cut to be laid out as another. */
  private static int runs(List<String> decoded, List<String> stored) {
    Map<String, Integer> place = new HashMap<>();
    stored.forEach(column -> place.put(column, place.size()));
    int runs = 0;
    int before = -2;
    for (String column : decoded) {
      int at = place.get(column);
      runs += at == before + 1 ? 0 : 1;
      before = at;
    }
    return runs;
  }

  /** How much of a row group is read before it is decoded; empty if that is all of it. */
  Optional<ReadAhead> readAhead(RowGroupRef rowGroup) {
    return ahead
        ? Optional.of(
            ReadAhead.of(
                rowGroup.rows() * feed.bound().rowBytes(),
                info(rowGroup).largestChunkBytes(),
                settings))
        : Optional.empty();
  }

  /** What stays of a row that is loaded: its tensors, and what it counts in the values digest. */
  long keptRowBytes() {
    return feed.bound().rowBytes() + RowGroupTensors.ROW_VALUE_BYTES;
  }

  /** What stays of a row group when it is loaded. */
  long keptBytes(RowGroupRef rowGroup) {
    return rowGroup.rows() * keptRowBytes();
  }

  /**
   * What a row group holds at once on its way from storage: what is fetched, with the gaps that are
   * read along, and what is kept. The decoder's own arrays are counted by {@link
   * StoredRowGroups#decodeBytes}, since a worker keeps them.
   */
  long peakBytes(RowGroupRef rowGroup) {
    long stored = info(rowGroup).compressedBytes() + (long) gaps * settings.mergeGap();
    long fetched =
        readAhead(rowGroup)
            .map(limit -> limit.most(stored))
            .orElse(stored + stored / ReadPart.WASTE);
    return keptBytes(rowGroup) + fetched;
  }

  private RowGroupInfo info(RowGroupRef rowGroup) {
    return feed.catalog().rowGroups().get(rowGroup.index());
  }
}
