package io.penstock.cli.commands;

import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.console.Table;
import io.penstock.cli.job.JobJson;
import io.penstock.cli.job.JobRecords;
import io.penstock.cli.job.JobText;
import io.penstock.cli.job.JobView;
import io.penstock.cli.submit.JobLookup;
import io.penstock.cli.submit.StaleStaging;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.coordination.records.JobSpec;
import io.penstock.coordination.records.JobState;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Lists the jobs that left a record. */
@CommandLine.Command(
    description = "Lists the jobs that ZooKeeper knows, those that have ended too.")
final class JobsCommand implements Command {
  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public ExitCode run(CommandContext context) throws InterruptedException {
    try (Coordination coordination = JobRecords.connect(context.settings())) {
      print(context.console(), JobLookup.all(coordination, context));
    }
    StaleStaging.sweep(context);
    return ExitCode.DONE;
  }

  private static void print(Console console, List<JobView> jobs) {
    if (console.format() == Format.JSON) {
      console.json(Map.of("jobs", jobs.stream().map(JobJson::summary).toList()));
      return;
    }
    Table table =
        new Table("application", "name", "user", "state", "ranks", "attempts", "submitted", "at");
    for (JobView job : jobs) {
      table.add(
          job.application(),
          job.spec().map(JobSpec::name).orElse("-"),
          job.spec().map(JobSpec::user).orElse("-"),
          job.stateName(),
          job.spec()
              .map(s -> s.feeds().values().stream().mapToInt(FeedSpec::ranks).sum())
              .map(String::valueOf)
              .orElse("-"),
          job.state().map(JobState::attempts).orElse(0),
          job.spec().map(s -> JobText.time(s.submittedMillis())).orElse("-"),
          JobText.progress(job) + JobText.resumed(job).map(from -> "  " + from).orElse(""));
    }
    if (table.isEmpty()) {
      console.note("no jobs");
    } else {
      table.lines().forEach(console::print);
    }
  }
}
