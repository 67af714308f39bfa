package io.penstock.cli.commands;

import io.penstock.catalog.CatalogChanges;
import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.past.BlockPair;
import io.penstock.cli.past.PlannedOrder;
import io.penstock.cli.past.RecordedFeed;
import io.penstock.cli.past.RecordedJob;
import io.penstock.coordination.Json;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.history.Block;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.PenstockException;
import io.penstock.model.UsageException;
import io.penstock.plan.Plan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private static final int CHANGES_SHOWN = 10;

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
      if (applications.size() == 2) {
        try (RecordedJob other = RecordedJob.open(applications.get(1), context)) {
          compare(job, other, again, findings);
        }
      } else {
        for (String name : job.feeds()) {
          RecordedFeed feed = job.feed(name);
          if (certificate != null) {
            Files.writeString(
                certificate, Json.text(CertificateJson.of(feed)), StandardCharsets.UTF_8);
            findings.note("written    " + certificate);
          }
          if (deep) {
            deep(feed, again, findings);
          } else {
            order(feed, findings);
          }
        }
      }
    }
    return findings.print(context.console());
  }

  private static void compare(
      RecordedJob job, RecordedJob other, ReadAgain again, Findings findings) {
    if (!job.feeds().equals(other.feeds())) {
      throw new UsageException(
          "the jobs have feeds of other names: %s and %s".formatted(job.feeds(), other.feeds()));
    }
    for (String name : job.feeds()) {
      new JobComparison(job.feed(name), other.feed(name), again, findings).compare();
    }
  }

  private static void order(RecordedFeed feed, Findings findings) {
    Plan plan = feed.prepared().plan();
    feed.origin()
        .ifPresent(
            from ->
                findings.note(
                    "           went on from %s at %s"
                        .formatted(from.application(), from.cursor())));
    for (EpochRecord done : feed.epochs()) {
      Digest128 planned = PlannedOrder.digest(plan, done.epoch(), 0, plan.steps());
      findings.digest("epoch " + done.epoch(), "order", planned.hex(), done.order().hex());
      if (!planned.equals(done.order())) {
        firstBlock(feed, done.epoch(), findings);
      }
    }
    Cursor cursor = feed.agreed().cursor();
    if (cursor.step() > 0) {
      Digest128 planned = PlannedOrder.digest(plan, cursor.epoch(), 0, cursor.step());
      Digest128 found = feed.agreed().sums().order();
      findings.digest(
          "epoch %d, steps 0:%d".formatted(cursor.epoch(), cursor.step()),
          "order",
          planned.hex(),
          found.hex());
      if (!planned.equals(found)) {
        firstBlock(feed, cursor.epoch(), findings);
      }
    }
    if (feed.epochs().isEmpty() && cursor.step() == 0) {
      findings.note("nothing was committed yet");
    }
  }

  private static void firstBlock(RecordedFeed feed, long epoch, Findings findings) {
    for (Block block : feed.blocks(epoch)) {
      Digest128 planned =
          PlannedOrder.digest(feed.prepared().plan(), epoch, block.from(), block.to());
      if (!planned.equals(block.sums().order())) {
        findings.difference(
            "the first block that differs: epoch %d, steps %d:%d"
                .formatted(epoch, block.from(), block.to()));
        return;
      }
    }
    findings.note("           none of the blocks that are known differs");
  }

  private void deep(RecordedFeed feed, ReadAgain again, Findings findings) {
    StepRange range = StepRange.parse(steps);
    range.check(feed.prepared().plan().steps());
    List<Block> known = feed.blocks(epoch);
    List<Block> blocks =
        known.stream().filter(b -> b.to() > range.first() && b.from() < range.end()).toList();
    if (blocks.isEmpty()) {
      throw new UsageException(
          "job %s has no block of epoch %d with any of the steps %s; it committed up to %s"
              .formatted(feed.application(), epoch, steps, feed.agreed().cursor()));
    }
    changes(feed, again, findings);
    Map<Block, ReadAgain.Digests> read = new TreeMap<>(VerifyCommand::byStep);
    try {
      again.each(
          feed,
          epoch,
          blocks.get(0).from(),
          blocks.get(blocks.size() - 1).to(),
          slot -> {
            long step = slot.record().step();
            for (Block block : blocks) {
              if (block.from() <= step && step < block.to()) {
                read.put(block, read.getOrDefault(block, ReadAgain.Digests.NONE).plus(slot));
              }
            }
          });
    } catch (PenstockException e) {
      findings.difference("the data can't be read again: " + e.getMessage());
      return;
    }
    read.forEach((block, digests) -> block(block, digests, findings));
  }

  private static void block(Block block, ReadAgain.Digests digests, Findings findings) {
    String what = "epoch %d, steps %d:%d".formatted(block.epoch(), block.from(), block.to());
    findings.digest(what, "order", digests.order().hex(), block.sums().order().hex());
    if (BlockPair.valuesEqual(block.sums().values(), digests.values())
        && !block.sums().values().equals(digests.values())) {
      findings.note("unknown    " + what + ": values digests were off");
    } else {
      findings.digest(what, "values", digests.values().hex(), block.sums().values().hex());
    }
  }

  private static int byStep(Block a, Block b) {
    return Long.compare(a.from(), b.from());
  }

  private static void changes(RecordedFeed feed, ReadAgain again, Findings findings) {
    List<String> changes =
        CatalogChanges.of(
            feed.prepared().catalog(), again.configuration(), again.settings().catalog());
    changes.stream().limit(CHANGES_SHOWN).forEach(findings::difference);
    if (changes.size() > CHANGES_SHOWN) {
      findings.difference("and %d more files".formatted(changes.size() - CHANGES_SHOWN));
    }
  }
}
