package io.penstock.cli.commands;

import io.penstock.catalog.CheckReport;
import io.penstock.catalog.CheckReport.FileReport;
import io.penstock.cli.console.Amounts;
import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.dataset.DatasetPaths;
import io.penstock.config.Settings;
import io.penstock.model.ColumnSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says which files can be read. */
@CommandLine.Command(
    description = {
      "Says which files Penstock can read: rows, row groups and columns with their types, or why not.",
      "A path without a scheme is on fs.defaultFS, as everywhere in Hadoop."
    })
final class CheckCommand implements Command {
  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files, folders or globs.")
  private List<String> paths;

  @Option(names = "--deep", description = "Decode every page of every column too.")
  private boolean deep;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public ExitCode run(CommandContext context) {
    Configuration configuration = context.configuration();
    Settings settings = context.settings();
    CheckReport report =
        DatasetPaths.hinted(
            paths, configuration, () -> CheckReport.read(paths, configuration, settings.catalog()));
    if (deep) {
      try (DeepCheck check = new DeepCheck(configuration, settings)) {
        report =
            new CheckReport(
                report.files().stream()
                    .map(file -> file.readable() ? check.check(file) : file)
                    .toList());
      }
    }
    Console console = context.console();
    if (console.format() == Format.JSON) {
      console.json(Map.of("files", report.files().stream().map(CheckCommand::json).toList()));
    } else {
      report.files().forEach(file -> print(console, file));
      long unreadable = report.files().stream().filter(file -> !file.readable()).count();
      console.print("%d files, %d can't be read".formatted(report.files().size(), unreadable));
    }
    return report.allReadable() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static Map<String, Object> json(FileReport file) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("path", file.path());
    json.put("readable", file.readable());
    json.put("rows", file.rows());
    json.put("row_groups", file.rowGroups());
    json.put("columns", file.columns().stream().map(CheckCommand::json).toList());
    json.put("error", file.error().orElse(null));
    return json;
  }

  private static Map<String, Object> json(ColumnSchema column) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", column.path());
    json.put("type", column.type().map(Object::toString).orElse(null));
    json.put("declared", column.declared());
    json.put("supported", column.type().isPresent());
    return json;
  }

  private static void print(Console console, FileReport file) {
    Optional<String> error = file.error();
    if (error.isPresent()) {
      console.print(file.path() + ": can't be read: " + error.get());
      return;
    }
    console.print(
        "%s: %s rows in %s row groups"
            .formatted(file.path(), Amounts.count(file.rows()), Amounts.count(file.rowGroups())));
    for (ColumnSchema column : file.columns()) {
      console.print(
          "  %s: %s"
              .formatted(
                  column.path(),
                  column
                      .type()
                      .map(Object::toString)
                      .orElse("not supported: " + column.declared())));
    }
  }
}
