package io.penstock.cli.commands;

import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.job.JobChanges;
import io.penstock.cli.job.JobJson;
import io.penstock.cli.job.JobRecords;
import io.penstock.cli.job.JobText;
import io.penstock.cli.job.JobView;
import io.penstock.cli.submit.JobLookup;
import io.penstock.cli.submit.StaleStaging;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.JobStore;
import io.penstock.history.PastJob;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a job. */
@CommandLine.Command(
    description =
        "Shows a job from ZooKeeper, else from its history, also after it has ended: state, ranks,"
            + " digests, why.")
final class InspectCommand implements Command {
  private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(30);

  @Parameters(paramLabel = "APP", description = "Its application id.")
  private String application;

  @Option(names = "--json", description = "Print JSON; with --watch, when the job has ended.")
  private boolean json;

  @Option(names = "--watch", description = "Show it again at each change until it has ended.")
  private boolean watch;

  @Override
  public ExitCode run(CommandContext context) throws InterruptedException {
    Console console = context.console();
    try (Coordination coordination = JobRecords.connect(context.settings())) {
      JobView job = job(context, coordination);
      if (console.format() == Format.JSON) {
        console.json(JobJson.of(job));
      } else if (!watch) {
        JobText.of(job).forEach(console::print);
      }
    }
    StaleStaging.sweep(context);
    return ExitCode.DONE;
  }

  private JobView job(CommandContext context, Coordination coordination)
      throws InterruptedException {
    JobStore store;
    try {
      store = JobLookup.find(coordination, context, application);
    } catch (UsageException unknown) {
      return past(context).orElseThrow(() -> unknown);
    }
    return watch ? watch(context, coordination, store) : JobView.read(store);
  }

  private Optional<JobView> past(CommandContext context) {
    try (PastJob job =
        PastJob.open(application, context.configuration(), context.settings().history())) {
      context.console().note("ZooKeeper does not know " + application + "; from its history");
      JobView view = JobView.of(job.history());
      if (watch && context.console().format() == Format.TEXT) {
        JobText.of(view).forEach(context.console()::print);
      }
      return Optional.of(view);
    } catch (UsageException | UnreachableException e) {
      return Optional.empty();
    }
  }

  private static JobView watch(CommandContext context, Coordination coordination, JobStore store)
      throws InterruptedException {
    Console console = context.console();
    try (JobChanges changes = JobChanges.of(store)) {
      while (true) {
        changes.await(AT_LEAST_EVERY);
        JobView job = JobView.read(JobLookup.find(coordination, context, store.application()));
        if (console.format() == Format.JSON) {
          console.note(JobText.progress(job));
        } else {
          JobText.of(job).forEach(console::print);
          console.print("");
        }
        if (job.isFinal() || !console.flush()) {
          return job;
        }
      }
    }
  }
}
