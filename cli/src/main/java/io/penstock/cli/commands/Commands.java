package io.penstock.cli.commands;

import io.penstock.cli.console.Command;
import io.penstock.cli.submit.SubmitCommand;
import java.util.LinkedHashMap;
import java.util.Map;

/** The commands by name. */
public final class Commands {
  private Commands() {}

  /** New ones, in the order that help lists them. */
  public static Map<String, Command> all() {
    Map<String, Command> commands = new LinkedHashMap<>();
    commands.put("submit", new SubmitCommand(new RankCheck()));
    commands.put("jobs", new JobsCommand());
    commands.put("inspect", new InspectCommand());
    commands.put("verify", new VerifyCommand());
    commands.put("kill", new KillCommand());
    commands.put("init", new InitCommand());
    commands.put("stats", new StatsCommand());
    commands.put("plan", new PlanCommand());
    commands.put("peek", new PeekCommand());
    commands.put("check", new CheckCommand());
    commands.put("settings", new SettingsCommand());
    return commands;
  }
}
