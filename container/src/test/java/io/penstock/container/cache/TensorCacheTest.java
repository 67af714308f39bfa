package io.penstock.container.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.LockMode;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorCacheTest {
  private static final List<TensorSpec> SPECS =
      List.of(
          new TensorSpec("features", DType.FLOAT32, List.of(10)),
          new TensorSpec("label", DType.UINT8, List.of()));

  @TempDir Path folder;

  @Test
  void whatWasPutIsReadBackAlsoAfterReopening() throws IOException {
    RowGroupTensors small = tensors(3, 1);
    RowGroupTensors large = tensors(100_000, 2).withRowValues(bytes(800_000, 3));
    try (TensorCache cache = open(100 << 20)) {
      assertTrue(cache.put(7, small));
      assertTrue(cache.put(2, large));
      assertSame(small, cache.get(7, 3, new BlockPool(0)).orElseThrow());
      assertSame(large, cache.get(2, 100_000, new BlockPool(0)).orElseThrow());
    }
    try (TensorCache cache = open(100 << 20)) {
      assertEquals(2, cache.size());
      assertTrue(cache.holds(7));
      assertFalse(cache.holds(1));
      assertSame(large, cache.get(2, 100_000, new BlockPool(0)).orElseThrow());
      assertTrue(cache.get(1, 3, new BlockPool(0)).isEmpty());
    }
  }

  @Test
  void theFolderNeverGrowsBeyondTheQuota() throws IOException {
    long quota = 20 << 20;
    int stored = 0;
    for (int session = 0; session < 3; session++) {
      try (TensorCache cache = open(quota)) {
        for (int rowGroup = 0; rowGroup < 40; rowGroup++) {
          boolean held = cache.put(rowGroup, tensors(40_000, rowGroup));
          assertEquals(held, cache.holds(rowGroup));
          stored = cache.size();
          assertTrue(cache.usedBytes() <= quota, () -> "used " + cache.usedBytes());
        }
      }
      assertTrue(bytesOnDisk() <= quota, () -> "on disk " + bytesOnDisk());
    }
    // 40,000 rows of 41 bytes are 1.64 MB: eleven or twelve fit 20 MiB with the environment's own
    // files.
    assertTrue(stored >= 10 && stored <= 12, "stored " + stored);
  }

  @Test
  void aRowGroupThatDoesNotFitIsNotHeldAndSmallerOnesStillAre() throws IOException {
    try (TensorCache cache = open(2 << 20)) {
      assertFalse(cache.put(0, tensors(100_000, 0)));
      assertTrue(cache.get(0, 100_000, new BlockPool(0)).isEmpty());
      assertTrue(cache.put(1, tensors(1_000, 1)));
      assertTrue(cache.holds(1));
    }
  }

  @Test
  void aQuarantinedRowGroupKeepsItsReason() throws IOException {
    try (TensorCache cache = open(2 << 20)) {
      assertTrue(cache.put(4, RowGroupTensors.quarantined(50, SPECS, "page 3 is cut shört")));
      RowGroupTensors back = cache.get(4, 50, new BlockPool(0)).orElseThrow();
      assertEquals("page 3 is cut shört", back.quarantined().orElseThrow());
      assertArrayEquals(new byte[50 * 40], back.blocks()[0]);
    }
  }

  @Test
  void anotherNumberOfRowsIsNotWhatIsHeld() throws IOException {
    try (TensorCache cache = open(2 << 20)) {
      assertTrue(cache.put(4, tensors(50, 1)));
      assertTrue(cache.get(4, 51, new BlockPool(0)).isEmpty());
      assertFalse(cache.holds(4));
    }
  }

  @Test
  void aFolderThatIsNoFolderIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    IOException e =
        assertThrows(IOException.class, () -> TensorCache.open(file, SPECS, config(1 << 20)));
    assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
  }

  @Test
  void smallRecordsStayBelowTheQuotaToo() throws IOException {
    long quota = 2 << 20;
    try (TensorCache cache = open(folder.resolve("cache"), config(quota, 1024))) {
      int rowGroup = 0;
      while (cache.put(rowGroup, tensors(1_000, rowGroup))) {
        rowGroup++;
      }
      // 41,000 bytes in 41 records.
      assertTrue(rowGroup >= 30, "stored " + rowGroup);
    }
    assertTrue(bytesOnDisk() <= quota, () -> "on disk " + bytesOnDisk());
  }

  @Test
  void recordsOfAnySizeAreReadWhateverIsWrittenNow() throws IOException {
    RowGroupTensors tensors = tensors(3_001, 5);
    Path cached = folder.resolve("cache");
    int rowGroup = 0;
    for (int recordBytes : new int[] {1 << 20, 1024, 1025, 70_000, 4 << 20}) {
      try (TensorCache cache = open(cached, config(64 << 20, recordBytes))) {
        assertTrue(cache.put(rowGroup++, tensors));
        for (int k = 0; k < rowGroup; k++) {
          assertSame(tensors, cache.get(k, 3_001, new BlockPool(0)).orElseThrow());
        }
      }
    }
  }

  @Test
  void threadsWriteAndReadAtTheSameTime() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (TensorCache cache = open(folder.resolve("cache"), config(64 << 20, 4096))) {
      BlockPool pool = new BlockPool(16 << 20);
      List<Future<?>> ended = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        int thread = t;
        ended.add(
            threads.submit(
                () -> {
                  for (int k = 0; k < 20; k++) {
                    int rowGroup = 3 * k + thread;
                    assertTrue(cache.put(rowGroup, tensors(500 + rowGroup, rowGroup)));
                    for (int back = 0; back <= k; back += 5) {
                      int earlier = 3 * back + thread;
                      RowGroupTensors read = cache.get(earlier, 500 + earlier, pool).orElseThrow();
                      assertSame(tensors(500 + earlier, earlier), read);
                      pool.giveBack(read.blocks());
                    }
                  }
                }));
      }
      for (Future<?> each : ended) {
        each.get(60, TimeUnit.SECONDS);
      }
      assertEquals(60, cache.size());
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void whatWasPutOutlivesAProcessThatIsKilled() throws IOException {
    Path image = Files.createDirectory(folder.resolve("image"));
    try (TensorCache cache = open(100 << 20)) {
      for (int rowGroup = 0; rowGroup < 3; rowGroup++) {
        assertTrue(cache.put(rowGroup, tensors(30_000, rowGroup)));
      }
      copyLogs(folder.resolve("cache"), image);
    }
    try (TensorCache cache = open(image, config(100 << 20))) {
      for (int rowGroup = 0; rowGroup < 3; rowGroup++) {
        assertSame(
            tensors(30_000, rowGroup), cache.get(rowGroup, 30_000, new BlockPool(0)).orElseThrow());
      }
    }
  }

  @Test
  void aFlippedBitCostsItsRowGroupAloneAndThatCanBePutAgain() throws IOException {
    try (TensorCache cache = open(100 << 20)) {
      for (int rowGroup = 0; rowGroup < 3; rowGroup++) {
        assertTrue(cache.put(rowGroup, tensors(30_000, rowGroup)));
      }
      flip(folder.resolve("cache"), tensors(30_000, 1).blocks()[0], 600_000);
      assertTrue(cache.get(1, 30_000, new BlockPool(0)).isEmpty());
      assertFalse(cache.holds(1));
      for (int rowGroup : new int[] {0, 2}) {
        assertSame(
            tensors(30_000, rowGroup), cache.get(rowGroup, 30_000, new BlockPool(0)).orElseThrow());
      }
      assertTrue(cache.put(1, tensors(30_000, 1)));
      assertSame(tensors(30_000, 1), cache.get(1, 30_000, new BlockPool(0)).orElseThrow());
    }
    // Opened anew, JE takes the damage for the end of its log.
    try (TensorCache cache = open(100 << 20)) {
      assertSame(tensors(30_000, 0), cache.get(0, 30_000, new BlockPool(0)).orElseThrow());
      for (int rowGroup = 1; rowGroup < 3; rowGroup++) {
        assertFalse(cache.holds(rowGroup));
        assertTrue(cache.put(rowGroup, tensors(30_000, rowGroup)));
        assertSame(
            tensors(30_000, rowGroup), cache.get(rowGroup, 30_000, new BlockPool(0)).orElseThrow());
      }
    }
  }

  @Test
  void aFlippedBitAnywhereNeverGivesOtherValues() throws IOException {
    int rowGroups = 4;
    try (TensorCache cache = open(folder.resolve("cache"), config(100 << 20, 2048))) {
      for (int rowGroup = 0; rowGroup < rowGroups; rowGroup++) {
        assertTrue(cache.put(rowGroup, tensors(200, rowGroup)));
      }
    }
    Random random = new Random(7);
    int same = 0;
    int gone = 0;
    for (int trial = 0; trial < 40; trial++) {
      Path damaged = Files.createDirectory(folder.resolve("damaged-" + trial));
      copyLogs(folder.resolve("cache"), damaged);
      Path log = logs(damaged).get(0);
      byte[] bytes = Files.readAllBytes(log);
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(log, bytes);
      try (TensorCache cache = open(damaged, config(100 << 20, 2048))) {
        for (int rowGroup = 0; rowGroup < rowGroups; rowGroup++) {
          Optional<RowGroupTensors> read = cache.get(rowGroup, 200, new BlockPool(0));
          if (read.isPresent()) {
            assertSame(tensors(200, rowGroup), read.get());
            same++;
          } else {
            assertFalse(cache.holds(rowGroup));
            gone++;
          }
        }
      } catch (IOException e) {
        gone += rowGroups;
      }
    }
    assertTrue(same > 40 && gone > 20, "same " + same + ", gone " + gone);
  }

  @Test
  void aFileThatIsCutOffWhileItIsOpenIsFound() throws IOException {
    try (TensorCache cache = open(100 << 20)) {
      assertTrue(cache.put(0, tensors(30_000, 0)));
      assertTrue(cache.put(1, tensors(30_000, 1)));
      Path log = logs(folder.resolve("cache")).get(0);
      try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
        channel.truncate(Files.size(log) - 600_000);
      }
      assertTrue(cache.get(1, 30_000, new BlockPool(0)).isEmpty());
      assertFalse(cache.holds(1));
    }
  }

  @Test
  void everyPartIsARecordThatJeReadsByItself() throws IOException {
    RowGroupTensors tensors = tensors(1_000, 9);
    try (TensorCache cache = open(folder.resolve("cache"), config(64 << 20, 16_384))) {
      assertTrue(cache.put(5, tensors));
    }
    EnvironmentConfig je = new EnvironmentConfig().setReadOnly(true).setTransactional(true);
    DatabaseConfig config = new DatabaseConfig().setReadOnly(true).setTransactional(true);
    try (Environment environment = new Environment(folder.resolve("cache").toFile(), je);
        Database parts = environment.openDatabase(null, "parts", config)) {
      assertEquals(4, parts.count());
      for (int part = 0; part < 4; part++) {
        // 40,000 bytes of the first tensor in three parts, 1,000 of the second in one.
        int tensor = part / 3;
        int number = part % 3;
        byte[] key = ByteBuffer.allocate(12).putInt(5).putInt(tensor).putInt(number).array();
        DatabaseEntry value = new DatabaseEntry();
        parts.get(null, new DatabaseEntry(key), value, LockMode.DEFAULT);
        int from = number * 16_384;
        int to = Math.min(from + 16_384, tensors.bytes(tensor));
        assertArrayEquals(Arrays.copyOfRange(tensors.blocks()[tensor], from, to), value.getData());
      }
    }
  }

  @Test
  void whatAnEarlierLayoutWroteIsNotRead() throws IOException {
    Path cached = Files.createDirectory(folder.resolve("cache"));
    EnvironmentConfig je = new EnvironmentConfig().setAllowCreate(true).setTransactional(true);
    je.setConfigParam(EnvironmentConfig.FREE_DISK, "0");
    DatabaseConfig config = new DatabaseConfig().setAllowCreate(true).setTransactional(true);
    try (Environment environment = new Environment(cached.toFile(), je);
        Database blocks = environment.openDatabase(null, "blocks", config);
        Database complete = environment.openDatabase(null, "complete", config)) {
      byte[] key = ByteBuffer.allocate(4).putInt(0).array();
      byte[] rows = ByteBuffer.allocate(4).putInt(3).array();
      blocks.put(null, new DatabaseEntry(new byte[12]), new DatabaseEntry(new byte[120]));
      complete.put(null, new DatabaseEntry(key), new DatabaseEntry(rows));
    }
    try (TensorCache cache = open(100 << 20)) {
      assertEquals(0, cache.size());
      assertTrue(cache.put(0, tensors(3, 1)));
      assertSame(tensors(3, 1), cache.get(0, 3, new BlockPool(0)).orElseThrow());
    }
  }

  /** Flips a bit of what was written from {@code block}, at a place in it. */
  private static void flip(Path cached, byte[] block, int at) throws IOException {
    for (Path log : logs(cached)) {
      byte[] bytes = Files.readAllBytes(log);
      for (int k = 0; k + 32 < bytes.length; k++) {
        if (Arrays.equals(bytes, k, k + 32, block, at, at + 32)) {
          try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {(byte) (bytes[k] ^ 4)}), k);
          }
          return;
        }
      }
    }
    throw new AssertionError("nowhere in " + cached);
  }

  private static void copyLogs(Path from, Path to) throws IOException {
    for (Path log : logs(from)) {
      Files.copy(log, to.resolve(log.getFileName()));
    }
  }

  private static List<Path> logs(Path cached) throws IOException {
    try (Stream<Path> files = Files.list(cached)) {
      return files.filter(file -> file.toString().endsWith(".jdb")).sorted().toList();
    }
  }

  private TensorCache open(Path cached, TensorCacheConfig config) throws IOException {
    return TensorCache.open(cached, SPECS, config);
  }

  private TensorCache open(long quota) throws IOException {
    return open(folder.resolve("cache"), config(quota));
  }

  private static TensorCacheConfig config(long quota) {
    return config(quota, 1 << 20);
  }

  private static TensorCacheConfig config(long quota, int recordBytes) {
    return new TensorCacheConfig(quota, recordBytes, 8 << 20, 1.0);
  }

  private long bytesOnDisk() {
    try (Stream<Path> files = Files.walk(folder.resolve("cache"))) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static RowGroupTensors tensors(int rows, long seed) {
    Random random = new Random(seed);
    byte[][] blocks = {new byte[rows * 40], new byte[rows]};
    random.nextBytes(blocks[0]);
    random.nextBytes(blocks[1]);
    return RowGroupTensors.of(rows, SPECS, blocks);
  }

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void assertSame(RowGroupTensors expected, RowGroupTensors actual) {
    assertEquals(expected.rows(), actual.rows());
    for (int k = 0; k < SPECS.size(); k++) {
      // A block out of a pool may be longer than what is in it.
      int bytes = expected.bytes(k);
      assertArrayEquals(expected.blocks()[k], Arrays.copyOf(actual.blocks()[k], bytes));
    }
    int valueBytes = expected.rows() * 8;
    assertArrayEquals(
        expected.rowValues().orElse(null),
        actual.rowValues().map(values -> Arrays.copyOf(values, valueBytes)).orElse(null));
  }
}
