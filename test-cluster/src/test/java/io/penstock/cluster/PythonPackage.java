package io.penstock.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Python with the tests' libraries, and this repository's package. */
final class PythonPackage {
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private PythonPackage() {}

  /** Runs {@code python WORDS}. */
  static CommandResult run(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(python().toString());
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("PYTHONPATH", folder().toString());
    try (RunningCommand running = RunningCommand.start(builder)) {
      return running.await(DEADLINE);
    }
  }

  /** The folder {@code python} of the repository. */
  static Path folder() {
    return ModuleFolder.path().getParent().resolve("python");
  }

  private static Path python() {
    Path python =
        Path.of(
            System.getProperty(
                "penstock.python",
                ModuleFolder.path().getParent().resolve("target/venv/bin/python").toString()));
    if (!Files.isExecutable(python)) {
      throw new IllegalStateException(
          "no Python with PyArrow at "
              + python
              + ": run bin/test, which makes it, or name one by -Dpenstock.python=...");
    }
    return python;
  }
}
