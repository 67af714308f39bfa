package io.penstock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What feeds over the rides deliver, worked out by PyArrow and NumPy from the contract's text, with
 * none of Penstock's Java.
 */
final class Oracle {
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private final Rides rides;
  private final Path python;
  private final Path script;

  Oracle(Rides rides) {
    this.rides = rides;
    Path repository = ModuleFolder.path().getParent();
    this.script = repository.resolve("python/tests/peek_oracle.py");
    this.python =
        Path.of(
            System.getProperty(
                "penstock.python", repository.resolve("target/venv/bin/python").toString()));
    if (!Files.isExecutable(python)) {
      throw new IllegalStateException(
          "no Python with PyArrow at "
              + python
              + ": run bin/test, which makes it, or name one by -Dpenstock.python=...");
    }
  }

  /** A whole epoch, of which it writes nothing that anybody keeps. */
  Digests epoch(Path feed, long epoch) throws IOException, InterruptedException {
    return Digests.of(batches(feed, 0, 0, epoch, rides.feeds().resolve("oracle-" + epoch)));
  }

  /**
   * Writes the tensors of some steps into a folder, in the form of {@code peek --out}.
   *
   * @param end not included; 0: the end of the epoch
   */
  JsonNode batches(Path feed, long begin, long end, long epoch, Path out)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            python.toString(),
            script.toString(),
            feed.toString(),
            Long.toString(begin),
            Long.toString(end),
            Long.toString(epoch),
            out.toString(),
            "--replace",
            Rides.PATH + "=" + rides.local());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    try (RunningCommand command = RunningCommand.start(builder)) {
      CommandResult result = command.await(DEADLINE);
      if (result.exitCode() != 0) {
        throw new AssertionError("the oracle failed: " + result);
      }
      return result.json();
    }
  }
}
