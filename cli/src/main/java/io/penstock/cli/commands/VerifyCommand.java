package io.penstock.cli.commands;

import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.past.RecordedFeed;
import io.penstock.cli.past.RecordedJob;
import io.penstock.coordination.Json;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks what jobs delivered against the contract, against each other, and against the data. */
@CommandLine.Command(
    description = {
      "Recomputes the order digest of every epoch of a job from its feed and catalog, and compares"
          + " it with what the job delivered. With two jobs: compares them and says where they"
          + " part. With --deep: reads the data again and compares values too.",
      "",
      "Everything comes from the jobs' history, so it works after a job and its dataset are gone."
          + " Exit code 1 on any difference.",
      ""
    })
final class VerifyCommand implements Command {
  @Parameters(arity = "1..2", paramLabel = "APP", description = "One or two application ids.")
  private List<String> applications;

  @Option(names = "--deep", description = "Read the data of --steps again and compare values.")
  private boolean deep;

  @Option(
      names = "--steps",
      paramLabel = "A:B",
      description = "With --deep: steps A up to, not including, B, and the rest of their blocks.")
  private String steps;

  @Option(names = "--epoch", paramLabel = "E", description = "With --deep: which; 0 unless given.")
  private long epoch;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "Write the job's certificate for python -m penstock.order verify FILE.")
  private Path certificate;

  @Option(
      names = "--feed-name",
      paramLabel = "NAME",
      description = "Only this one of the feeds of the job.")
  private String feedName;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public ExitCode run(CommandContext context) throws IOException {
    if (deep != (steps != null)) {
      throw new UsageException("--deep and --steps A:B go together");
    }
    if (applications.size() == 2 && (deep || certificate != null)) {
      throw new UsageException("--deep and --certificate take one application");
    }
    Configuration configuration = context.configuration();
    configuration.set("penstock.batch.values-digest", "on");
    ReadAgain again = new ReadAgain(configuration, context.settings());
    Findings findings = new Findings();
    try (RecordedJob job = RecordedJob.open(applications.get(0), context)) {
      List<String> names = names(job);
      if (applications.size() == 2) {
        try (RecordedJob other = RecordedJob.open(applications.get(1), context)) {
          compare(job, other, names, again, findings);
        }
      } else {
        for (String name : names) {
          prove(job.feed(name), names, again, findings);
        }
      }
    }
    return findings.print(context.console());
  }

  private List<String> names(RecordedJob job) {
    if (feedName != null) {
      return List.of(job.feedNamed(feedName));
    }
    if (certificate != null && job.feeds().size() > 1) {
      throw new UsageException(
          "--certificate is of one feed: --feed-name, one of " + String.join(", ", job.feeds()));
    }
    return job.feeds();
  }

  private void prove(RecordedFeed feed, List<String> names, ReadAgain again, Findings findings)
      throws IOException {
    if (certificate != null) {
      Files.writeString(certificate, Json.text(CertificateJson.of(feed)), StandardCharsets.UTF_8);
      findings.note("written    " + certificate);
    }
    FeedProof proof =
        new FeedProof(feed, names.size() > 1 ? "feed " + feed.name() + ", " : "", findings);
    if (deep) {
      proof.deep(StepRange.parse(steps), epoch, again);
    } else {
      proof.order();
    }
  }

  private void compare(
      RecordedJob job, RecordedJob other, List<String> names, ReadAgain again, Findings findings) {
    if (feedName == null && !job.feeds().equals(other.feeds())) {
      throw new UsageException(
          "the jobs have feeds of other names: %s and %s".formatted(job.feeds(), other.feeds()));
    }
    for (String name : names) {
      new JobComparison(job.feed(name), other.feed(other.feedNamed(name)), again, findings)
          .compare();
    }
  }
}
