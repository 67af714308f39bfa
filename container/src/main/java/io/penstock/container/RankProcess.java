package io.penstock.container;

import io.penstock.catalog.Catalog;
import io.penstock.config.CacheSettings;
import io.penstock.config.Settings;
import io.penstock.container.RankBooks.Lately;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.device.Device;
import io.penstock.container.device.HostMemoryDevice;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.trainer.StepFailedException;
import io.penstock.container.trainer.Trainer;
import io.penstock.coordination.Connection;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.coordination.DeviceClaim;
import io.penstock.coordination.FencedException;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.Registration;
import io.penstock.coordination.Watched;
import io.penstock.coordination.records.Assignment;
import io.penstock.coordination.records.CacheRecord;
import io.penstock.coordination.records.CommitRequest;
import io.penstock.coordination.records.ContainerRecord;
import io.penstock.coordination.records.DeviceRecord;
import io.penstock.coordination.records.Failure;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.Phase;
import io.penstock.coordination.records.Quarantined;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.history.CertificateHeader;
import io.penstock.history.CertificateLog;
import io.penstock.history.HistoryFolder;
import io.penstock.lifecycle.AgentRunner;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.DeadlineException;
import io.penstock.lifecycle.NamedThreads;
import io.penstock.lifecycle.Resources;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.PenstockException;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UnreachableException;
import io.penstock.yarn.ExitStatus;
import io.penstock.yarn.JobConfiguration;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.RankIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank from its registration to its end.
 *
 * <h2>Who may end it</h2>
 *
 * The rank runs on the calling thread and ends with its last step or its first failure, in order:
 * data plane, cache, claims, ZooKeeper. When it finds that it has no say any more (a newer attempt
 * or generation raised the fence, its assignment went to another container, its device was claimed
 * by another after its session was lost) it must not deliver another batch, and the training step
 * may be busy for long; so it leaves at once: it closes its ZooKeeper session and halts. The cache
 * survives that as it survives a kill.
 */
final class RankProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RankProcess.class);

  private final RankIdentity identity;
  private final Path folder;
  private final Clock clock = SystemClock.INSTANCE;
  private final AtomicBoolean leaving = new AtomicBoolean();

  /**
   * @param folder the container's working folder, with the job's files
   */
  RankProcess(RankIdentity identity, Path folder) {
    this.identity = identity;
    this.folder = folder;
  }

  /**
   * Runs the rank and says how it ended; what went wrong is logged and, if it can be, told in
   * ZooKeeper.
   */
  ExitStatus run() {
    Resources open = new Resources();
    ExitStatus status;
    try {
      Configuration configuration = JobConfiguration.read(folder);
      Settings settings = Settings.read(configuration);
      Coordination coordination =
          open.add(Coordination.connect(CoordinationSettings.of(settings.zookeeper())));
      Runtime.getRuntime()
          .addShutdownHook(
              NamedThreads.named("leave-zookeeper", coordination::close, (thread, e) -> {}));
      status = new Registered(configuration, settings, coordination).run(open);
    } catch (Throwable failure) {
      status = statusOf(failure);
      LOG.error("event=failed status={} reason={}", status, failure.getMessage(), failure);
    }
    try {
      open.close();
    } catch (Exception e) {
      LOG.warn("event=close-failed reason={}", e.toString(), e);
    }
    return status;
  }

  private static ExitStatus statusOf(Throwable failure) {
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

  private static String message(Throwable failure) {
    boolean plain = failure instanceof PenstockException || failure instanceof StepFailedException;
    return plain ? failure.getMessage() : failure.toString();
  }

  /** The part of the run that has a connection to ZooKeeper. */
  private final class Registered {
    private final Configuration configuration;
    private final Settings settings;
    private final Coordination coordination;
    private final JobStore job;
    private final FencedJob fenced;

    Registered(Configuration configuration, Settings settings, Coordination coordination) {
      this.configuration = configuration;
      this.settings = settings;
      this.coordination = coordination;
      this.job = coordination.job(identity.application());
      this.fenced = job.fencedBy(identity.fence());
    }

    ExitStatus run(Resources open) throws Exception {
      DeviceClaim claim =
          open.add(
              coordination
                  .claimDevice(
                      identity.host(),
                      Integer.MAX_VALUE,
                      new DeviceRecord(
                          identity.application(),
                          identity.container(),
                          ProcessHandle.current().pid()))
                  .orElseThrow());
      Device device = open.add(new HostMemoryDevice(claim.ordinal()));
      Registration<ContainerRecord> registration =
          open.add(fenced.register(record(device, Phase.REGISTERED)));
      open.add(job.watchFence(version -> version.ifPresent(this::checkFence)));
      open.add(coordination.onConnection(state -> checkClaim(state, claim)));
      Assignment assignment = awaitAssignment(open);
      LOG.info(
          "event=assigned rank={} ranks={} generation={} start={} device={}",
          assignment.rank(),
          assignment.ranks(),
          assignment.generation(),
          assignment.start(),
          device.name());
      registration.update(record(device, Phase.STARTING));
      return new Assigned(this, assignment, device, registration).run(open);
    }

    private ContainerRecord record(Device device, Phase phase) {
      return new ContainerRecord(
          identity.container(),
          identity.host(),
          ProcessHandle.current().pid(),
          device.name(),
          phase,
          identity.feed(),
          identity.rank(),
          identity.generation());
    }

    private Assignment awaitAssignment(Resources open) throws Exception {
      Watched<Assignment> watched =
          open.add(
              job.watchAssignment(
                  identity.feed(),
                  identity.rank(),
                  latest -> latest.ifPresent(this::checkAssignment)));
      return watched.await(
          this::isMine,
          settings.am().registrationTimeout().plus(settings.am().allocationTimeout()),
          "the assignment of rank " + identity.rank());
    }

    private boolean isMine(Assignment assignment) {
      return assignment.generation() == identity.generation()
          && assignment.container().equals(identity.container());
    }

    private void checkAssignment(Assignment assignment) {
      if (assignment.generation() > identity.generation()
          || (assignment.generation() == identity.generation() && !isMine(assignment))) {
        leave(ExitStatus.FENCED, "the rank went to container " + assignment.container());
      }
    }

    private void checkFence(int version) {
      if (version > identity.fence()) {
        leave(ExitStatus.FENCED, "fence=" + identity.fence() + " now=" + version);
      }
    }

    /** A lost session freed the device: it is ours again only if nobody took it meanwhile. */
    private void checkClaim(Connection state, DeviceClaim claim) {
      if (state != Connection.LOST) {
        LOG.info("event=zookeeper-connection state={}", state);
        return;
      }
      leave(
          ExitStatus.ZOOKEEPER_LOST,
          "the session ended; device " + claim.ordinal() + " may be another's");
    }

    private void leave(ExitStatus status, String reason) {
      if (!leaving.compareAndSet(false, true)) {
        return;
      }
      LOG.error("event=end status={} code={} reason={}", status, status.code(), reason);
      NamedThreads.named(
              "leave",
              () -> {
                NamedThreads.named(
                        "leave-late", () -> haltAfterCloseTimeout(status), (thread, e) -> {})
                    .start();
                coordination.close();
                Runtime.getRuntime().halt(status.code());
              },
              (thread, e) -> Runtime.getRuntime().halt(status.code()))
          .start();
    }

    private void haltAfterCloseTimeout(ExitStatus status) {
      long end = System.nanoTime() + settings.container().closeTimeout().toNanos();
      for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        java.util.concurrent.locks.LockSupport.parkNanos(left);
      }
      Runtime.getRuntime().halt(status.code());
    }
  }

  /** The part of the run that knows what to deliver. */
  private final class Assigned {
    private final Registered registered;
    private final Settings settings;
    private final Assignment assignment;
    private final Device device;
    private final Registration<ContainerRecord> registration;

    Assigned(
        Registered registered,
        Assignment assignment,
        Device device,
        Registration<ContainerRecord> registration) {
      this.registered = registered;
      this.settings = registered.settings;
      this.assignment = assignment;
      this.device = device;
      this.registration = registration;
    }

    ExitStatus run(Resources open) throws Exception {
      RankName name = new RankName(identity, assignment.slice(), device.name());
      AtomicStorage storage = new AtomicStorage();
      RankBooks books = new RankBooks(assignment.start(), storage, clock);
      RankReporter reporter =
          new RankReporter(
              registered.fenced, name, books, settings.container().reportInterval(), clock);
      try {
        train(open, books, storage, reporter);
        reporter.write(Phase.DONE, Optional.empty(), Lately.WHOLE_GENERATION);
        registration.update(registered.record(device, Phase.DONE));
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

    private void train(
        Resources outer, RankBooks books, AtomicStorage storage, RankReporter reporter)
        throws Exception {
      Resources open = new Resources();
      try {
        open.add(
            registered.job.watchAgreed(
                identity.feed(), latest -> latest.ifPresent(a -> books.agreed(a.cursor()))));
        open.add(
            registered.job.watchCommitRequest(
                latest ->
                    latest
                        .filter(request -> request.generation() == assignment.generation())
                        .ifPresent(request -> wantCommit(books, request))));
        PreparedFeed feed = readFeed();
        MemoryNeed memory =
            MemoryNeed.of(feed, assignment.ranks(), Runtime.getRuntime().maxMemory(), settings);
        LOG.info("event=memory {}", memory.fields());
        Fetcher fetcher = open.add(new Fetcher(registered.configuration, settings.fetch()));
        Optional<TensorCache> cache = openCache(open, feed);
        StoredRowGroups source =
            open.add(
                new StoredRowGroups(
                    feed,
                    jar -> folder.resolve(JobFiles.named(jar)),
                    fetcher,
                    settings.decode(),
                    cache,
                    (rowGroup, reason) -> quarantine(books, rowGroup, reason),
                    settings.load().workTimeout(),
                    clock));
        storage.is(source);
        AgentRunner reports =
            open.add(
                new AgentRunner(
                    reporter,
                    clock,
                    settings.container().closeTimeout(),
                    failure ->
                        registered.leave(statusOf(failure), "reporting failed: " + failure)));
        reports.start();
        CertificateLog certificates = open.add(certificates(feed));
        books.alsoIn(certificates);
        registration.update(registered.record(device, Phase.RUNNING));
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
                  // First the file, so that it lacks nothing that the ranks may agree on.
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
          registered.configuration,
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

    private PreparedFeed readFeed() throws IOException {
      Path file = folder.resolve(JobFiles.feed(identity.feed()));
      Feed feed =
          FeedParser.parse(
              Files.readString(file),
              file.getFileName().toString(),
              path -> JobFiles.readNamed(folder, path));
      Path list = folder.resolve(JobFiles.catalog(identity.feed()));
      Catalog catalog;
      try (InputStream in = Files.newInputStream(list)) {
        catalog = Catalog.read(in);
      }
      FeedSpec spec =
          registered
              .job
              .spec()
              .map(s -> s.feeds().get(identity.feed()))
              .orElseThrow(() -> new IllegalStateException("the job has no spec in ZooKeeper"));
      check("feed", spec.feedDigest(), feed.digest());
      check("catalog", spec.catalogDigest(), catalog.digest());
      return PreparedFeed.of(feed, catalog);
    }

    private void check(String what, String expected, String actual) {
      if (!expected.equals(actual)) {
        throw new IllegalStateException(
            "the " + what + " is not the job's: digest " + actual + ", not " + expected);
      }
    }

    /**
     * Opens the cache, or goes on without one if the disks don't have it: that changes speed alone.
     */
    private Optional<TensorCache> openCache(Resources open, PreparedFeed feed) {
      if (settings.cache().use() == CacheSettings.Use.OFF) {
        return Optional.empty();
      }
      String key = cacheKey(feed);
      long need = 0;
      for (int rows : feed.catalog().rowCounts()) {
        need += TensorCache.bytesOnDisk(feed.bound().specs(), rows, settings.cache().recordBytes());
      }
      try {
        CacheFolders folders =
            open.add(
                CacheFolders.open(
                    settings.cache(), assignment.slot(), key, feed.bound().specs(), need));
        TensorCache cache = folders.cache();
        registered.coordination.putCache(
            new CacheRecord(
                key,
                identity.host(),
                folders.slot(),
                settings.cache().dirs().get(folders.slot() % settings.cache().dirs().size()),
                cache.size(),
                cache.usedBytes(),
                settings.cache().quotaBytes(),
                identity.application(),
                clock.currentTimeMillis()));
        return Optional.of(cache);
      } catch (IOException e) {
        LOG.warn("event=cache-unusable reason={}", e.toString());
        return Optional.empty();
      } catch (UnreachableException e) {
        LOG.warn("event=cache-not-told reason={}", e.getMessage());
        return Optional.empty();
      }
    }

    /**
     * Names what the cached bytes are made from: the feed, the files' state, and the tensors'
     * layout.
     */
    private static String cacheKey(PreparedFeed feed) {
      try {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        String text = "1 " + feed.feed().digest() + " " + feed.catalog().digest();
        return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)), 0, 16);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
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
