package io.penstock.am;

import io.penstock.am.cluster.YarnCluster;
import io.penstock.am.core.Action;
import io.penstock.am.core.JobMachine;
import io.penstock.am.core.Limits;
import io.penstock.am.web.StatusServer;
import io.penstock.config.Settings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.CoordinationSettings;
import io.penstock.coordination.FencedException;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.Registration;
import io.penstock.coordination.records.AmRecord;
import io.penstock.coordination.records.JobReport;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.Resumption;
import io.penstock.coordination.records.RunState;
import io.penstock.history.HistoryFolder;
import io.penstock.history.HistoryKeeper;
import io.penstock.history.JobHistory;
import io.penstock.lifecycle.NamedThreads;
import io.penstock.lifecycle.Resources;
import io.penstock.lifecycle.SystemClock;
import io.penstock.model.PenstockException;
import io.penstock.model.UnreachableException;
import io.penstock.yarn.ExitStatus;
import io.penstock.yarn.JobConfiguration;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.JobRequest;
import io.penstock.yarn.Launches;
import io.penstock.yarn.RankResource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ApplicationMaster.
 *
 * <p>It registers with YARN before anything that can fail, so that whatever is wrong ends the
 * application with its reason. What another attempt may do better (this process lost ZooKeeper, or
 * was replaced) ends the process alone. It ends in {@code System.exit} whatever happens.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  /** A ZooKeeper that is away for less than this costs no attempt. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration STOPPING = Duration.ofSeconds(20);
  private static final int JOBS_KEPT = 500;
  private static final long EXIT_WITHIN_SECONDS = 60;

  private final JobRequest request;
  private final Path folder;
  private final Configuration configuration;
  private final Settings settings;
  private final ContainerId container;
  private final String host;
  private final Resources resources = new Resources();
  private final JobLoop loop = new JobLoop(SystemClock.INSTANCE);
  private volatile JobStore store;

  private Main(
      JobRequest request,
      Path folder,
      Configuration configuration,
      ContainerId container,
      String host) {
    this.request = request;
    this.folder = folder;
    this.configuration = configuration;
    this.settings = Settings.read(configuration);
    this.container = container;
    this.host = host;
  }

  /** Takes no arguments: the working folder and the environment say all. */
  public static void main(String[] arguments) {
    int code = ExitStatus.INTERNAL.code();
    try {
      Path folder = Path.of("").toAbsolutePath();
      JobRequest request;
      try (InputStream in = Files.newInputStream(folder.resolve(JobFiles.REQUEST))) {
        request = JobRequest.read(in);
      }
      code =
          new Main(
                  request,
                  folder,
                  JobConfiguration.read(folder),
                  ContainerId.fromString(variable("CONTAINER_ID")),
                  variable("NM_HOST"))
              .run()
              .code();
    } catch (Throwable failure) {
      LOG.error("event=failed", failure);
    } finally {
      LOG.info("event=exit code={}", code);
      exit(code);
    }
  }

  private ExitStatus run() throws IOException, InterruptedException {
    try {
      StatusServer page = resources.add(StatusServer.start(this::report));
      YarnCluster cluster =
          resources.add(
              new YarnCluster(
                  configuration,
                  settings.am().heartbeat(),
                  new RankResource(
                      settings.container().memoryBytes(),
                      settings.container().vcores(),
                      settings.container().gpus()),
                  settings.submit().nodeLabel(),
                  loop::post,
                  loop::fatal,
                  loop::share));
      String url = "http://" + host + ":" + page.port() + "/";
      cluster.register(host, page.port(), url);
      Action.Finish end = job(cluster, page.port(), url);
      cluster.unregister(end.state(), end.text());
      removeStaging();
      return ExitStatus.DONE;
    } catch (AttemptOverException e) {
      LOG.error("event=attempt-over status={} reason=\"{}\"", e.status(), e.getMessage(), e);
      return e.status();
    } catch (FencedException e) {
      LOG.error("event=attempt-over status={} reason=\"{}\"", ExitStatus.FENCED, e.getMessage());
      return ExitStatus.FENCED;
    } finally {
      resources.close();
    }
  }

  private Action.Finish job(YarnCluster cluster, int port, String url)
      throws IOException, InterruptedException {
    FencedJob job = null;
    int attempt = container.getApplicationAttemptId().getAttemptId();
    Coordination coordination;
    JobSpec spec;
    Registration<AmRecord> alive;
    try {
      coordination =
          resources.add(
              Coordination.connect(
                  CoordinationSettings.of(settings.zookeeper()).withPatience(PATIENCE)));
      store = coordination.job(request.application());
      job = store.takeOver(attempt, container.toString());
      alive =
          resources.add(
              job.register(
                  new AmRecord(
                      attempt, host, ProcessHandle.current().pid(), host + ":" + port, url)));
      coordination.removeOldJobs(JOBS_KEPT);
      FileSystem staging = resources.add(stagingFileSystem());
      spec =
          new Preparation(request, folder, configuration, settings.catalog(), staging)
              .spec(store, job);
      cluster.launchWith(
          new RankLaunches(
              request,
              settings.container(),
              settings.submit().javaHome(),
              Launches.files(staging, request, configuration),
              Launches.forContainers(UserGroupInformation.getCurrentUser().getCredentials()),
              () -> loop.job().fence()));
    } catch (UnreachableException e) {
      throw unreachable(job, attempt, e);
    } catch (IOException e) {
      throw unreachable(
          job, attempt, new UnreachableException("the job's files: " + e.getMessage(), e));
    } catch (PenstockException e) {
      return refused(job, attempt, e);
    }
    Optional<Resumption> resumption = Preparation.resumption(folder);
    JobMachine machine =
        new JobMachine(
            Preparation.plans(spec),
            limits(),
            container.toString(),
            Preparation.history(store, spec, attempt, resumption));
    try (HistoryKeeper keeper = keepHistory(spec, attempt, resumption)) {
      loop.keep(keeper);
      return loop.run(coordination, job, request.application(), alive, cluster, machine);
    }
  }

  private HistoryKeeper keepHistory(JobSpec spec, int attempt, Optional<Resumption> resumption) {
    return HistoryKeeper.start(
        new HistoryFolder(settings.history().dir(), request.application()),
        JobHistory.of(spec, resumption).with(store.report()),
        new HistoryContent(folder, request.staging(), configuration).of(spec),
        attempt,
        configuration,
        settings.history().timeout(),
        SystemClock.INSTANCE);
  }

  /**
   * Ends this attempt, for YARN to make another. What was not reached is left in the job's record,
   * if ZooKeeper is there, for whoever looks and for the end if no attempt is left.
   */
  private AttemptOverException unreachable(FencedJob job, int attempt, UnreachableException e) {
    if (job == null) {
      return new AttemptOverException(ExitStatus.ZOOKEEPER_LOST, e.getMessage(), e);
    }
    try {
      long now = System.currentTimeMillis();
      JobState last =
          store.state().orElse(new JobState(RunState.STARTING, "", 0, attempt, 0, 0, now, now));
      if (!last.state().isFinal()) {
        job.writeState(
            new JobState(
                last.state(),
                "attempt %d of the ApplicationMaster: %s".formatted(attempt, e.getMessage()),
                e.exitCode(),
                attempt,
                last.generation(),
                last.restarts(),
                last.startedMillis(),
                now));
      }
    } catch (PenstockException again) {
      LOG.warn("event=state-not-written reason=\"{}\"", again.getMessage());
    }
    return new AttemptOverException(ExitStatus.STORAGE_FAILED, e.getMessage(), e);
  }

  /** Ends a job that can't begin: another attempt would find the same. */
  private Action.Finish refused(FencedJob job, int attempt, PenstockException e) {
    LOG.error("event=refused reason=\"{}\"", e.getMessage(), e);
    if (job != null) {
      try {
        long now = System.currentTimeMillis();
        job.writeState(
            new JobState(RunState.FAILED, e.getMessage(), e.exitCode(), attempt, 0, 0, now, now));
      } catch (PenstockException again) {
        LOG.warn("event=state-not-written reason=\"{}\"", again.getMessage());
      }
    }
    return new Action.Finish(RunState.FAILED, e.getMessage());
  }

  private Limits limits() {
    return new Limits(
        settings.am().restarts(),
        settings.am().allocationTimeout(),
        settings.am().elasticWait(),
        settings.am().registrationTimeout(),
        SILENCE,
        settings.container().closeTimeout(),
        STOPPING);
  }

  private JobReport report() {
    JobStore known = store;
    return known != null
        ? known.report()
        : new JobReport(
            request.application(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            List.of(),
            List.of());
  }

  private FileSystem stagingFileSystem() throws IOException {
    return FileSystem.newInstance(
        new org.apache.hadoop.fs.Path(request.staging()).toUri(), configuration);
  }

  private void removeStaging() {
    try (FileSystem fileSystem = stagingFileSystem()) {
      fileSystem.delete(new org.apache.hadoop.fs.Path(request.staging()), true);
      LOG.info("event=staging-removed folder={}", request.staging());
    } catch (IOException e) {
      // The user's next command removes it.
      LOG.warn("event=staging-left folder={} reason=\"{}\"", request.staging(), e.getMessage());
    }
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException("must be set, as YARN does: " + name);
    }
    return value;
  }

  /** Exits, and does not wait for long for what hangs in a shutdown hook. */
  private static void exit(int code) {
    Thread last =
        NamedThreads.named(
            "exit-deadline",
            () -> {
              long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(EXIT_WITHIN_SECONDS);
              while (System.nanoTime() < end) {
                LockSupport.parkNanos(end - System.nanoTime());
              }
              Runtime.getRuntime().halt(code);
            },
            (thread, e) -> Runtime.getRuntime().halt(code));
    last.start();
    System.exit(code);
  }
}
