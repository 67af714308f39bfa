package io.penstock.container;

import io.penstock.config.CacheSettings;
import io.penstock.config.Settings;
import io.penstock.container.RankBooks.Lately;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.device.Device;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.trainer.StepFailedException;
import io.penstock.container.trainer.Trainer;
import io.penstock.coordination.FencedException;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.CacheRecord;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.Failure;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.Quarantined;
import io.penstock.history.CertificateHeader;
import io.penstock.history.CertificateLog;
import io.penstock.history.HistoryFolder;
import io.penstock.lifecycle.AgentRunner;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.DeadlineException;
import io.penstock.lifecycle.Resources;
import io.penstock.model.PenstockException;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UnreachableException;
import io.penstock.yarn.ExitStatus;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.RankIdentity;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank from its assignment to its last step: reads the feed, wires the chain, reports.
 *
 * <p>A commit is first kept in the certificate file and then written to ZooKeeper, so that the file
 * lacks nothing that the ranks may agree on.
 */
final class AssignedRank {
  private static final Logger LOG = LoggerFactory.getLogger(AssignedRank.class);

  private final JobAccess access;
  private final RankIdentity identity;
  private final Settings settings;
  private final Clock clock;
  private final Assignment assignment;
  private final Device device;
  private final Consumer<Phase> phases;
  private final Consumer<Throwable> onReportsFailed;

  /**
   * @param phases told how far the rank is, for others to see
   * @param onReportsFailed told, on the reporting thread, when nothing can be reported any more
   */
  AssignedRank(
      JobAccess access,
      Assignment assignment,
      Device device,
      Consumer<Phase> phases,
      Consumer<Throwable> onReportsFailed) {
    this.access = access;
    this.identity = access.identity();
    this.settings = access.settings();
    this.clock = access.clock();
    this.assignment = assignment;
    this.device = device;
    this.phases = phases;
    this.onReportsFailed = onReportsFailed;
  }

  /** How a rank ends that failed so. */
  static ExitStatus statusOf(Throwable failure) {
    if (failure instanceof FencedException) {
      return ExitStatus.FENCED;
    }
    if (failure instanceof StepFailedException) {
      return ExitStatus.STEP_FAILED;
    }
    if (failure instanceof DeadlineException || failure instanceof TimeoutException) {
      return ExitStatus.STUCK;
    }
    return ExitStatus.of(failure);
  }

  /** Delivers all steps; what fails is logged and, if it can be, told in ZooKeeper. */
  ExitStatus run() throws Exception {
    RankName name = new RankName(identity, assignment.slice(), device.name());
    AtomicStorage storage = new AtomicStorage();
    RankBooks books = new RankBooks(assignment.start(), storage, clock);
    RankReporter reporter =
        new RankReporter(
            access.fenced(), name, books, settings.container().reportInterval(), clock);
    try {
      train(books, storage, reporter);
      reporter.write(Phase.DONE, Optional.empty(), Lately.WHOLE_GENERATION);
      phases.accept(Phase.DONE);
      return ExitStatus.DONE;
    } catch (Throwable failure) {
      ExitStatus status = statusOf(failure);
      LOG.error("event=failed status={} reason={}", status, message(failure), failure);
      tell(reporter, new Failure(status.name(), message(failure)));
      return status;
    }
  }

  private void tell(RankReporter reporter, Failure failure) {
    try {
      reporter.write(Phase.FAILED, Optional.of(failure), Lately.WHOLE_GENERATION);
    } catch (RuntimeException e) {
      LOG.warn("event=failure-not-told reason={}", e.getMessage());
    }
  }

  private void train(RankBooks books, AtomicStorage storage, RankReporter reporter)
      throws Exception {
    Resources open = new Resources();
    try {
      open.add(
          access
              .job()
              .watchAgreed(
                  identity.feed(), latest -> latest.ifPresent(a -> books.agreed(a.cursor()))));
      open.add(
          access
              .job()
              .watchCommitRequest(
                  latest ->
                      latest
                          .filter(request -> request.generation() == assignment.generation())
                          .ifPresent(request -> wantCommit(books, request))));
      PreparedFeed feed = access.readFeed();
      MemoryNeed memory =
          MemoryNeed.of(feed, assignment.ranks(), Runtime.getRuntime().maxMemory(), settings);
      LOG.info("event=memory {}", memory.fields());
      Fetcher fetcher = open.add(new Fetcher(access.configuration(), settings.fetch()));
      Optional<TensorCache> cache = openCache(open, feed);
      StoredRowGroups source =
          open.add(
              new StoredRowGroups(
                  feed,
                  jar -> access.folder().resolve(JobFiles.named(jar)),
                  fetcher,
                  settings.decode(),
                  settings.batch().valuesDigest(),
                  cache,
                  (rowGroup, reason) -> quarantine(books, rowGroup, reason),
                  settings.load().workTimeout(),
                  clock));
      storage.is(source);
      AgentRunner reports =
          open.add(
              new AgentRunner(
                  reporter, clock, settings.container().closeTimeout(), onReportsFailed));
      reports.start();
      CertificateLog certificates = open.add(certificates(feed));
      books.alsoIn(certificates);
      phases.accept(Phase.RUNNING);
      new RankRun(
              feed,
              assignment.slice(),
              assignment.start(),
              source,
              memory,
              device,
              Trainer.load(stepClass(), Thread.currentThread().getContextClassLoader()),
              books,
              () -> {
                certificates.committed();
                reporter.write(Phase.RUNNING, Optional.empty(), Lately.GOES_ON);
              },
              settings,
              clock)
          .run();
    } catch (Throwable failure) {
      open.closeAfter(failure);
      throw failure;
    }
    open.close();
  }

  private void wantCommit(RankBooks books, CommitRequest request) {
    LOG.info("event=commit-wanted reason={}", request.reason());
    books.wantCommit();
  }

  private CertificateLog certificates(PreparedFeed feed) {
    return CertificateLog.open(
        new HistoryFolder(settings.history().dir(), identity.application()),
        identity.feed(),
        new CertificateHeader(
            assignment.slice(),
            assignment.generation(),
            assignment.start(),
            feed.plan().steps(),
            feed.feed().order().batch(),
            settings.history().blockSteps(),
            switch (settings.batch().valuesDigest()) {
              case ON -> CertificateHeader.Values.ON;
              case OFF -> CertificateHeader.Values.OFF;
            },
            feed.feed().digest(),
            feed.catalog().digest()),
        access.configuration(),
        settings.history().timeout(),
        clock);
  }

  private String stepClass() {
    String name = settings.trainer().step();
    return name.contains(".") ? name : Trainer.class.getPackageName() + "." + name;
  }

  private void quarantine(RankBooks books, RowGroupRef rowGroup, String reason) {
    LOG.info(
        "event=quarantine rowGroup={} file={} ordinal={} rows={} reason={}",
        rowGroup.index(),
        rowGroup.path(),
        rowGroup.ordinal(),
        rowGroup.rows(),
        reason);
    books.quarantined(
        new Quarantined(
            rowGroup.index(), rowGroup.path(), rowGroup.ordinal(), rowGroup.rows(), reason));
  }

  /**
   * Opens the cache, or goes on without one if the disks don't have it: that changes speed alone.
   */
  private Optional<TensorCache> openCache(Resources open, PreparedFeed feed) {
    if (settings.cache().use() == CacheSettings.Use.OFF) {
      return Optional.empty();
    }
    CacheFolders folders;
    try {
      folders = open.add(CacheFolders.of(feed, settings.cache(), assignment.slot()));
    } catch (IOException e) {
      LOG.warn("event=cache-unusable reason={}", e.toString());
      return Optional.empty();
    }
    try {
      access.coordination().putCache(record(folders));
    } catch (UnreachableException e) {
      LOG.warn("event=cache-not-told reason={}", e.getMessage());
    }
    return Optional.of(folders.cache());
  }

  private CacheRecord record(CacheFolders folders) {
    List<String> dirs = settings.cache().dirs();
    return new CacheRecord(
        folders.key(),
        identity.host(),
        folders.slot(),
        dirs.get(folders.slot() % dirs.size()),
        folders.cache().size(),
        folders.cache().usedBytes(),
        settings.cache().quotaBytes(),
        identity.application(),
        clock.currentTimeMillis());
  }

  private static String message(Throwable failure) {
    boolean plain = failure instanceof PenstockException || failure instanceof StepFailedException;
    return plain ? failure.getMessage() : failure.toString();
  }

  /** Storage's counters before and after storage is opened. */
  private static final class AtomicStorage implements RankBooks.StorageCounters {
    private volatile RankBooks.StorageCounters source;

    void is(RankBooks.StorageCounters opened) {
      source = opened;
    }

    @Override
    public long bytes() {
      RankBooks.StorageCounters now = source;
      return now == null ? 0 : now.bytes();
    }

    @Override
    public long retries() {
      RankBooks.StorageCounters now = source;
      return now == null ? 0 : now.retries();
    }
  }
}
