package io.penstock.cli.commands;

import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.job.JobRecords;
import io.penstock.cli.job.JobView;
import io.penstock.cli.submit.Cluster;
import io.penstock.cli.submit.JobKill;
import io.penstock.cli.submit.JobLookup;
import io.penstock.cli.submit.StaleStaging;
import io.penstock.config.Settings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.JobStore;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Kills a job. */
@CommandLine.Command(description = "Ends a job as killed.")
final class KillCommand implements Command {
  @Parameters(paramLabel = "APP", description = "Its application id.")
  private String application;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public ExitCode run(CommandContext context) throws InterruptedException {
    Settings settings = context.settings();
    try (Coordination coordination = JobRecords.connect(settings);
        Cluster cluster = Cluster.connect(context.configuration(), settings.submit())) {
      JobStore store = JobLookup.find(coordination, context, application);
      boolean killed = JobKill.kill(store, cluster, "killed by a command");
      print(context.console(), JobView.read(store), killed);
    }
    StaleStaging.sweep(context);
    return ExitCode.DONE;
  }

  private static void print(Console console, JobView job, boolean killed) {
    if (console.format() == Format.JSON) {
      console.json(
          Map.of("application", job.application(), "killed", killed, "state", job.stateName()));
    } else {
      console.print(
          job.application() + (killed ? " was killed" : " had ended before: " + job.stateName()));
    }
  }
}
