package io.penstock.container.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.model.DType;
import io.penstock.model.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
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
    RowGroupTensors large = tensors(100_000, 2);
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

  private TensorCache open(long quota) throws IOException {
    return TensorCache.open(folder.resolve("cache"), SPECS, config(quota));
  }

  private static TensorCacheConfig config(long quota) {
    return new TensorCacheConfig(
        quota, 1 << 20, 8 << 20, TensorCacheConfig.Checksums.VERIFIED, 1.0);
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

  private static void assertSame(RowGroupTensors expected, RowGroupTensors actual) {
    assertEquals(expected.rows(), actual.rows());
    for (int k = 0; k < SPECS.size(); k++) {
      assertArrayEquals(expected.blocks()[k], actual.blocks()[k]);
    }
  }
}
