package io.penstock.cli.job;

import io.penstock.cli.console.Amounts;
import io.penstock.cli.console.Table;
import io.penstock.cli.job.JobView.FeedView;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RankProgress;
import io.penstock.model.Cursor;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A job as people read it. Of all that is shown, only the digests of epochs have 32 hex digits:
 * longer ones are shortened.
 */
public final class JobText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final int DIGEST_SHOWN = 12;

  private JobText() {}

  /** Everything. */
  public static List<String> of(JobView job) {
    List<String> lines = new ArrayList<>();
    lines.add(job.application() + "  " + headline(job));
    job.state()
        .filter(state -> !state.reason().isEmpty())
        .ifPresent(state -> lines.add("  " + state.reason()));
    job.spec().ifPresent(spec -> lines.add("  " + origin(spec)));
    resumed(job).ifPresent(from -> lines.add("  " + from));
    if (!job.isFinal()) {
      lines.add(
          job.am()
              .map(am -> "  ApplicationMaster attempt " + am.attempt() + " on " + am.host())
              .orElse("  no ApplicationMaster is at work at the moment"));
    }
    job.feeds().values().forEach(feed -> addFeed(lines, feed));
    addDecisions(lines, job.decisions());
    return lines;
  }

  private static String headline(JobView job) {
    String name = job.spec().map(JobSpec::name).orElse("");
    return job.state()
        .map(
            state ->
                "%s  %s (attempts %d, generation %d, restarts %d)"
                    .formatted(
                        name,
                        state.state(),
                        state.attempts(),
                        state.generation(),
                        state.restarts()))
        .orElse(name + "  " + job.stateName())
        .strip();
  }

  private static String origin(JobSpec spec) {
    return "submitted "
        + time(spec.submittedMillis())
        + " by "
        + spec.user()
        + " to queue "
        + spec.queue()
        + ", Penstock "
        + spec.version();
  }

  /** Where a job went on from, if it did. */
  public static Optional<String> resumed(JobView job) {
    return job.spec()
        .flatMap(JobSpec::resumed)
        .map(
            from ->
                "resumed from %s at %s"
                    .formatted(
                        from.application(),
                        from.feeds().size() == 1
                            ? from.feeds().values().iterator().next().cursor()
                            : from.feeds().entrySet().stream()
                                .map(feed -> feed.getKey() + " " + feed.getValue().cursor())
                                .collect(Collectors.joining(", "))));
  }

  private static void addFeed(List<String> lines, FeedView feed) {
    FeedSpec spec = feed.spec();
    lines.add("");
    lines.add(
        "feed %s: %s rows, %s epochs of %s steps, batch %s, lanes %d, shuffle %s"
            .formatted(
                feed.name(),
                Amounts.count(spec.rows()),
                Amounts.count(spec.epochs()),
                Amounts.count(spec.steps()),
                Amounts.count(spec.batch()),
                spec.lanes(),
                spec.shuffle()));
    lines.add(
        "  feed %s, catalog %s, at epoch %s"
            .formatted(
                shortened(spec.feedDigest()),
                shortened(spec.catalogDigest()),
                place(feed.cursor(), spec)));
    Table ranks =
        new Table(
            "rank",
            "phase",
            "host",
            "device",
            "at",
            "committed",
            "rows/s",
            "waits",
            "cache",
            "retries",
            "container");
    for (RankProgress rank : feed.ranks()) {
      ranks.add(
          rank.rank(),
          rank.phase(),
          rank.host(),
          rank.device(),
          rank.cursor(),
          rank.committed().map(Cursor::toString).orElse("-"),
          Amounts.count(Math.round(rank.rowsPerSecond())),
          Amounts.share(rank.waitShare()),
          Amounts.share(rank.cacheShare()),
          rank.retries(),
          rank.container());
    }
    addTable(lines, ranks);
    for (RankProgress rank : feed.ranks()) {
      rank.failure()
          .ifPresent(
              f -> lines.add("  rank " + rank.rank() + ": " + f.kind() + ": " + f.message()));
      rank.weightsDigest().ifPresent(w -> lines.add("  rank " + rank.rank() + ": weights " + w));
      if (rank.quarantinedRows() > 0) {
        lines.add(
            "  rank %d: %s rows quarantined"
                .formatted(rank.rank(), Amounts.count(rank.quarantinedRows())));
      }
    }
    lines.addAll(epochs(feed));
  }

  /** The table of a feed's finished epochs, and what restarts delivered again. */
  public static List<String> epochs(FeedView feed) {
    Table table =
        new Table(
            "epoch",
            "steps",
            "rows",
            "seconds",
            "waits",
            "from HDFS",
            "from cache",
            "order digest",
            "values digest");
    for (EpochRecord epoch : feed.epochs()) {
      table.add(
          epoch.epoch(),
          Amounts.count(epoch.steps()),
          Amounts.count(epoch.rows()),
          Amounts.seconds(epoch.seconds()),
          Amounts.share(epoch.waitShare()),
          Amounts.count(epoch.fromStorage()),
          Amounts.count(epoch.fromCache()),
          epoch.order(),
          epoch.values());
    }
    List<String> lines = new ArrayList<>();
    addTable(lines, table);
    for (EpochRecord epoch : feed.epochs()) {
      if (epoch.deliveredAgain() > 0) {
        lines.add(
            "  epoch %d: restarts delivered %s rows again, at the same positions"
                .formatted(epoch.epoch(), Amounts.count(epoch.deliveredAgain())));
      }
    }
    return lines;
  }

  /** How far a job is, in one line. */
  public static String progress(JobView job) {
    List<String> parts = new ArrayList<>();
    parts.add(job.stateName());
    for (FeedView feed : job.feeds().values()) {
      StringBuilder part = new StringBuilder();
      if (job.feeds().size() > 1) {
        part.append(feed.name()).append(": ");
      }
      part.append("epoch ").append(place(feed.cursor(), feed.spec()));
      if (feed.isRunning()) {
        part.append(
            "  %s rows/s  waits %s  cache %s"
                .formatted(
                    Amounts.count(Math.round(feed.rowsPerSecond())),
                    Amounts.share(feed.waitShare()),
                    Amounts.share(feed.cacheShare())));
      }
      parts.add(part.toString());
    }
    job.state()
        .map(JobState::reason)
        .filter(reason -> !reason.isEmpty() && !job.isFinal())
        .ifPresent(parts::add);
    return String.join("  ", parts);
  }

  private static String place(Cursor cursor, FeedSpec spec) {
    return cursor.epoch() >= spec.epochs()
        ? "%d of %d, done".formatted(spec.epochs(), spec.epochs())
        : "%d of %d, step %s of %s"
            .formatted(
                cursor.epoch() + 1,
                spec.epochs(),
                Amounts.count(cursor.step()),
                Amounts.count(spec.steps()));
  }

  private static void addDecisions(List<String> lines, List<Decision> decisions) {
    if (decisions.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add("decisions");
    for (Decision decision : decisions) {
      lines.add(
          "  %s  %s  %s"
              .formatted(time(decision.timeMillis()), decision.kind(), decision.detail()));
    }
  }

  private static void addTable(List<String> lines, Table table) {
    if (!table.isEmpty()) {
      table.lines().forEach(line -> lines.add("  " + line));
    }
  }

  private static String shortened(String digest) {
    return digest.length() <= DIGEST_SHOWN ? digest : digest.substring(0, DIGEST_SHOWN);
  }

  /** A time of this machine's zone. */
  public static String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
  }
}
