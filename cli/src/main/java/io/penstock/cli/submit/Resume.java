package io.penstock.cli.submit;

import io.penstock.catalog.CatalogChanges;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.cli.past.FeedDifferences;
import io.penstock.cli.past.RecordedFeed;
import io.penstock.cli.past.RecordedJob;
import io.penstock.cli.past.ResumePoint;
import io.penstock.coordination.Json;
import io.penstock.coordination.records.Resumption;
import io.penstock.model.Cursor;
import io.penstock.model.RankRange;
import io.penstock.model.UsageException;
import io.penstock.yarn.JobFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job that goes on from another: its feed, its catalog, and where it begins. The catalog is that
 * of the other job, so files that came to the dataset since change no row's position.
 *
 * @param name of the other job, for people
 * @param file the feed
 * @param ranks that the other job was asked for
 * @param past the other job's feed
 * @param resumption where to begin
 */
record Resume(
    String name, FeedFile file, RankRange ranks, RecordedFeed past, Resumption resumption) {
  private static final int SHOWN = 10;

  /**
   * Works it out; nothing is submitted yet.
   *
   * @param feed a feed file in place of the recorded one, of the same digest
   * @param from where to begin in place of the agreed cursor
   * @throws UsageException if the job still runs, has nothing left, or its feed or its files are
   *     not what they were; the message says what differs
   */
  static Resume of(
      String application, Optional<String> feed, Optional<Cursor> from, CommandContext context) {
    try (RecordedJob job = RecordedJob.open(application, context)) {
      if (job.isRunning()) {
        throw new UsageException(
            "job %s still runs; it goes on by itself, or ends by: penstock kill %s"
                .formatted(application, application));
      }
      if (!job.feeds().equals(List.of(Submission.FEED))) {
        throw new UsageException(
            "a job of one feed can be gone on with, job %s has %s"
                .formatted(application, String.join(", ", job.feeds())));
      }
      RecordedFeed past = job.feed(Submission.FEED);
      FeedFile file =
          feed.map(path -> FeedFile.read(path, context.configuration(), context.settings()))
              .orElse(past.file());
      sameFeed(past, file);
      Resumption.Start start = ResumePoint.of(past, from, file.feed());
      sameFiles(past, context);
      return new Resume(
          job.history().spec().name(),
          file,
          past.spec().rankRange(),
          past,
          new Resumption(application, Map.of(Submission.FEED, start)));
    }
  }

  private static void sameFeed(RecordedFeed past, FeedFile file) {
    if (file.feed().digest().equals(past.spec().feedDigest())) {
      return;
    }
    List<String> errors = new ArrayList<>();
    errors.add(
        "the feed is not that of %s: digest %s, was %s"
            .formatted(past.application(), file.feed().digest(), past.spec().feedDigest()));
    FeedDifferences.between(past.file().feed().canonical(), file.feed().canonical())
        .forEach(line -> errors.add("  " + line));
    throw new UsageException(errors);
  }

  private static void sameFiles(RecordedFeed past, CommandContext context) {
    List<String> changes =
        CatalogChanges.of(
            past.prepared().catalog(), context.configuration(), context.settings().catalog());
    if (changes.isEmpty()) {
      return;
    }
    List<String> errors = new ArrayList<>();
    errors.add("the data are not those of %s any more:".formatted(past.application()));
    changes.stream().limit(SHOWN).forEach(line -> errors.add("  " + line));
    if (changes.size() > SHOWN) {
      errors.add("  and %d more files".formatted(changes.size() - SHOWN));
    }
    throw new UsageException(errors);
  }

  /** What the job has in staging besides, by name. */
  Map<String, byte[]> files() {
    return Map.of(
        JobFiles.RESUMPTION,
        Json.text(resumption).getBytes(StandardCharsets.UTF_8),
        JobFiles.catalog(Submission.FEED),
        past.catalogBytes());
  }
}
