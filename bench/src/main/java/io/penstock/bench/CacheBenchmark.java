package io.penstock.bench;

import io.penstock.container.cache.TensorCache;
import io.penstock.container.cache.TensorCacheConfig;
import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.model.DType;
import io.penstock.model.TensorSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A row group of 50,000 rows of 908 bytes (45.4 MB) from the cache, and as many bytes of a file
 * into an array that is used again. All lies in the page cache.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class CacheBenchmark {
  private static final int ROWS = 50_000;
  private static final int ROW_GROUPS = 8;
  private static final int STEP = 128 << 10;
  private static final List<TensorSpec> SPECS =
      List.of(
          new TensorSpec("features", DType.FLOAT32, List.of(226)),
          new TensorSpec("label", DType.FLOAT32, List.of()));

  private Path folder;
  private TensorCache cache;
  private BlockPool blocks;
  private FileChannel file;

  /** Which row group is next, and what a file is read into. */
  @State(Scope.Thread)
  public static class Reader {
    private final byte[] block = new byte[ROWS * 908];
    private int next;

    int next() {
      next = (next + 1) % ROW_GROUPS;
      return next;
    }
  }

  /** Fills the cache and the file. */
  @Setup
  public void fill() throws IOException {
    folder = Files.createTempDirectory("cache-benchmark");
    cache =
        TensorCache.open(
            folder.resolve("cache"), SPECS, new TensorCacheConfig(1L << 30, 1 << 20, 64 << 20, 1));
    blocks = new BlockPool(Runtime.getRuntime().maxMemory() / 2);
    file =
        FileChannel.open(
            folder.resolve("file"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    for (int k = 0; k < ROW_GROUPS; k++) {
      Random random = new Random(k);
      byte[][] tensors = {new byte[ROWS * 904], new byte[ROWS * 4]};
      for (byte[] tensor : tensors) {
        random.nextBytes(tensor);
        for (ByteBuffer from = ByteBuffer.wrap(tensor); from.hasRemaining(); ) {
          file.write(from);
        }
      }
      if (!cache.put(k, RowGroupTensors.of(ROWS, SPECS, tensors))) {
        throw new IllegalStateException("not cached: " + k);
      }
    }
  }

  /** From Berkeley DB JE, checked. */
  @Benchmark
  public byte[][] cached(Reader reader) {
    byte[][] tensors = cache.get(reader.next(), ROWS, blocks).orElseThrow().blocks();
    blocks.giveBack(tensors);
    return tensors;
  }

  /** What this machine and Java can do at most without mapping files. */
  @Benchmark
  public byte[] file(Reader reader) throws IOException {
    ByteBuffer to = ByteBuffer.wrap(reader.block);
    long start = (long) reader.next() * to.capacity();
    while (to.position() < to.capacity()) {
      to.limit(Math.min(to.position() + STEP, to.capacity()));
      if (file.read(to, start + to.position()) < 0) {
        throw new IOException("the file is too short");
      }
    }
    return reader.block;
  }

  /** Deletes both. */
  @TearDown
  public void delete() throws IOException {
    cache.close();
    file.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
