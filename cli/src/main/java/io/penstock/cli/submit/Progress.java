package io.penstock.cli.submit;

import io.penstock.cli.console.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The line that says how far a job is: written over on a terminal, else a new one when it changes.
 */
final class Progress {
  private static final String BEGINNING_OF_LINE = "\r";
  private static final String CLEAR_TO_END = "\u001b[K";

  private final PrintStream err;
  private final boolean terminal;
  private String shown = "";

  private Progress(PrintStream err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  static Progress on(Console console) {
    return new Progress(console.err(), standardErrorIsTerminal());
  }

  private static boolean standardErrorIsTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  void show(String line) {
    if (line.equals(shown)) {
      return;
    }
    shown = line;
    if (terminal) {
      err.print(BEGINNING_OF_LINE + line + CLEAR_TO_END);
    } else {
      err.println(line);
    }
    err.flush();
  }

  /** Leaves the line as it is; what follows is on the next. */
  void end() {
    if (terminal && !shown.isEmpty()) {
      err.println();
      err.flush();
    }
    shown = "";
  }
}
