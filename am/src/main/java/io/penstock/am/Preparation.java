package io.penstock.am;

import io.penstock.am.core.FeedPlan;
import io.penstock.am.core.History;
import io.penstock.catalog.Catalog;
import io.penstock.config.CatalogSettings;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.Json;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.RankProgress;
import io.penstock.coordination.records.Resumption;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.model.RankRange;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import io.penstock.plan.Plan;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.JobRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the ApplicationMaster works out before it asks for containers: the catalog and the job's
 * spec, by the first attempt that gets so far; a later one takes them as they are, because the
 * dataset may have changed meanwhile and the job must not.
 */
final class Preparation {
  private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

  private final JobRequest request;
  private final Path folder;
  private final Configuration configuration;
  private final CatalogSettings settings;
  private final FileSystem staging;

  /**
   * @param folder the process's working folder, with the job's files
   * @param staging the staging folder's file system
   */
  Preparation(
      JobRequest request,
      Path folder,
      Configuration configuration,
      CatalogSettings settings,
      FileSystem staging) {
    this.request = request;
    this.folder = folder;
    this.configuration = configuration;
    this.settings = settings;
    this.staging = staging;
  }

  /**
   * The job's spec, made and written if there is none yet.
   *
   * @throws io.penstock.model.PenstockException if the feed or the data are refused or a file
   *     system is not reached
   */
  JobSpec spec(JobStore store, FencedJob job) {
    Optional<JobSpec> before = store.spec();
    if (before.isPresent()) {
      return before.get();
    }
    Map<String, FeedSpec> feeds = new TreeMap<>();
    request.feeds().forEach((name, ranks) -> feeds.put(name, feed(name, ranks)));
    JobSpec spec =
        new JobSpec(
            request.application(),
            request.name(),
            request.user(),
            request.queue(),
            request.submittedMillis(),
            request.version(),
            request.staging(),
            feeds,
            readResumption());
    job.writeSpec(spec);
    return spec;
  }

  private Optional<Resumption> readResumption() {
    try {
      return resumption(folder);
    } catch (IOException e) {
      throw new UnreachableException("a job's own file can't be read: " + e.getMessage(), e);
    }
  }

  /** The feeds as the state machine needs them. */
  static Map<String, FeedPlan> plans(JobSpec spec) {
    Map<String, FeedPlan> plans = new TreeMap<>();
    spec.feeds()
        .forEach(
            (name, feed) ->
                plans.put(
                    name,
                    new FeedPlan(
                        feed.rankRange(),
                        feed.batch(),
                        feed.lanes(),
                        feed.steps(),
                        feed.epochs(),
                        feed.rows(),
                        feed.maxBadRows())));
    return plans;
  }

  /** What earlier attempts left. */
  static History history(JobStore store, JobSpec spec, int attempt) {
    return history(store, spec, attempt, Optional.empty());
  }

  /** What earlier attempts left; where nothing was agreed on yet, what an earlier job left. */
  static History history(
      JobStore store, JobSpec spec, int attempt, Optional<Resumption> resumption) {
    Map<String, Agreed> agreed = new HashMap<>();
    Map<String, List<RankProgress>> progress = new HashMap<>();
    for (String feed : spec.feeds().keySet()) {
      store
          .agreed(feed)
          .or(() -> resumption.map(earlier -> begin(earlier.feeds().get(feed))))
          .ifPresent(found -> agreed.put(feed, found));
      progress.put(feed, store.progress(feed));
    }
    long decisions = store.decisions().stream().mapToLong(Decision::n).max().orElse(0);
    return new History(attempt, store.state(), agreed, progress, decisions);
  }

  private static Agreed begin(Resumption.Start start) {
    return new Agreed(0, 0, start.cursor(), start.sums(), start.cursor(), start.sums(), List.of());
  }

  /** Where the job begins if it goes on from another. */
  static Optional<Resumption> resumption(Path folder) throws IOException {
    Path file = folder.resolve(JobFiles.RESUMPTION);
    return Files.exists(file)
        ? Optional.of(Json.read(file.toString(), Files.readAllBytes(file), Resumption.class))
        : Optional.empty();
  }

  /** The catalog of the job that this one goes on from. */
  private Catalog recorded(String name, Feed feed, Resumption.Start start) throws IOException {
    Catalog catalog;
    try (InputStream in = Files.newInputStream(folder.resolve(JobFiles.catalog(name)))) {
      catalog = Catalog.read(in);
    }
    if (!feed.digest().equals(start.feedDigest())
        || !catalog.digest().equals(start.catalogDigest())) {
      throw new UsageException(
          "feed %s must be that of the job to go on from: feed %s, was %s; catalog %s, was %s"
              .formatted(
                  name,
                  feed.digest(),
                  start.feedDigest(),
                  catalog.digest(),
                  start.catalogDigest()));
    }
    return catalog;
  }

  private FeedSpec feed(String name, RankRange ranks) {
    try {
      String text = Files.readString(folder.resolve(JobFiles.feed(name)));
      Feed feed =
          FeedParser.parse(text, JobFiles.feed(name), path -> JobFiles.readNamed(folder, path));
      ranks.check(feed.order().batch());
      long begin = System.nanoTime();
      Optional<Resumption.Start> start =
          resumption(folder).map(resumption -> resumption.feeds().get(name));
      Catalog catalog =
          start.isPresent()
              ? recorded(name, feed, start.get())
              : Catalog.read(
                  feed.dataset(),
                  schema -> BoundFeed.bind(feed, schema).fileColumns(),
                  configuration,
                  settings);
      LOG.info(
          "event=catalog feed={} files={} rowGroups={} rows={} milliseconds={} digest={}",
          name,
          catalog.files().size(),
          catalog.rowGroups().size(),
          catalog.rows(),
          (System.nanoTime() - begin) / 1_000_000,
          catalog.digest());
      Plan plan = new Plan(feed.order(), catalog.rowCounts());
      org.apache.hadoop.fs.Path file =
          new org.apache.hadoop.fs.Path(request.staging(), JobFiles.catalog(name));
      // A file that the processes of this attempt have localized must not be written anew.
      if (start.isEmpty()) {
        try (OutputStream out = staging.create(file, true)) {
          catalog.write(out);
        }
      }
      return new FeedSpec(
          feed.digest(),
          catalog.digest(),
          JobFiles.feed(name),
          JobFiles.catalog(name),
          ranks.max(),
          feed.order().lanes(),
          feed.order().batch(),
          plan.steps(),
          feed.epochs(),
          catalog.rows(),
          feed.dataset().badRowGroup() == BadRowGroup.QUARANTINE ? feed.dataset().maxBadRows() : 0,
          feed.order().shuffle().text(),
          ranks.min());
    } catch (IOException e) {
      throw new UnreachableException(
          "the files of feed " + name + " in " + request.staging() + ": " + e.getMessage(), e);
    }
  }
}
