package io.penstock.cli.commands;

import io.penstock.cli.console.Command;
import java.util.LinkedHashMap;
import java.util.Map;

/** The commands of this package by name. */
public final class Commands {
  private Commands() {}

  /** New ones, in the order that help lists them. */
  public static Map<String, Command> all() {
    Map<String, Command> commands = new LinkedHashMap<>();
    commands.put("jobs", new JobsCommand());
    commands.put("inspect", new InspectCommand());
    commands.put("plan", new PlanCommand());
    commands.put("check", new CheckCommand());
    return commands;
  }
}
