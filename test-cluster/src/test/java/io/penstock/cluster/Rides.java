package io.penstock.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * The rides that end-to-end tests run over, and feed files over them.
 *
 * @param path on the cluster's HDFS
 * @param local a copy of the dataset, for those who read it without Hadoop
 * @param feeds where feed files are written
 */
record Rides(String path, Path local, Path feeds) {
  static final int ROWS = 24_000;
  private static final int FILES = 4;
  private static final int ROWS_PER_GROUP = 1500;

  /** Those that most tests share, written by the first of this cluster. */
  static Rides in(PenstockCluster cluster) throws IOException, InterruptedException {
    return in(cluster, "rides", ROWS, ROWS_PER_GROUP);
  }

  /** A test's own, which it may change, in four files; written unless they are there. */
  static Rides in(PenstockCluster cluster, String name, int rows, int rowsPerGroup)
      throws IOException, InterruptedException {
    Path folder = cluster.servers().folder();
    Rides rides = new Rides("/data/" + name, folder.resolve(name), folder.resolve("feeds"));
    Files.createDirectories(rides.feeds);
    if (!Files.exists(rides.local)) {
      RidesDataset.write(
          new RidesDataset.Ask(rides.local.toUri().toString(), rows, FILES, rowsPerGroup, 42),
          new Configuration());
      cluster
          .hdfs()
          .copyFromLocalFile(
              new org.apache.hadoop.fs.Path(rides.local.toUri()),
              new org.apache.hadoop.fs.Path(rides.path));
    }
    return rides;
  }

  /**
   * Writes a feed file over the rides on HDFS, with columns of every kind.
   *
   * @param order as a feed file has it, between the braces
   */
  Path feed(String name, String order) throws IOException {
    return Files.writeString(
        feeds.resolve(name + ".yaml"),
        """
        penstock: 1
        dataset: {paths: ["%s"]}
        order: {%s}
        tensors:
          features:
            columns: [fare, tip, distance_km, duration_s, temperature, signal_*]
            dtype: float32
            ops:
              - fill: {columns: [temperature], value: 9}
              - fill: 0
              - clip: {columns: [tip], min: 0, max: 50}
              - standardize: {mean: {fare: 14.5, signal_00: 0.5}, std: {fare: 11.25, signal_00: 3.5}}
          flags: {columns: [is_*], dtype: float32}
          ids: {columns: [user_id, city], dtype: int64, ops: [{hash: {buckets: 100000}}]}
          embedding: {column: embedding, dtype: float16, shape: [8]}
          clicks: {column: clicks, dtype: int64, ops: [{fill: 0}, {pad: {length: 16, value: 0}}]}
          rating: {column: rating, dtype: int32, mask: true}
          label: {column: label, dtype: float32}
        """
            .formatted(path, order));
  }
}
