package io.penstock.cli;

import io.penstock.catalog.Catalog;
import io.penstock.cli.dataset.DatasetPaths;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.config.Settings;
import io.penstock.container.LocalBatches;
import io.penstock.container.PreparedFeed;
import io.penstock.container.slots.FullSlots.FullSlot;
import io.penstock.container.slots.StepRecord;
import io.penstock.coordination.records.Agreed;
import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.Resumption;
import io.penstock.coordination.records.Sums;
import io.penstock.history.CertificateHeader;
import io.penstock.history.CertificateLog;
import io.penstock.history.HistoryFolder;
import io.penstock.history.HistoryKeeper;
import io.penstock.history.JobHistory;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankSlice;
import io.penstock.yarn.JobFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Jobs that ran without a cluster: the real data plane, and the history that they left. */
public final class PastJobs {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Path history;
  private final Configuration configuration = new Configuration(false);
  private final Settings settings = Settings.read(configuration);

  /**
   * @param history {@code penstock.history.dir}
   */
  public PastJobs(Path history) {
    this.history = history;
  }

  /** The option that makes commands look here. */
  public String option() {
    return "-Dpenstock.history.dir=" + history.toUri();
  }

  /**
   * Delivers all epochs, or up to a cursor.
   *
   * @param end where the job was killed
   * @param added to the first order sum of epoch 0, to make it wrong
   */
  public void run(
      String application, Path feedFile, int ranks, int blockSteps, Cursor end, long added) {
    run(application, feedFile, ranks, blockSteps, Optional.empty(), end, added);
  }

  /** The same for a job that goes on from another. */
  public void run(
      String application,
      Path feedFile,
      int ranks,
      int blockSteps,
      Optional<Resumption> resumed,
      Cursor end,
      long added) {
    run(application, Map.of("train", feedFile), List.of(), ranks, blockSteps, resumed, end, added);
  }

  /** A job of several feeds that delivered all of them, and decided something besides. */
  public void run(
      String application, Map<String, Path> feedFiles, List<Decision> decisions, Cursor end) {
    run(application, feedFiles, decisions, 2, 1, Optional.empty(), end, 0);
  }

  /** A feed file with what it is about. */
  private record Given(String name, FeedFile file, Catalog catalog, PreparedFeed prepared) {}

  private Given given(String name, Path feedFile) {
    FeedFile file = FeedFile.read(feedFile.toString(), configuration, settings);
    Catalog catalog = DatasetPaths.catalog(file.feed(), configuration, settings);
    return new Given(name, file, catalog, PreparedFeed.of(file.feed(), catalog));
  }

  private static FeedSpec spec(Given given, int ranks) {
    FeedFile file = given.file();
    return new FeedSpec(
        file.feed().digest(),
        given.catalog().digest(),
        JobFiles.feed(given.name()),
        JobFiles.catalog(given.name()),
        ranks,
        file.feed().order().lanes(),
        file.feed().order().batch(),
        given.prepared().plan().steps(),
        file.feed().epochs(),
        given.catalog().rows(),
        0,
        file.feed().order().shuffle().text(),
        ranks);
  }

  private void run(
      String application,
      Map<String, Path> feedFiles,
      List<Decision> decisions,
      int ranks,
      int blockSteps,
      Optional<Resumption> resumed,
      Cursor end,
      long added) {
    HistoryFolder folder = new HistoryFolder(history.toUri().toString(), application);
    List<Given> all = new ArrayList<>();
    feedFiles.forEach((name, file) -> all.add(given(name, file)));
    Map<String, FeedSpec> specs = new TreeMap<>();
    Map<String, HistoryKeeper.Content> files = new TreeMap<>();
    for (Given given : all) {
      specs.put(given.name(), spec(given, ranks));
      files.put(
          JobFiles.feed(given.name()),
          out -> out.write(given.file().text().getBytes(StandardCharsets.UTF_8)));
      files.put(JobFiles.catalog(given.name()), given.catalog()::write);
    }
    JobSpec job = new JobSpec(application, "past", "ann", "default", 1, "0.1.0", "/staging", specs);
    try (HistoryKeeper keeper =
        HistoryKeeper.start(
            folder,
            JobHistory.of(job, resumed),
            files,
            1,
            configuration,
            TIMEOUT,
            SystemClock.INSTANCE)) {
      decisions.forEach(keeper::decision);
      for (Given given : all) {
        deliver(folder, keeper, given, ranks, blockSteps, resumed, end, added);
      }
    }
  }

  private void deliver(
      HistoryFolder folder,
      HistoryKeeper keeper,
      Given given,
      int ranks,
      int blockSteps,
      Optional<Resumption> resumed,
      Cursor end,
      long added) {
    PreparedFeed feed = given.prepared();
    Cursor start = resumed.map(r -> r.feeds().get("train").cursor()).orElse(Cursor.START);
    Sums base = resumed.map(r -> r.feeds().get("train").sums()).orElse(Sums.NONE);
    for (long epoch = start.epoch(); new Cursor(epoch, 0).compareTo(end) < 0; epoch++) {
      long to = epoch < end.epoch() ? feed.plan().steps() : end.step();
      long from = epoch == start.epoch() ? start.step() : 0;
      Sums sums = epoch == start.epoch() ? base : Sums.NONE;
      for (int rank = 0; rank < ranks; rank++) {
        sums =
            sums.plus(
                deliver(
                    folder,
                    given.name(),
                    feed,
                    new RankSlice(rank, ranks),
                    (int) epoch + 1,
                    blockSteps,
                    new Cursor(epoch, from),
                    to));
      }
      if (epoch == 0) {
        sums = sums.plus(new Sums(0, 0, 0, 0, new Digest128(added, 0), Digest128.ZERO));
      }
      if (to == feed.plan().steps()) {
        keeper.epoch(
            given.name(),
            new EpochRecord(
                epoch,
                to,
                sums.rows(),
                sums.padding(),
                1,
                0,
                sums.fromStorage(),
                0,
                sums.order(),
                sums.values(),
                0,
                List.of()));
      }
      Cursor reached = Cursor.after(epoch, to - 1, feed.plan().steps());
      keeper.agreed(
          given.name(),
          new Agreed(
              (int) epoch + 1,
              ranks,
              start,
              base,
              reached,
              reached.step() == 0 ? Sums.NONE : sums,
              List.of()));
    }
  }

  private Sums deliver(
      HistoryFolder folder,
      String name,
      PreparedFeed feed,
      RankSlice slice,
      int generation,
      int blockSteps,
      Cursor start,
      long to) {
    CertificateHeader header =
        new CertificateHeader(
            slice,
            generation,
            start,
            feed.plan().steps(),
            feed.plan().order().batch(),
            blockSteps,
            CertificateHeader.Values.ON,
            feed.feed().digest(),
            feed.catalog().digest());
    Sums sums = Sums.NONE;
    try (CertificateLog log =
            CertificateLog.open(
                folder, name, header, configuration, TIMEOUT, SystemClock.INSTANCE);
        LocalBatches batches =
            LocalBatches.open(
                feed,
                slice,
                start,
                Cursor.after(start.epoch(), to - 1, feed.plan().steps()),
                configuration,
                settings)) {
      for (Optional<FullSlot> next = batches.take(); next.isPresent(); next = batches.take()) {
        try (FullSlot full = next.get()) {
          StepRecord record = full.slot().record();
          Sums step =
              new Sums(
                  record.rows(),
                  record.padding(),
                  record.rowsFromStorage(),
                  record.rowsFromCache(),
                  record.order(),
                  record.values());
          log.delivered(record.epoch(), record.step(), step);
          sums = sums.plus(step);
        }
      }
      log.committed();
    }
    return sums;
  }
}
