package io.penstock.cli.commands;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.dataset.DatasetPaths;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.config.Settings;
import io.penstock.container.PreparedFeed;
import io.penstock.feed.Feed;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What a run would deliver and in which order, without reading a row. */
@CommandLine.Command(
    description = {
      "Says what a run would deliver, and in which order, without reading a row.",
      "",
      "  plan --feed FILE [--ranks N] [--epoch E]                            a feed's dataset",
      "  plan --row-groups 120,77,300 --seed 42 --lanes 4 --batch 32 [...]   without a dataset",
      "  plan --cases FILE.json                                              many of those",
      ""
    })
final class PlanCommand implements Command {
  private static final long EPOCH_END = 1L << 32;

  @Option(names = "--feed", paramLabel = "FILE", description = "The feed; only footers are read.")
  private String feed;

  @Option(names = "--ranks", paramLabel = "N", description = "Ranks; 1 unless given.")
  private Integer ranks;

  @Option(
      names = "--epoch",
      paramLabel = "E",
      description = "Which epoch's lanes to show, and the digest of its order.")
  private Long epoch;

  @Option(
      names = "--row-groups",
      paramLabel = "N,N,...",
      description = "Rows of each row group, in catalog order.")
  private String rowGroups;

  @Option(names = "--seed", paramLabel = "S", description = "0 <= S < 2^63.")
  private String seed;

  @Option(names = "--lanes", paramLabel = "N", description = "Canonical sub-streams of the run.")
  private String lanes;

  @Option(
      names = "--batch",
      paramLabel = "B",
      description = "Rows of the global batch, a multiple of the lanes.")
  private String batch;

  @Option(
      names = "--window",
      paramLabel = "K",
      description = "Row-group pieces that are mixed together; 8 unless given.")
  private String window;

  @Option(
      names = "--shuffle",
      paramLabel = "HOW",
      description = "none, row-groups or rows (unless given).")
  private String shuffle;

  @Option(names = "--deal", paramLabel = "HOW", description = "fixed (unless given) or epoch.")
  private String deal;

  @Option(names = "--remainder", paramLabel = "HOW", description = "drop (unless given) or pad.")
  private String remainder;

  @Option(names = "--epochs", paramLabel = "E,E,...", description = "Which epochs; 0 unless given.")
  private String epochs;

  @Option(
      names = "--cases",
      paramLabel = "FILE",
      description =
          "An array of cases with the fields rows, seed, lanes, batch, window, shuffle, deal,"
              + " remainder and want_epochs; it is printed with `epochs` filled in.")
  private Path cases;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public ExitCode run(CommandContext context) throws IOException {
    Map<String, String> given = new LinkedHashMap<>();
    give(given, "rows", rowGroups);
    give(given, "seed", seed);
    give(given, "lanes", lanes);
    give(given, "batch", batch);
    give(given, "window", window);
    give(given, "shuffle", shuffle);
    give(given, "deal", deal);
    give(given, "remainder", remainder);
    give(given, "want_epochs", epochs);
    if (feed != null) {
      if (!given.isEmpty() || cases != null) {
        throw new UsageException(
            "--feed says everything itself: --" + (cases != null ? "cases" : first(given)));
      }
      printDataset(context);
      return ExitCode.DONE;
    }
    if (ranks != null || epoch != null) {
      throw new UsageException("--ranks and --epoch go with --feed");
    }
    if (cases != null) {
      if (!given.isEmpty()) {
        throw new UsageException("--cases takes everything from the file: --" + first(given));
      }
      printCases(context.console(), PlanCases.read(cases));
      return ExitCode.DONE;
    }
    if (rowGroups == null) {
      throw new UsageException("needs one of --feed, --row-groups and --cases");
    }
    printCase(context.console(), PlanCases.ofOptions(given));
    return ExitCode.DONE;
  }

  private void printDataset(CommandContext context) {
    if (epoch != null && (epoch < 0 || epoch >= EPOCH_END)) {
      throw new UsageException("must be >= 0 and < 2^32: --epoch=" + epoch);
    }
    Configuration configuration = context.configuration();
    Settings settings = context.settings();
    Feed parsed = FeedFile.read(feed, configuration, settings).feed();
    PreparedFeed prepared =
        PreparedFeed.of(parsed, DatasetPaths.catalog(parsed, configuration, settings));
    DatasetPlan plan =
        DatasetPlan.of(prepared, ranks == null ? 1 : ranks, Optional.ofNullable(epoch), settings);
    if (context.console().format() == Format.JSON) {
      context.console().json(plan.json());
    } else {
      plan.lines().forEach(context.console()::print);
    }
  }

  private static void give(Map<String, String> given, String field, String value) {
    if (value != null) {
      given.put(field, value);
    }
  }

  private static String first(Map<String, String> given) {
    return PlanCases.option(given.keySet().iterator().next());
  }

  private static void printCase(Console console, PlanCase one) {
    if (console.format() == Format.JSON) {
      console.json(one.filledIn());
    } else {
      one.lines().forEach(console::print);
    }
  }

  private static void printCases(Console console, List<PlanCase> all) {
    if (console.format() == Format.TEXT) {
      for (int i = 0; i < all.size(); i++) {
        console.print((i == 0 ? "" : "\n") + "case " + i);
        all.get(i).lines().forEach(console::print);
      }
      return;
    }
    List<ObjectNode> filled = new ArrayList<>();
    all.forEach(one -> filled.add(one.filledIn()));
    ArrayNode array = PlanCases.JSON.createArrayNode();
    array.addAll(filled);
    console.json(array);
  }
}
