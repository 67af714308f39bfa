package io.penstock.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * HDFS alone, with a copy of local folders, for measurements.
 *
 * <pre>  HdfsCopy FOLDER LOCAL...</pre>
 *
 * Starts a NameNode and DataNodes below FOLDER, copies every LOCAL to {@code /data}, prints {@code
 * READY} and the URI of {@code /data} on standard output, and ends at the end of standard input.
 */
public final class HdfsCopy {
  private HdfsCopy() {}

  public static void main(String[] args) throws IOException {
    try (Hdfs hdfs = Hdfs.start(Path.of(args[0]))) {
      URI data = hdfs.uri().resolve("/data");
      for (int k = 1; k < args.length; k++) {
        hdfs.copy(Path.of(args[k]), data);
      }
      System.out.println("READY " + data);
      while (System.in.read() >= 0) {
        continue;
      }
    }
    // Hadoop's servers leave threads behind.
    System.exit(0);
  }
}
