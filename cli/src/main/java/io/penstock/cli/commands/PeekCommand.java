package io.penstock.cli.commands;

import io.penstock.catalog.CatalogChanges;
import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.dataset.DatasetPaths;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.cli.past.RecordedFeed;
import io.penstock.cli.past.RecordedJob;
import io.penstock.config.Settings;
import io.penstock.container.LocalBatches;
import io.penstock.container.PreparedFeed;
import io.penstock.container.slots.FullSlots.FullSlot;
import io.penstock.container.slots.Slot;
import io.penstock.container.slots.SlotLayout;
import io.penstock.feed.Feed;
import io.penstock.model.Digest128;
import io.penstock.model.RankSlice;
import io.penstock.model.TensorSpec;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes global batches on this machine, exactly as a job would deliver them. */
@CommandLine.Command(
    description = {
      "Makes the global batches that a job would deliver, on this machine, without YARN and"
          + " ZooKeeper, and prints them or writes them as NumPy arrays.",
      ""
    })
final class PeekCommand implements Command {
  private static final long EPOCH_END = 1L << 32;

  @Parameters(
      arity = "0..1",
      paramLabel = "APP",
      description = "A past job, whose batches are made from its history and its data.")
  private String application;

  @Option(names = "--feed", paramLabel = "FILE", description = "The feed file, if no job is given.")
  private String feed;

  @Option(
      names = "--feed-name",
      paramLabel = "NAME",
      description = "Which of the feeds of the past job; needed where it has several.")
  private String feedName;

  @Option(
      names = "--rank",
      paramLabel = "R",
      description = "Only the rows that rank R of --ranks gets.")
  private Integer rank;

  @Option(
      names = "--ranks",
      paramLabel = "W",
      description = "Of how many ranks; those that the job was asked for unless given.")
  private Integer ranks;

  @Option(
      names = "--step",
      required = true,
      paramLabel = "T[:U]",
      description = "Step T, or the steps T up to, not including, U.")
  private String step;

  @Option(names = "--epoch", paramLabel = "E", description = "Of which epoch; 0 unless given.")
  private long epoch;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write TENSOR.npy, row.npy, position.npy and valid.npy into this folder, the steps end"
              + " to end.")
  private Path out;

  @Option(names = "--json", description = "Print digests, steps and tensors as JSON.")
  private boolean json;

  @Override
  public ExitCode run(CommandContext context) throws IOException {
    StepRange steps = StepRange.parse(step);
    if (epoch < 0 || epoch >= EPOCH_END) {
      throw new UsageException("must be >= 0 and < 2^32: --epoch=" + epoch);
    }
    Configuration configuration = context.configuration();
    configuration.set("penstock.batch.values-digest", "on");
    Settings settings = context.settings();
    if ((application == null) == (feed == null)) {
      throw new UsageException("takes either the id of a job or --feed");
    }
    if (feedName != null && application == null) {
      throw new UsageException("goes with the id of a job only: --feed-name=" + feedName);
    }
    PreparedFeed prepared = prepared(context, settings);
    RankSlice slice = slice(prepared);
    long perEpoch = prepared.plan().steps();
    steps.check(perEpoch);
    Digest128 order = Digest128.ZERO;
    Digest128 values = Digest128.ZERO;
    try (LocalBatches batches =
            LocalBatches.open(
                prepared,
                slice,
                steps.start(epoch),
                steps.end(epoch, perEpoch),
                configuration,
                settings);
        BatchSink sink = sink(context.console(), batches.layout(), steps)) {
      for (Optional<FullSlot> taken = batches.take(); taken.isPresent(); taken = batches.take()) {
        try (FullSlot full = taken.get()) {
          Slot slot = full.slot();
          order = order.plus(slot.record().order());
          values = values.plus(slot.record().values());
          sink.accept(slot);
        }
      }
    }
    print(context.console(), prepared, steps, order, values);
    return ExitCode.DONE;
  }

  private PreparedFeed prepared(CommandContext context, Settings settings) {
    if (feed != null) {
      Feed parsed = FeedFile.read(feed, context.configuration(), settings).feed();
      return PreparedFeed.of(
          parsed, DatasetPaths.catalog(parsed, context.configuration(), settings));
    }
    try (RecordedJob job = RecordedJob.open(application, context)) {
      RecordedFeed past = job.feed(feedOf(job));
      if (rank != null && ranks == null) {
        ranks = past.spec().ranks();
      }
      List<String> changes =
          CatalogChanges.of(past.prepared().catalog(), context.configuration(), settings.catalog());
      if (!changes.isEmpty()) {
        throw new UsageException(
            "the data are not those of %s any more: a file %s%s"
                .formatted(
                    application,
                    changes.get(0),
                    changes.size() == 1 ? "" : ", and %d more".formatted(changes.size() - 1)));
      }
      return past.prepared();
    }
  }

  private String feedOf(RecordedJob job) {
    if (feedName != null) {
      return job.feedNamed(feedName);
    }
    if (job.feeds().size() > 1) {
      throw new UsageException(
          "job %s has several feeds: --feed-name, one of %s"
              .formatted(application, String.join(", ", job.feeds())));
    }
    return job.feeds().get(0);
  }

  private RankSlice slice(PreparedFeed prepared) {
    if (rank == null && ranks == null) {
      return new RankSlice(0, 1);
    }
    if (rank == null || ranks == null) {
      throw new UsageException("--rank R and --ranks W go together");
    }
    RankSlice.check(ranks, prepared.plan().order().batch());
    if (rank < 0 || rank >= ranks) {
      throw new UsageException("must be 0 <= rank < %d: --rank=%d".formatted(ranks, rank));
    }
    return new RankSlice(rank, ranks);
  }

  private BatchSink sink(Console console, SlotLayout layout, StepRange steps) throws IOException {
    if (out != null) {
      return NpyFolder.create(out, layout, steps.count());
    }
    return console.format() == Format.JSON
        ? new BatchText(line -> {})
        : new BatchText(console::print);
  }

  private void print(
      Console console, PreparedFeed prepared, StepRange steps, Digest128 order, Digest128 values) {
    if (console.format() == Format.TEXT) {
      console.print("epoch %d steps %d:%d".formatted(epoch, steps.first(), steps.end()));
      console.print("order digest   " + order);
      console.print("values digest  " + values);
      if (out != null) {
        console.print("written to     " + out);
      }
      return;
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("feed_digest", prepared.feed().digest());
    all.put("catalog_digest", prepared.catalog().digest());
    all.put("epoch", epoch);
    all.put("first_step", steps.first());
    all.put("steps", steps.count());
    all.put("order_digest", order.hex());
    all.put("values_digest", values.hex());
    long rows = steps.count() * (prepared.plan().order().batch() / slice(prepared).ranks());
    all.put("tensors", prepared.bound().specs().stream().map(spec -> tensor(spec, rows)).toList());
    console.json(all);
  }

  private static Map<String, Object> tensor(TensorSpec spec, long rows) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", spec.name());
    json.put("dtype", spec.dtype().text());
    json.put("shape", NpyFolder.shape(spec, rows));
    return json;
  }
}
