package io.penstock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What feeds over the rides deliver, worked out by PyArrow and NumPy from the contract's text, with
 * none of Penstock's Java.
 */
record Oracle(Rides rides) {
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
    CommandResult result =
        PythonPackage.run(
            PythonPackage.folder().resolve("tests/peek_oracle.py").toString(),
            feed.toString(),
            Long.toString(begin),
            Long.toString(end),
            Long.toString(epoch),
            out.toString(),
            "--replace",
            rides.path() + "=" + rides.local());
    if (result.exitCode() != 0) {
      throw new AssertionError("the oracle failed: " + result);
    }
    return result.json();
  }
}
