package io.penstock.cli.job;

import io.penstock.cli.job.JobView.FeedView;
import io.penstock.coordination.records.AmRecord;
import io.penstock.coordination.records.ContainerRecord;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Resumption;
import io.penstock.model.Cursor;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A job as {@code --json} tells it. Times are UTC in ISO 8601; what is not known is null. */
public final class JobJson {
  private JobJson() {}

  /** Everything. */
  public static Map<String, Object> of(JobView job) {
    Map<String, Object> json = summary(job);
    json.put("am", job.am().map(JobJson::am).orElse(null));
    Map<String, Object> feeds = new LinkedHashMap<>();
    job.feeds().forEach((name, feed) -> feeds.put(name, feed(feed)));
    json.put("feeds", feeds);
    json.put("containers", job.containers().stream().map(JobJson::container).toList());
    json.put("decisions", job.decisions().stream().map(JobJson::decision).toList());
    return json;
  }

  /** What a list of jobs says of each. */
  public static Map<String, Object> summary(JobView job) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("application", job.application());
    json.put("name", job.spec().map(JobSpec::name).orElse(null));
    json.put("user", job.spec().map(JobSpec::user).orElse(null));
    json.put("queue", job.spec().map(JobSpec::queue).orElse(null));
    json.put("version", job.spec().map(JobSpec::version).orElse(null));
    json.put("submitted", job.spec().map(s -> time(s.submittedMillis())).orElse(null));
    json.put("state", job.stateName());
    json.put("reason", job.state().map(JobState::reason).orElse(""));
    json.put("attempts", job.state().map(JobState::attempts).orElse(0));
    json.put("generation", job.state().map(JobState::generation).orElse(0));
    json.put("restarts", job.state().map(JobState::restarts).orElse(0));
    json.put("started", job.state().map(s -> time(s.startedMillis())).orElse(null));
    json.put("updated", job.state().map(s -> time(s.updatedMillis())).orElse(null));
    json.put("resumed", job.spec().flatMap(JobSpec::resumed).map(JobJson::resumed).orElse(null));
    return json;
  }

  private static Map<String, Object> resumed(Resumption resumption) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("application", resumption.application());
    Map<String, Object> feeds = new LinkedHashMap<>();
    resumption.feeds().forEach((name, start) -> feeds.put(name, cursor(start.cursor())));
    json.put("from", feeds);
    return json;
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private static Map<String, Object> am(AmRecord am) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("attempt", am.attempt());
    json.put("host", am.host());
    json.put("pid", am.pid());
    json.put("address", am.address());
    json.put("tracking_url", am.trackingUrl());
    return json;
  }

  private static Map<String, Object> feed(FeedView feed) {
    FeedSpec spec = feed.spec();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("feed_digest", spec.feedDigest());
    json.put("catalog_digest", spec.catalogDigest());
    json.put("ranks_wanted", spec.ranks());
    json.put("ranks_least", spec.minRanks());
    json.put("epochs_wanted", spec.epochs());
    json.put("lanes", spec.lanes());
    json.put("batch", spec.batch());
    json.put("steps", spec.steps());
    json.put("rows", spec.rows());
    json.put("shuffle", spec.shuffle());
    json.put("cursor", cursor(feed.cursor()));
    json.put("agreed", feed.agreed().map(agreed -> cursor(agreed.cursor())).orElse(null));
    json.put("ranks", feed.ranks().stream().map(JobJson::rank).toList());
    json.put("epochs", epochs(feed));
    return json;
  }

  /** The finished epochs of a feed. */
  public static List<Map<String, Object>> epochs(FeedView feed) {
    return feed.epochs().stream().map(JobJson::epoch).toList();
  }

  private static Map<String, Object> cursor(Cursor cursor) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("epoch", cursor.epoch());
    json.put("step", cursor.step());
    return json;
  }

  private static Map<String, Object> rank(RankProgress rank) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rank", rank.rank());
    json.put("host", rank.host());
    json.put("container", rank.container());
    json.put("device", rank.device());
    json.put("phase", rank.phase().name());
    json.put("generation", rank.generation());
    json.put("cursor", cursor(rank.cursor()));
    json.put("committed", rank.committed().map(JobJson::cursor).orElse(null));
    json.put("rows_per_second", rank.rowsPerSecond());
    json.put("wait_share", rank.waitShare());
    json.put("cache_share", rank.cacheShare());
    json.put("retries", rank.retries());
    json.put("stalls", rank.stalls());
    json.put("quarantined_rows", rank.quarantinedRows());
    json.put("quarantined", rank.quarantined());
    json.put("failure", rank.failure().orElse(null));
    json.put("weights_digest", rank.weightsDigest().orElse(null));
    json.put("updated", time(rank.updatedMillis()));
    return json;
  }

  private static Map<String, Object> epoch(EpochRecord epoch) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("epoch", epoch.epoch());
    json.put("steps", epoch.steps());
    json.put("rows", epoch.rows());
    json.put("padding", epoch.padding());
    json.put("seconds", epoch.seconds());
    json.put("wait_share", epoch.waitShare());
    json.put("rows_from_storage", epoch.fromStorage());
    json.put("rows_from_cache", epoch.fromCache());
    json.put("delivered_again", epoch.deliveredAgain());
    json.put("order_digest", epoch.order().hex());
    json.put("values_digest", epoch.values().hex());
    json.put("losses", epoch.losses());
    return json;
  }

  private static Map<String, Object> container(ContainerRecord container) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("container", container.container());
    json.put("host", container.host());
    json.put("pid", container.pid());
    json.put("device", container.device());
    json.put("phase", container.phase().name());
    json.put("feed", container.feed());
    json.put("rank", container.rank());
    json.put("generation", container.generation());
    return json;
  }

  private static Map<String, Object> decision(Decision decision) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("n", decision.n());
    json.put("time", time(decision.timeMillis()));
    json.put("kind", decision.kind());
    json.put("detail", decision.detail());
    return json;
  }
}
