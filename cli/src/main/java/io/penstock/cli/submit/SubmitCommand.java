package io.penstock.cli.submit;

import io.penstock.catalog.Catalog;
import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.dataset.DatasetPaths;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.cli.job.JobJson;
import io.penstock.cli.job.JobRecords;
import io.penstock.cli.job.JobText;
import io.penstock.cli.job.JobView;
import io.penstock.cli.past.ResumePoint;
import io.penstock.config.Settings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.JobStore;
import io.penstock.model.Cursor;
import io.penstock.model.RankRange;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Submits a job and follows it to its end. */
@CommandLine.Command(
    description = {
      "Submits a job to YARN and follows it to its end.",
      "",
      "The feed is checked against the footers of its dataset first. Ctrl-C kills the job, unless"
          + " it was detached.",
      ""
    })
public final class SubmitCommand implements Command {
  private static final int BEFORE_ANY_ATTEMPT = 0;

  private final FeedCheck check;

  @Option(
      names = "--feed",
      paramLabel = "FILE",
      description = "The feed file; with --resume it may be left out, and only epochs may differ.")
  private String feed;

  @Option(
      names = "--ranks",
      paramLabel = "N|MIN:MAX",
      description =
          "Consumers, each in a container of its own; must divide the feed's batch. With MIN:MAX"
              + " the job goes on with fewer than MAX where YARN has no more containers, and with"
              + " more at a later restart. With --resume those of the job unless given.")
  private String ranks;

  @Option(
      names = "--resume",
      paramLabel = "APP",
      description =
          "Go on from this job's committed cursor, with its feed and its files as they were.")
  private String resume;

  @Option(
      names = "--from",
      paramLabel = "EPOCH:STEP",
      description = "With --resume: go on from this step, which the job has committed.")
  private String from;

  @Option(
      names = "--gpus-per-rank",
      paramLabel = "N",
      description = "GPUs of each rank; 1 unless set (penstock.container.gpus).")
  private String gpus;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Memory of each rank, such as 4g (penstock.container.memory).")
  private String memory;

  @Option(
      names = "--vcores",
      paramLabel = "N",
      description = "Vcores of each rank (penstock.container.vcores).")
  private String vcores;

  @Option(
      names = "--node-label",
      paramLabel = "LABEL",
      description = "Node label expression (penstock.submit.node-label).")
  private String nodeLabel;

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description = "YARN queue (penstock.submit.queue).")
  private String queue;

  @Option(names = "--name", paramLabel = "NAME", description = "The job's name, for people.")
  private String name;

  @Option(names = "--detach", description = "Return when YARN has taken the job.")
  private boolean detach;

  @Option(names = "--json", description = "Print the job as JSON in the end.")
  private boolean json;

  /**
   * @param check done before anything is submitted
   */
  public SubmitCommand(FeedCheck check) {
    this.check = check;
  }

  @Override
  public ExitCode run(CommandContext context) throws IOException, InterruptedException {
    Configuration configuration = context.configuration();
    Settings settings = settings(configuration);
    String home = System.getProperty("penstock.home");
    if (home == null) {
      throw new UsageException("submit runs from a distribution only: bin/penstock or yarn jar");
    }
    Distribution distribution = Distribution.of(Path.of(home));
    Optional<Resume> resumed = resumed(context);
    FeedFile file =
        resumed.isPresent() ? resumed.get().file() : FeedFile.read(feed, configuration, settings);
    RankRange wanted = ranks != null ? RankRange.parse(ranks) : resumed.orElseThrow().ranks();
    wanted.check(file.feed().order().batch());
    Submission submission =
        new Submission(
            name != null ? name : resumed.map(Resume::name).orElseGet(() -> jobName(feed)),
            file,
            wanted,
            UserGroupInformation.getCurrentUser().getShortUserName(),
            settings);
    try (Coordination coordination = JobRecords.connect(settings)) {
      Catalog catalog =
          resumed.isPresent()
              ? resumed.get().past().prepared().catalog()
              : DatasetPaths.catalog(file.feed(), configuration, settings);
      check.check(file.feed(), catalog, wanted, settings);
      Map<String, byte[]> more = resumed.map(Resume::files).orElse(Map.of());
      try (Submitter submitter = Submitter.open(configuration, submission, more)) {
        if (resume != null) {
          refuseIfAtWork(submitter.cluster());
        }
        String application = submitter.newApplication();
        StaleStaging.sweep(context);
        OldHistory.sweep(context);
        JobStore store = coordination.job(application);
        try (Interruption interruption = Interruption.guard(context.console(), submitter, store)) {
          submit(context.console(), coordination, submitter, distribution, store);
          return detach
              ? leave(context.console(), application, interruption)
              : follow(context.console(), submitter, store, interruption);
        }
      }
    }
  }

  /** YARN may be about to start its ApplicationMaster again. */
  private void refuseIfAtWork(Cluster cluster) throws InterruptedException {
    boolean atWork =
        cluster
            .report(resume)
            .filter(r -> r.getFinalApplicationStatus() == FinalApplicationStatus.UNDEFINED)
            .isPresent();
    if (atWork) {
      throw new UsageException(
          "application %1$s has not ended; end it by: penstock kill %1$s".formatted(resume));
    }
  }

  private Optional<Resume> resumed(CommandContext context) {
    if (resume != null) {
      Optional<Cursor> begin = Optional.ofNullable(from).map(ResumePoint::parse);
      return Optional.of(Resume.of(resume, Optional.ofNullable(feed), begin, context));
    }
    if (from != null) {
      throw new UsageException("goes with --resume APP only: --from=" + from);
    }
    if (feed == null || ranks == null) {
      throw new UsageException("takes --feed FILE and --ranks N, or --resume APP");
    }
    return Optional.empty();
  }

  /** Submits; from then on ZooKeeper knows the job, whether its ApplicationMaster comes or not. */
  private static void submit(
      Console console,
      Coordination coordination,
      Submitter submitter,
      Distribution distribution,
      JobStore store)
      throws InterruptedException {
    store.takeOver(BEFORE_ANY_ATTEMPT, "submit");
    boolean done = false;
    try {
      submitter.submit(distribution, console);
      done = true;
    } finally {
      if (!done) {
        coordination.removeJob(store.application());
      }
    }
    console.note(
        "submitted %1$s; see it with: penstock inspect %1$s".formatted(store.application()));
  }

  private static ExitCode leave(Console console, String application, Interruption interruption) {
    interruption.disarm();
    if (console.format() == Format.JSON) {
      console.json(Map.of("application", application));
    } else {
      console.print(application);
    }
    return ExitCode.DONE;
  }

  private static ExitCode follow(
      Console console, Submitter submitter, JobStore store, Interruption interruption)
      throws InterruptedException {
    Outcome outcome = new JobWatch(store, submitter.cluster(), console).await();
    interruption.disarm();
    outcome.settle(store, System.currentTimeMillis());
    submitter.removeStaging();
    report(console, JobView.read(store), outcome);
    return outcome.code();
  }

  private static void report(Console console, JobView job, Outcome outcome) {
    if (console.format() == Format.JSON) {
      Map<String, Object> all = new LinkedHashMap<>(JobJson.of(job));
      all.put("exit_code", outcome.code().code());
      console.json(all);
    } else {
      job.feeds().values().forEach(f -> JobText.epochs(f).forEach(console::print));
      console.print(job.application() + "  " + job.stateName());
    }
    if (outcome.code() != ExitCode.DONE) {
      outcome
          .reason()
          .lines()
          .filter(line -> !line.isBlank())
          .forEach(line -> console.note("penstock: " + line));
      console.note("logs of its containers: yarn logs -applicationId " + job.application());
    }
  }

  private Settings settings(Configuration configuration) {
    set(configuration, "penstock.container.gpus", gpus);
    set(configuration, "penstock.container.memory", memory);
    set(configuration, "penstock.container.vcores", vcores);
    set(configuration, "penstock.submit.node-label", nodeLabel);
    set(configuration, "penstock.submit.queue", queue);
    return Settings.read(configuration);
  }

  private static void set(Configuration configuration, String setting, String value) {
    if (value != null) {
      configuration.set(setting, value, "command line");
    }
  }

  /** {@code rides} of {@code examples/rides/feed.yaml}, {@code x} of {@code x.yaml}. */
  private static String jobName(String feed) {
    String[] parts = feed.split("/");
    String last = parts[parts.length - 1].replaceFirst("\\.ya?ml$", "");
    return last.equals("feed") && parts.length > 1 ? parts[parts.length - 2] : last;
  }
}
