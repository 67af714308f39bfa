package io.penstock.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A command that runs. Closing it kills it and whatever it started. */
final class RunningCommand implements AutoCloseable {
  private static final Duration LAST_OUTPUT = Duration.ofSeconds(10);

  private final List<String> command;
  private final Process process;
  private final OutputLines stdout;
  private final OutputLines stderr;

  private RunningCommand(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    this.stdout = new OutputLines("stdout-" + process.pid(), process.getInputStream());
    this.stderr = new OutputLines("stderr-" + process.pid(), process.getErrorStream());
  }

  static RunningCommand start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    process.getOutputStream().close();
    return new RunningCommand(List.copyOf(builder.command()), process);
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  OutputLines stdout() {
    return stdout;
  }

  OutputLines stderr() {
    return stderr;
  }

  /** The first line on standard output, or else on standard error, that matches. */
  String awaitLine(Predicate<String> matches, Duration deadline) throws InterruptedException {
    return stdout
        .await(0, matches, deadline)
        .or(() -> stderr.soFar().stream().filter(matches).findFirst())
        .orElseThrow(() -> new AssertionError(told("no such line within " + deadline)));
  }

  /** As Ctrl-C does. */
  void interrupt() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }

  /** Waits for its end; when the deadline passes, kills it with all that it started and fails. */
  CommandResult await(Duration deadline) throws InterruptedException {
    if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
      close();
      throw new AssertionError(told("still running after " + deadline.toSeconds() + " s"));
    }
    boolean quiet = stdout.awaitEnd(LAST_OUTPUT) && stderr.awaitEnd(LAST_OUTPUT);
    if (!quiet) {
      throw new AssertionError(told("ended, but something that it started holds its output"));
    }
    return new CommandResult(process.exitValue(), stdout.text(), stderr.text());
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private String told(String what) {
    return command
        + ": "
        + what
        + "\n--- standard output\n"
        + stdout.text()
        + "\n--- standard error\n"
        + stderr.text();
  }
}
