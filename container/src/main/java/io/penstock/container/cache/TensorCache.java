package io.penstock.container.cache;

import com.sleepycat.je.DatabaseException;
import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.model.TensorSpec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tensors of whole row groups, and their row values, on local disk, under a quota, with no
 * eviction.
 *
 * <p>One {@link RowGroupStore} in a folder that the cache key names, so an entry never outlives
 * what it was made from and room is made by deleting whole folders.
 *
 * <h2>Quota</h2>
 *
 * The store only grows, and what a row group takes is known before it is written: its bytes and a
 * small overhead a record. Room is reserved first; a row group that does not fit is not written,
 * and the caller reads it from storage in every epoch. What a failed write reserved stays reserved,
 * since its log entries may stay too. The quota bounds the whole folder.
 *
 * <h2>Damage</h2>
 *
 * A read or write that fails makes a row group not held; it may be put again. JE gives the whole
 * environment up when it finds its B-trees damaged or can't write its log; from then on nothing is
 * held and nothing is put. When it opens one, it takes damage in the last log file for the log's
 * end: what was written after it is not held.
 *
 * <h2>Threads</h2>
 *
 * Worker threads read and write at the same time. None of them may ever be interrupted: an
 * interrupt inside JE's I/O invalidates the environment. Opening, which lists what is held, is done
 * by the opener's thread.
 */
public final class TensorCache implements AutoCloseable {
  /** Changes with the layout of what is stored: part of what names a cache. */
  public static final int LAYOUT = RowGroupStore.LAYOUT;

  private static final Logger LOG = LoggerFactory.getLogger(TensorCache.class);

  /**
   * Log entry header, key, B-tree entry, place in the row group's entry and checkpoint share;
   * measured 95, taken with room to spare.
   */
  static final int RECORD_OVERHEAD = 256;

  /** What an empty environment and its checkpoints take; taken off the quota once. */
  static final long ENVIRONMENT_OVERHEAD = 256 << 10;

  private final Path folder;
  private final List<TensorSpec> specs;
  private final int recordBytes;
  private final RowGroupStore store;
  private final Quota quota;
  private final Set<Integer> held = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean lost = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  private TensorCache(
      Path folder, List<TensorSpec> specs, int recordBytes, RowGroupStore store, Quota quota) {
    this.folder = folder;
    this.specs = specs;
    this.recordBytes = recordBytes;
    this.store = store;
    this.quota = quota;
    held.addAll(store.rowGroups());
  }

  /**
   * Opens or creates the cache in {@code folder} and lists what it holds.
   *
   * @param folder one per cache key and slot; only one process at a time can hold it open
   * @param specs the tensors that every row group has
   * @throws IOException if the folder can't be made or another process holds it
   */
  public static TensorCache open(Path folder, List<TensorSpec> specs, TensorCacheConfig config)
      throws IOException {
    Files.createDirectories(folder);
    List<TensorSpec> tensors = List.copyOf(specs);
    RowGroupStore store = null;
    try {
      store = RowGroupStore.open(folder, tensors, config.recordBytes(), config.memoryBytes());
      long used = Math.max(folderBytes(folder), ENVIRONMENT_OVERHEAD);
      Quota quota = new Quota(folder, config.quotaBytes(), config.maxDiskShare(), used);
      TensorCache cache = new TensorCache(folder, tensors, config.recordBytes(), store, quota);
      LOG.info(
          "event=cache-open folder={} rowGroups={} bytes={} quota={}",
          folder,
          cache.held.size(),
          used,
          config.quotaBytes());
      return cache;
    } catch (DatabaseException | IOException e) {
      IOException failure =
          new IOException("cache folder " + folder + " can't be opened: " + e.getMessage(), e);
      if (store != null) {
        try {
          store.close();
        } catch (IOException close) {
          failure.addSuppressed(close);
        }
      }
      throw failure;
    }
  }

  /** Whether the row group is held whole. Answers from memory. */
  public boolean holds(int rowGroup) {
    return held.contains(rowGroup);
  }

  /** How many row groups are held. */
  public int size() {
    return held.size();
  }

  /** Bytes of the quota that are taken, an upper bound of what the folder takes on disk. */
  public long usedBytes() {
    return quota.used();
  }

  /**
   * Reads a row group back.
   *
   * @param pool where the arrays of its tensors are taken from
   * @return empty if it is not held, or if what is stored is not whole; in that case it is no
   *     longer held
   */
  public Optional<RowGroupTensors> get(int rowGroup, int rows, BlockPool pool) {
    if (!held.contains(rowGroup)) {
      return Optional.empty();
    }
    try {
      return Optional.of(store.read(rowGroup, rows, pool));
    } catch (DatabaseException | IOException e) {
      held.remove(rowGroup);
      LOG.warn(
          "event=cache-damaged folder={} rowGroup={} reason=\"{}\"",
          folder,
          rowGroup,
          e.toString());
      loseAllIfInvalid();
      return Optional.empty();
    }
  }

  /** JE gives an environment up for good when it finds it damaged or could not write. */
  private void loseAllIfInvalid() {
    if (!store.isValid() && lost.compareAndSet(false, true)) {
      LOG.warn("event=cache-lost folder={} rowGroups={}", folder, held.size());
      held.clear();
    }
  }

  /**
   * Keeps a row group if the quota has room for it.
   *
   * @return whether it is held now
   */
  public boolean put(int rowGroup, RowGroupTensors tensors) {
    if (!tensors.specs().equals(specs)) {
      throw new IllegalArgumentException("other tensors: " + tensors.specs() + ", not " + specs);
    }
    if (held.contains(rowGroup)) {
      return true;
    }
    if (lost.get() || !quota.reserve(bytesOnDisk(tensors))) {
      return false;
    }
    try {
      store.write(rowGroup, tensors);
      held.add(rowGroup);
      return true;
    } catch (DatabaseException e) {
      LOG.warn(
          "event=cache-write-failed folder={} rowGroup={} reason=\"{}\"",
          folder,
          rowGroup,
          e.toString());
      loseAllIfInvalid();
      return false;
    }
  }

  /** What writing a row group adds to the folder, at most. */
  private long bytesOnDisk(RowGroupTensors tensors) {
    if (tensors.quarantined().isPresent()) {
      return tensors.quarantined().get().length() * 3L + 2 * RECORD_OVERHEAD;
    }
    long sum = 2 * RECORD_OVERHEAD + tensorsOnDisk(specs, tensors.rows(), recordBytes);
    return tensors.rowValues().isPresent()
        ? sum + rowValuesOnDisk(tensors.rows(), recordBytes)
        : sum;
  }

  /**
   * What a row group takes of the quota, for planning; with row values, which one may be without.
   *
   * @param rows rows of the row group
   * @param recordBytes largest value of one record
   */
  public static long bytesOnDisk(List<TensorSpec> specs, long rows, int recordBytes) {
    return 2 * RECORD_OVERHEAD
        + tensorsOnDisk(specs, rows, recordBytes)
        + rowValuesOnDisk(rows, recordBytes);
  }

  private static long tensorsOnDisk(List<TensorSpec> specs, long rows, int recordBytes) {
    return specs.stream().mapToLong(spec -> blockOnDisk(rows * spec.rowBytes(), recordBytes)).sum();
  }

  private static long rowValuesOnDisk(long rows, int recordBytes) {
    return blockOnDisk(rows * RowGroupTensors.ROW_VALUE_BYTES, recordBytes);
  }

  private static long blockOnDisk(long bytes, int recordBytes) {
    return bytes + (bytes + recordBytes - 1) / recordBytes * RECORD_OVERHEAD;
  }

  private static long folderBytes(Path folder) throws IOException {
    long sum = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jdb")) {
      for (Path file : files) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  /** Closes the environment; readers and writers must have ended. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      store.close();
    } catch (IOException e) {
      LOG.warn("event=cache-close-failed folder={} reason=\"{}\"", folder, e.toString(), e);
    }
  }
}
