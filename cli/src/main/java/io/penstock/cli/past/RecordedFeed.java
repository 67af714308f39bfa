package io.penstock.cli.past;

import io.penstock.catalog.Catalog;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.container.PreparedFeed;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.Resumption;
import io.penstock.coordination.records.Sums;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.history.Block;
import io.penstock.history.CertificateFiles;
import io.penstock.history.JobHistory;
import io.penstock.history.PastJob;
import io.penstock.model.Cursor;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import io.penstock.yarn.JobFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One feed of a past job, with the dataset as it was then. Nothing here reads the dataset.
 *
 * @param application the job
 * @param name of the feed
 * @param file the feed file
 * @param prepared the feed over its catalog
 * @param catalogBytes the catalog as it was written
 * @param spec what the job recorded of it
 * @param agreed how far all ranks came for good
 * @param epochs finished ones, rising; where the job went on from another, and that one has a
 *     history, those before too
 * @param origin where the job went on from, if it did
 * @param quarantined row groups that it, or a job before, delivered as not valid
 * @param blockSource reads certificate files
 */
public record RecordedFeed(
    String application,
    String name,
    FeedFile file,
    PreparedFeed prepared,
    byte[] catalogBytes,
    FeedSpec spec,
    Agreed agreed,
    List<EpochRecord> epochs,
    Optional<Origin> origin,
    QuarantinedRows quarantined,
    Function<Long, List<Block>> blockSource) {
  /**
   * The end of another job that this one went on from.
   *
   * @param application the other job
   * @param cursor the first step that this one delivered
   */
  public record Origin(String application, Cursor cursor) {}

  /**
   * @param earlier the history of a job that this one, or one before, went on from
   * @param problems told of certificate files, or parts of them, that can't be read
   */
  static RecordedFeed read(
      String name,
      PastJob past,
      JobHistory history,
      Function<String, Optional<PastJob>> earlier,
      Consumer<String> problems) {
    String text = past.feedText(name);
    Feed feed = FeedParser.parse(text, JobFiles.feed(name), past::named);
    byte[] bytes = past.catalog(name);
    Catalog catalog;
    try {
      catalog = Catalog.read(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new UsageException(
          "the history of %s has a broken catalog: %s"
              .formatted(past.application(), e.getMessage()),
          e);
    }
    FeedSpec spec = history.spec().feeds().get(name);
    same(past, "feed", spec.feedDigest(), feed.digest());
    same(past, "catalog", spec.catalogDigest(), catalog.digest());
    JobHistory.FeedHistory came = history.feed(name);
    Agreed agreed = agreed(came, start(history, name));
    return new RecordedFeed(
        past.application(),
        name,
        new FeedFile(text, feed),
        PreparedFeed.of(feed, catalog),
        bytes,
        spec,
        agreed,
        List.copyOf(epochs(history, name, earlier).values()),
        origin(history, name),
        QuarantinedRows.of(name, decisions(history, earlier), catalog),
        epoch -> blocks(past, name, epoch, agreed.cursor(), earlier, problems));
  }

  /** A job that went on from another is where that one was until it has begun itself. */
  private static Agreed agreed(JobHistory.FeedHistory came, Optional<Resumption.Start> start) {
    if (start.isEmpty() || came.agreed().generation() > 0) {
      return came.agreed();
    }
    Cursor cursor = start.get().cursor();
    Sums sums = start.get().sums();
    return new Agreed(0, 0, cursor, sums, cursor, sums, List.of());
  }

  private static void same(PastJob past, String what, String expected, String found) {
    if (!expected.equals(found)) {
      throw new UsageException(
          "the history of %s holds another %s than the job had: digest %s, not %s"
              .formatted(past.application(), what, found, expected));
    }
  }

  private static Optional<Resumption.Start> start(JobHistory job, String name) {
    return job.resumed().map(resumed -> resumed.feeds().get(name));
  }

  private static Optional<Origin> origin(JobHistory job, String name) {
    return start(job, name).map(s -> new Origin(job.resumed().get().application(), s.cursor()));
  }

  private static SortedMap<Long, EpochRecord> epochs(
      JobHistory job, String name, Function<String, Optional<PastJob>> earlier) {
    SortedMap<Long, EpochRecord> all = new TreeMap<>();
    Optional<Origin> origin = origin(job, name);
    if (origin.isPresent() && origin.get().cursor().epoch() > 0) {
      earlier
          .apply(origin.get().application())
          .map(before -> epochs(before.history(), name, earlier))
          .ifPresent(before -> all.putAll(before.headMap(origin.get().cursor().epoch())));
    }
    job.feed(name).epochs().forEach(epoch -> all.put(epoch.epoch(), epoch));
    return all;
  }

  private static List<Decision> decisions(
      JobHistory job, Function<String, Optional<PastJob>> earlier) {
    List<Decision> all = new ArrayList<>();
    job.resumed()
        .flatMap(resumed -> earlier.apply(resumed.application()))
        .ifPresent(before -> all.addAll(decisions(before.history(), earlier)));
    all.addAll(job.decisions());
    return all;
  }

  private static List<Block> blocks(
      PastJob job,
      String name,
      long epoch,
      Cursor end,
      Function<String, Optional<PastJob>> earlier,
      Consumer<String> problems) {
    List<Block> blocks = new ArrayList<>();
    Optional<Origin> origin = origin(job.history(), name);
    if (origin.isPresent() && origin.get().cursor().compareTo(new Cursor(epoch, 0)) > 0) {
      Cursor until = origin.get().cursor();
      earlier
          .apply(origin.get().application())
          .ifPresent(
              before -> blocks.addAll(blocks(before, name, epoch, until, earlier, problems)));
    }
    try {
      CertificateFiles files = job.certificates(name);
      blocks.addAll(files.blocks(epoch, end));
      files.problems().forEach(problems);
    } catch (IOException e) {
      throw new UnreachableException(
          "not reached: the certificate files of " + job.application() + ": " + e.getMessage(), e);
    }
    return blocks;
  }

  /** Sums over all ranks of steps of an epoch, rising, as far as they are known. */
  public List<Block> blocks(long epoch) {
    return blockSource.apply(epoch);
  }

  /** A finished epoch, if it is. */
  public Optional<EpochRecord> epoch(long number) {
    return epochs.stream().filter(epoch -> epoch.epoch() == number).findFirst();
  }
}
