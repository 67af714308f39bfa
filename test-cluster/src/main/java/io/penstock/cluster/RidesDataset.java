package io.penstock.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.OutputFile;

/**
 * Writes the {@code rides} dataset: made-up taxi rides in 40 columns, in Parquet files of unequal
 * size with row groups of unequal size, compressed with snappy. The same seed gives the same rows,
 * whatever the number of files and the size of row groups.
 *
 * <p>Row groups are bounded by their number of rows, and by Parquet's default of 128 MiB too: HDFS
 * takes that size for its blocks, so a greater bound would ask it for blocks that no disk can hold.
 *
 * <p>{@code RidesDataset URI [--rows N] [--files N] [--rows-per-group N] [--seed N]}. A path
 * without a scheme is one of the default file system of {@code HADOOP_CONF_DIR}.
 */
public final class RidesDataset {
  /** What to write. */
  record Ask(String uri, long rows, int files, int rowsPerGroup, long seed) {
    static final String USAGE =
        "usage: rides URI [--rows N] [--files N] [--rows-per-group N] [--seed N]";

    Ask {
      require(files > 0, "--files must be > 0: " + files);
      require(rows >= files, "--rows must be >= --files (" + files + "): " + rows);
      require(rowsPerGroup >= 2, "--rows-per-group must be >= 2: " + rowsPerGroup);
      require(seed >= 0, "--seed must be >= 0: " + seed);
    }

    static Ask parse(String[] args) {
      require(args.length % 2 == 1 && !args[0].startsWith("--"), USAGE);
      long rows = 500_000;
      int files = 8;
      int rowsPerGroup = 16_000;
      long seed = 42;
      for (int i = 1; i < args.length; i += 2) {
        try {
          switch (args[i]) {
            case "--rows" -> rows = Long.parseLong(args[i + 1]);
            case "--files" -> files = Integer.parseInt(args[i + 1]);
            case "--rows-per-group" -> rowsPerGroup = Integer.parseInt(args[i + 1]);
            case "--seed" -> seed = Long.parseLong(args[i + 1]);
            default -> throw new IllegalArgumentException(USAGE + ": " + args[i]);
          }
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(
              args[i] + " must be a whole number: " + args[i + 1], e);
        }
      }
      return new Ask(args[0], rows, files, rowsPerGroup, seed);
    }

    private static void require(boolean holds, String message) {
      if (!holds) {
        throw new IllegalArgumentException(message);
      }
    }
  }

  /**
   * One file: its rows, and how many its row groups have (the last one has what is left).
   *
   * @param index place in the dataset
   */
  record Part(int index, long firstRow, long rows, int rowsPerGroup) {
    String name() {
      return String.format("part-%05d.snappy.parquet", index);
    }
  }

  private RidesDataset() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String[] args) {
    try {
      Ask ask = Ask.parse(args);
      long start = System.nanoTime();
      Path root = write(ask, settings());
      System.out.printf(
          "%d rows in %d files written to %s in %.1f s%n",
          ask.rows(), ask.files(), root, (System.nanoTime() - start) / 1e9);
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("rides: " + e.getMessage());
      return 2;
    } catch (IOException e) {
      System.err.println("rides: " + e);
      return 1;
    } catch (InterruptedException e) {
      System.err.println("rides: interrupted");
      return 1;
    }
  }

  /** Returns the qualified path of the folder, which must not exist. */
  static Path write(Ask ask, Configuration settings) throws IOException, InterruptedException {
    Path given = new Path(ask.uri());
    try (FileSystem files = FileSystem.newInstance(given.toUri(), settings)) {
      Path root = files.makeQualified(given);
      if (files.exists(root)) {
        throw new IllegalArgumentException("the folder must not exist: " + root);
      }
      files.mkdirs(root);
      writeParts(ask, root, settings);
      return root;
    }
  }

  /** Unequal on purpose: files have 3, 4 or 5 shares of the rows, and row groups differ by file. */
  static List<Part> layout(Ask ask) {
    long shares = 0;
    for (int i = 0; i < ask.files(); i++) {
      shares += 3 + i % 3;
    }
    List<Part> parts = new ArrayList<>();
    long before = 0;
    long first = 0;
    for (int i = 0; i < ask.files(); i++) {
      before += 3 + i % 3;
      long end = Math.multiplyExact(ask.rows(), before) / shares;
      int rowsPerGroup = Math.max(1, (int) (ask.rowsPerGroup() * (100L - 9 * (i % 4)) / 100));
      parts.add(new Part(i, first, end - first, rowsPerGroup));
      first = end;
    }
    return parts;
  }

  private static void writeParts(Ask ask, Path root, Configuration settings)
      throws IOException, InterruptedException {
    AtomicInteger thread = new AtomicInteger();
    ExecutorService writers =
        Executors.newFixedThreadPool(
            Math.min(ask.files(), Runtime.getRuntime().availableProcessors()),
            work -> new Thread(work, "rides-writer-" + thread.incrementAndGet()));
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (Part part : layout(ask)) {
        work.add(
            () -> {
              writePart(part, ask.seed(), new Path(root, part.name()), settings);
              return null;
            });
      }
      for (Future<Void> done : writers.invokeAll(work)) {
        done.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("can't write " + root + ": " + e.getCause(), e.getCause());
    } finally {
      writers.shutdownNow();
    }
  }

  private static void writePart(Part part, long seed, Path file, Configuration settings)
      throws IOException {
    Ride ride = new Ride();
    Builder builder =
        new Builder(HadoopOutputFile.fromPath(file, settings))
            .withConf(settings)
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .withSizeStatisticsEnabled(false)
            .withRowGroupRowCountLimit(part.rowsPerGroup());
    for (String path : RideWriteSupport.MANY_VALUED) {
      builder.withDictionaryEncoding(path, false);
    }
    try (ParquetWriter<Ride> writer = builder.build()) {
      for (long row = part.firstRow(); row < part.firstRow() + part.rows(); row++) {
        ride.draw(seed, row);
        writer.write(ride);
      }
    }
  }

  private static Configuration settings() {
    Configuration settings = new Configuration();
    String folder = System.getenv("HADOOP_CONF_DIR");
    if (folder != null) {
      for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
        java.nio.file.Path file = java.nio.file.Path.of(folder, name);
        if (Files.exists(file)) {
          settings.addResource(new Path(file.toUri()));
        }
      }
    }
    return settings;
  }

  private static final class Builder extends ParquetWriter.Builder<Ride, Builder> {
    Builder(OutputFile file) {
      super(file);
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract still, so that it must be here
    protected WriteSupport<Ride> getWriteSupport(Configuration settings) {
      return new RideWriteSupport();
    }
  }
}
