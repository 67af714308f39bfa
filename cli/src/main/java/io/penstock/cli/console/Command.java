package io.penstock.cli.console;

import java.io.IOException;

/** One of the commands; its fields are its options. */
public interface Command {
  /**
   * Does it.
   *
   * @throws IOException if a file system or YARN failed
   * @throws InterruptedException if the process is ending
   */
  ExitCode run(CommandContext context) throws IOException, InterruptedException;
}
