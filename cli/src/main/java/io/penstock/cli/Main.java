package io.penstock.cli;

import io.penstock.cli.commands.Commands;
import io.penstock.cli.console.Command;
import io.penstock.cli.console.Console;
import io.penstock.cli.console.Console.Format;
import io.penstock.cli.console.ExitCode;
import io.penstock.cli.console.Version;
import io.penstock.config.Settings;
import io.penstock.model.Suggestions;
import io.penstock.model.UsageException;
import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs a command.
 *
 * <h2>Streams</h2>
 *
 * Results go to standard output, all else to standard error. Whatever a library prints goes to
 * standard error too, so with {@code --json} standard output is one JSON value; if the command
 * fails before it has one, the value is {@code {"error": ..., "exit_code": ...}}.
 *
 * <h2>Environment</h2>
 *
 * With PENSTOCK_DEBUG set, the log says all, stack traces of failures included.
 */
public final class Main {
  private static final String DEBUG = "PENSTOCK_DEBUG";
  private static final String[] GENERIC_HELP = {
    "",
    "Hadoop's generic options, anywhere on the command line:",
    "  -D name=value   a setting of Penstock or Hadoop",
    "  -conf FILE      settings from a file",
    "  -fs URI         the default file system",
    "  -jt HOST:PORT   the ResourceManager",
    "Exit codes: 0 done, 1 failed, 2 refused, 3 not reached or no permission, 4 killed."
  };

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  Main(PrintStream out, PrintStream err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  public static void main(String[] arguments) {
    if (!System.getenv().getOrDefault(DEBUG, "").isEmpty()
        && System.getProperty("penstock.log.level") == null) {
      System.setProperty("penstock.log.level", "DEBUG");
    }
    StandardOutput standard = new StandardOutput();
    PrintStream out =
        new PrintStream(new BufferedOutputStream(standard, 1 << 16), false, StandardCharsets.UTF_8);
    System.setOut(System.err);
    int code = new Main(out, System.err, System.getenv()).run(List.of(arguments));
    out.flush();
    if (standard.failure().isPresent()) {
      System.err.println(
          "penstock: standard output can't be written: " + standard.failure().get().getMessage());
      code = code == 0 ? ExitCode.FAILED.code() : code;
    }
    System.exit(code);
  }

  /** Runs the command and says what went wrong with it. */
  int run(List<String> arguments) {
    Format format = arguments.contains("--json") ? Format.JSON : Format.TEXT;
    Console console = new Console(out, err, format);
    try {
      int code = dispatch(GenericOptions.split(arguments), console);
      console.flush();
      return code;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(console, e);
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      return failed(console, e);
    }
  }

  private static int failed(Console console, Throwable failure) {
    log().debug("event=command-failed", failure);
    int code = Failures.exitCode(failure);
    String message = Failures.message(failure);
    message.lines().forEach(line -> console.note("penstock: " + line));
    if (console.format() == Format.JSON && !console.hasPrintedJson()) {
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("error", message);
      error.put("exit_code", code);
      console.json(error);
    }
    console.flush();
    return code;
  }

  private int dispatch(GenericOptions options, Console console) throws Exception {
    CommandLine line = commandLine();
    ParseResult parsed = parse(line, options.rest());
    if (printedHelp(parsed)) {
      return ExitCode.DONE.code();
    }
    if (!parsed.hasSubcommand()) {
      line.usage(err, ANSI_OFF);
      return ExitCode.REFUSED.code();
    }
    Settings.addResources();
    Command command = (Command) parsed.subcommand().commandSpec().userObject();
    CommandTool tool = new CommandTool(command, console, environment);
    return options.run(new Configuration(), tool);
  }

  private boolean printedHelp(ParseResult parsed) {
    for (CommandLine line : parsed.asCommandLineList()) {
      if (line.isUsageHelpRequested()) {
        line.usage(out, ANSI_OFF);
        return true;
      }
      if (line.isVersionHelpRequested()) {
        line.printVersionHelp(out, ANSI_OFF);
        return true;
      }
    }
    return false;
  }

  private static final CommandLine.Help.Ansi ANSI_OFF = CommandLine.Help.Ansi.OFF;

  private static CommandLine commandLine() {
    CommandSpec spec = CommandSpec.create().name("penstock").mixinStandardHelpOptions(true);
    spec.usageMessage()
        .description(
            "A data feed for GPU training on Hadoop YARN whose order the seed alone decides.")
        .commandListHeading("%nCommands:%n")
        .synopsisSubcommandLabel("COMMAND")
        .footer(GENERIC_HELP);
    spec.version("penstock " + Version.current());
    CommandLine line = new CommandLine(spec);
    Commands.all().forEach((name, command) -> line.addSubcommand(name, sub(name, command)));
    return line;
  }

  private static CommandLine sub(String name, Command command) {
    CommandLine line = new CommandLine(command);
    line.getCommandSpec().name(name).mixinStandardHelpOptions(true);
    line.getCommandSpec().version("penstock " + Version.current());
    line.getCommandSpec().usageMessage().footer(GENERIC_HELP).sortOptions(false);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line;
  }

  private static ParseResult parse(CommandLine line, List<String> arguments) {
    try {
      return line.parseArgs(arguments.toArray(String[]::new));
    } catch (UnmatchedArgumentException e) {
      CommandSpec spec = e.getCommandLine().getCommandSpec();
      String first = e.getUnmatched().get(0);
      boolean isCommand = spec.parent() == null && !first.startsWith("-");
      throw new UsageException(
          (isCommand ? "there is no such command: " : "unknown argument: ")
              + first
              + Suggestions.didYouMean(
                  first, isCommand ? spec.subcommands().keySet() : spec.optionsMap().keySet())
              + seeHelp(spec),
          e);
    } catch (ParameterException e) {
      throw new UsageException(e.getMessage() + seeHelp(e.getCommandLine().getCommandSpec()), e);
    }
  }

  private static String seeHelp(CommandSpec spec) {
    return " (see " + spec.qualifiedName() + " --help)";
  }

  private static Logger log() {
    return LoggerFactory.getLogger(Main.class);
  }
}
