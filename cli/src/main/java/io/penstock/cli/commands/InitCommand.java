package io.penstock.cli.commands;

import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.starter.Starter;
import io.penstock.cli.starter.Starter.Proposal;
import io.penstock.feed.TensorFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a first feed for a dataset. */
@CommandLine.Command(
    description = {
      "Writes a starter feed for a dataset, with comments, from its schema and its first row group.",
      "A path without a scheme is on fs.defaultFS, as everywhere in Hadoop."
    })
final class InitCommand implements Command {
  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files, folders or globs.")
  private List<String> paths;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The feed file to write; feed.yaml unless given.")
  private Path out = Path.of("feed.yaml");

  @Option(names = "--force", description = "Overwrite the feed file if it is there.")
  private boolean force;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public ExitCode run(CommandContext context) throws IOException {
    NewFile file = new NewFile(out, "--out", force);
    file.check();
    Configuration configuration = context.configuration();
    List<String> whole = new ArrayList<>();
    for (String path : paths) {
      whole.add(absolute(path, configuration));
    }
    Proposal proposal = Starter.propose(whole, configuration, context.settings());
    file.write(proposal.text());
    print(context.console(), proposal);
    return ExitCode.DONE;
  }

  /** A feed lives longer than the folder that this command runs in. */
  private static String absolute(String path, Configuration configuration) throws IOException {
    if (path.startsWith("/") || path.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
      return path;
    }
    try (FileSystem fileSystem = FileSystem.newInstance(configuration)) {
      return fileSystem.makeQualified(new org.apache.hadoop.fs.Path(path)).toString();
    }
  }

  private void print(Console console, Proposal proposal) {
    List<TensorFeed> tensors = proposal.feed().tensors();
    if (console.format() == Format.JSON) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("feed", out.toString());
      all.put("feed_digest", proposal.feed().digest());
      all.put("tensors", tensors.stream().map(TensorFeed::name).toList());
      all.put("not_used", proposal.unused());
      console.json(all);
      return;
    }
    console.print("written to " + out);
    tensors.forEach(
        tensor ->
            console.print(
                "  %s: %s of %d columns"
                    .formatted(tensor.name(), tensor.dtype().text(), tensor.columns().size())));
    proposal.unused().forEach((path, why) -> console.print("  not used: " + path + ": " + why));
    console.print("next: penstock plan --feed " + out);
  }
}
