package io.penstock.cli.commands;

import io.penstock.cli.console.Amounts;
import io.penstock.cli.console.Table;
import io.penstock.config.Settings;
import io.penstock.container.PreparedFeed;
import io.penstock.model.RankSlice;
import io.penstock.model.TensorSpec;
import io.penstock.plan.EpochSummary;
import io.penstock.plan.LaneSummary;
import io.penstock.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a feed would deliver of its dataset, by the footers.
 *
 * @param epoch of which lanes are shown
 * @param wholeEpoch the order of that epoch, if asked for
 */
record DatasetPlan(
    PreparedFeed prepared,
    int ranks,
    long epoch,
    Optional<EpochSummary> wholeEpoch,
    RankMemory memory,
    CacheFit cache) {

  /**
   * Works it out.
   *
   * @param epoch empty for the first, without its order
   * @throws io.penstock.model.UsageException if feed, dataset and ranks do not fit each other
   */
  static DatasetPlan of(PreparedFeed prepared, int ranks, Optional<Long> epoch, Settings settings) {
    Plan plan = prepared.plan();
    RankSlice.check(ranks, plan.order().batch());
    return new DatasetPlan(
        prepared,
        ranks,
        epoch.orElse(0L),
        epoch.map(e -> EpochSummary.of(plan.epoch(e))),
        RankMemory.of(prepared, ranks, settings),
        CacheFit.of(prepared.bound(), plan, ranks, settings.cache()));
  }

  private Plan plan() {
    return prepared.plan();
  }

  private List<LaneSummary> lanes() {
    return LaneSummary.of(plan().epoch(epoch));
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("feed_digest", prepared.feed().digest());
    json.put("catalog_digest", prepared.catalog().digest());
    json.put("files", prepared.catalog().files().size());
    json.put("row_groups", prepared.catalog().rowGroups().size());
    json.put("rows", plan().rows());
    json.put("bytes", prepared.catalog().compressedBytes());
    json.put("uncompressed_bytes", prepared.catalog().uncompressedBytes());
    json.put("row_bytes", prepared.bound().rowBytes());
    json.put("batch", plan().order().batch());
    json.put("epochs_wanted", prepared.feed().epochs());
    json.put("steps", plan().steps());
    json.put("padding", plan().padding());
    json.put("ranks", ranks);
    json.put("epoch", epoch);
    json.put("tensors", prepared.bound().specs().stream().map(DatasetPlan::tensor).toList());
    json.put("lanes", lanes().stream().map(this::lane).toList());
    json.put("memory_per_rank", memory.json());
    Map<String, Object> cacheJson = new LinkedHashMap<>();
    cacheJson.put("bytes_per_rank", cache.bytes());
    cacheJson.put("quota_bytes", cache.quotaBytes());
    cacheJson.put("holds_all", cache.holdsAll());
    json.put("cache", cacheJson);
    OptionalInt suggestion = LaneSuggestion.of(plan(), ranks);
    json.put("suggested_lanes", suggestion.isPresent() ? suggestion.getAsInt() : null);
    wholeEpoch.ifPresent(
        summary -> {
          json.put("first_rows", summary.firstRows());
          json.put("last_rows", summary.lastRows());
          json.put("order_digest", summary.orderDigest().hex());
        });
    return json;
  }

  private Map<String, Object> lane(LaneSummary lane) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("lane", lane.lane());
    json.put("pieces", lane.pieces());
    json.put("rows", lane.rows());
    json.put("read_by_ranks", plan().ranksReading(lane.lane(), ranks));
    return json;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "dataset   %s rows in %s row groups of %s files; columns asked for: %s, %s uncompressed"
            .formatted(
                Amounts.count(plan().rows()),
                Amounts.count(plan().rowGroups()),
                Amounts.count(prepared.catalog().files().size()),
                Amounts.bytes(prepared.catalog().compressedBytes()),
                Amounts.bytes(prepared.catalog().uncompressedBytes())));
    lines.add(
        "epoch     %s steps of %s rows (%s a row), %s rows of padding, %s rows left out"
            .formatted(
                Amounts.count(plan().steps()),
                Amounts.count(plan().order().batch()),
                Amounts.bytes(prepared.bound().rowBytes()),
                Amounts.count(plan().padding()),
                Amounts.count(plan().rows() - plan().deliveredRows())));
    lines.add("memory    per rank of " + ranks + ": " + memory.line());
    memory.refusal().ifPresent(lines::add);
    lines.add(
        "cache     %s on disk per rank of %d; the quota of %s %s"
            .formatted(
                Amounts.bytes(cache.bytes()),
                ranks,
                Amounts.bytes(cache.quotaBytes()),
                cache.holdsAll() ? "holds all of it" : "does not hold all of it"));
    Table table = new Table("lane", "pieces", "rows", "read by ranks");
    for (LaneSummary lane : lanes()) {
      table.add(
          lane.lane(),
          Amounts.count(lane.pieces()),
          Amounts.count(lane.rows()),
          plan().ranksReading(lane.lane(), ranks));
    }
    lines.addAll(table.lines());
    LaneSuggestion.of(plan(), ranks)
        .ifPresent(
            lanes ->
                lines.add(
                    "suggestion: `lanes: %d` suits %d ranks, %s row groups and a window of %d"
                        .formatted(
                            lanes,
                            ranks,
                            Amounts.count(plan().rowGroups()),
                            plan().order().window())));
    wholeEpoch.ifPresent(
        summary -> {
          lines.add("epoch " + summary.epoch());
          lines.add("  first rows    " + summary.firstRows());
          lines.add("  last rows     " + summary.lastRows());
          lines.add("  order digest  " + summary.orderDigest());
        });
    return lines;
  }

  private static Map<String, Object> tensor(TensorSpec spec) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", spec.name());
    json.put("dtype", spec.dtype().text());
    json.put("item_shape", spec.itemShape());
    return json;
  }
}
