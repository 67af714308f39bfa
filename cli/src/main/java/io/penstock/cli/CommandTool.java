package io.penstock.cli;

import io.penstock.cli.console.Command;
import io.penstock.cli.console.CommandContext;
import io.penstock.cli.console.Console;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;

/** A command as Hadoop runs tools: its configuration has what generic options say. */
final class CommandTool extends Configured implements Tool {
  private final Command command;
  private final Console console;
  private final Map<String, String> environment;

  CommandTool(Command command, Console console, Map<String, String> environment) {
    this.command = command;
    this.console = console;
    this.environment = environment;
  }

  @Override
  public int run(String[] rest) throws IOException, InterruptedException {
    if (rest.length > 0) {
      throw new IllegalStateException("not generic options: " + String.join(" ", rest));
    }
    CommandContext context = new CommandContext(console, getConf(), environment);
    // A setting that is wrong is refused by every command, whether it has a use for it or not.
    context.settings();
    return command.run(context).code();
  }
}
