package io.penstock.container.cache;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskOrderedCursor;
import com.sleepycat.je.DiskOrderedCursorConfig;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.Get;
import com.sleepycat.je.OperationResult;
import com.sleepycat.je.Put;
import com.sleepycat.je.ReadOptions;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.TransactionConfig;
import com.sleepycat.je.WriteOptions;
import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.model.TensorSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tensors of whole row groups on local disk, under a quota, with no eviction.
 *
 * <h2>What lies where</h2>
 *
 * One JE environment in a folder that the cache key names, so an entry never outlives what it was
 * made from and room is made by deleting whole folders. Two databases:
 *
 * <pre>
 *   blocks    key    row group int32 | tensor int32 | part int32          (big-endian, so parts lie in order)
 *             value  up to {@code recordBytes} bytes of the tensor's block
 *   complete  key    row group int32
 *             value  rows int32 | reason (UTF-8) of a quarantined row group, empty for a good one
 * </pre>
 *
 * A row group is written in one transaction, {@code complete} last; it is flushed to the operating
 * system and not to the disk, so it survives the death of the process, and after a power cut JE's
 * recovery drops what was cut off. A quarantined row group has no blocks: its bytes are zero.
 *
 * <h2>Quota</h2>
 *
 * JE's cleaner is off and nothing is deleted, so the log only grows and what a row group takes is
 * known before it is written: its bytes and a small overhead a record. Room is reserved first; a
 * row group that does not fit is not written, and the caller reads it from storage in every epoch.
 * What a failed write reserved stays reserved, since its log entries may stay too. The quota bounds
 * the whole folder.
 *
 * <h2>Damage</h2>
 *
 * A read or write that fails makes a row group not held. JE gives the whole environment up when it
 * finds its log damaged or can't write it; from then on nothing is held and nothing is put.
 *
 * <h2>Threads</h2>
 *
 * Worker threads read and write at the same time. None of them may ever be interrupted: an
 * interrupt inside JE's I/O invalidates the environment. Opening, which lists what is held, is done
 * by the opener's thread.
 */
public final class TensorCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TensorCache.class);

  /**
   * Log entry header, key, B-tree entry and checkpoint share; measured 70, taken with room to
   * spare.
   */
  static final int RECORD_OVERHEAD = 256;

  /** What an empty environment and its checkpoints take; taken off the quota once. */
  static final long ENVIRONMENT_OVERHEAD = 256 << 10;

  private static final long LOCK_TIMEOUT_SECONDS = 60;
  private static final int KEY_BYTES = 3 * Integer.BYTES;

  private final Path folder;
  private final List<TensorSpec> specs;
  private final TensorCacheConfig config;
  private final Environment environment;
  private final Database blocks;
  private final Database complete;
  private final Set<Integer> held = ConcurrentHashMap.newKeySet();
  private final AtomicLong used;
  private final AtomicBoolean saidFull = new AtomicBoolean();
  private final AtomicBoolean lost = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  private TensorCache(
      Path folder,
      List<TensorSpec> specs,
      TensorCacheConfig config,
      Environment environment,
      Database blocks,
      Database complete,
      long used) {
    this.folder = folder;
    this.specs = specs;
    this.config = config;
    this.environment = environment;
    this.blocks = blocks;
    this.complete = complete;
    this.used = new AtomicLong(used);
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
    Environment environment = null;
    Database blocks = null;
    Database complete = null;
    try {
      environment = new Environment(folder.toFile(), environmentConfig(config));
      DatabaseConfig database =
          new DatabaseConfig()
              .setAllowCreate(true)
              .setTransactional(true)
              .setCacheMode(CacheMode.EVICT_LN);
      blocks = environment.openDatabase(null, "blocks", database);
      complete = environment.openDatabase(null, "complete", database);
      long used = Math.max(folderBytes(folder), ENVIRONMENT_OVERHEAD);
      TensorCache cache =
          new TensorCache(folder, List.copyOf(specs), config, environment, blocks, complete, used);
      cache.listHeld();
      LOG.info(
          "event=cache-open folder={} rowGroups={} bytes={} quota={}",
          folder,
          cache.held.size(),
          used,
          config.quotaBytes());
      return cache;
    } catch (DatabaseException e) {
      closeQuietly(e, complete, blocks, environment);
      throw new IOException("cache folder " + folder + " can't be opened: " + e.getMessage(), e);
    }
  }

  private static EnvironmentConfig environmentConfig(TensorCacheConfig config) {
    EnvironmentConfig je = new EnvironmentConfig();
    je.setAllowCreate(true);
    je.setTransactional(true);
    je.setDurability(Durability.COMMIT_WRITE_NO_SYNC);
    je.setCacheSize(config.memoryBytes());
    je.setCacheMode(CacheMode.EVICT_LN);
    je.setLockTimeout(LOCK_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    je.setConfigParam(EnvironmentConfig.ENV_RUN_CLEANER, "false");
    je.setConfigParam(EnvironmentConfig.ENV_RUN_VERIFIER, "false");
    // Its file would grow in the folder that the quota bounds.
    je.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    je.setConfigParam(EnvironmentConfig.FREE_DISK, "0");
    je.setConfigParam(EnvironmentConfig.MAX_DISK, "0");
    je.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, Integer.toString(256 << 20));
    je.setConfigParam(EnvironmentConfig.LOG_BUFFER_SIZE, Integer.toString(2 << 20));
    je.setConfigParam(EnvironmentConfig.LOG_NUM_BUFFERS, "3");
    je.setConfigParam(EnvironmentConfig.LOG_TOTAL_BUFFER_BYTES, Integer.toString(6 << 20));
    je.setConfigParam(
        EnvironmentConfig.LOG_FAULT_READ_SIZE, Integer.toString(config.recordBytes() + 4096));
    je.setConfigParam(
        EnvironmentConfig.LOG_CHECKSUM_READ, Boolean.toString(config.checksums().verified()));
    je.setConfigParam(EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, Long.toString(512L << 20));
    return je;
  }

  private void listHeld() {
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry value = new DatabaseEntry();
    value.setPartial(0, 0, true);
    try (DiskOrderedCursor cursor =
        complete.openCursor(new DiskOrderedCursorConfig().setKeysOnly(true))) {
      while (cursor.get(key, value, Get.NEXT, null) != null) {
        held.add(ByteBuffer.wrap(key.getData()).getInt());
      }
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
    return used.get();
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
      Optional<RowGroupTensors> found = read(rowGroup, rows, pool);
      if (found.isEmpty()) {
        held.remove(rowGroup);
        LOG.warn("event=cache-damaged folder={} rowGroup={} reason=incomplete", folder, rowGroup);
      }
      return found;
    } catch (DatabaseException e) {
      held.remove(rowGroup);
      LOG.warn(
          "event=cache-damaged folder={} rowGroup={} reason={}", folder, rowGroup, e.toString());
      loseAllIfInvalid();
      return Optional.empty();
    }
  }

  /** JE gives an environment up for good when it finds it damaged or could not write. */
  private void loseAllIfInvalid() {
    if (!environment.isValid() && lost.compareAndSet(false, true)) {
      LOG.warn("event=cache-lost folder={} rowGroups={}", folder, held.size());
      held.clear();
    }
  }

  private Optional<RowGroupTensors> read(int rowGroup, int rows, BlockPool pool) {
    DatabaseEntry value = new DatabaseEntry();
    if (complete.get(null, completeKey(rowGroup), value, Get.SEARCH, null) == null) {
      return Optional.empty();
    }
    ByteBuffer header = ByteBuffer.wrap(value.getData());
    if (header.getInt() != rows) {
      return Optional.empty();
    }
    String reason = StandardCharsets.UTF_8.decode(header).toString();
    if (!reason.isEmpty()) {
      return Optional.of(RowGroupTensors.quarantined(rows, specs, reason));
    }
    ReadOptions options = new ReadOptions().setCacheMode(CacheMode.EVICT_LN);
    byte[][] arrays = new byte[specs.size()][];
    for (int tensor = 0; tensor < arrays.length; tensor++) {
      int bytes = Math.toIntExact((long) rows * specs.get(tensor).rowBytes());
      byte[] block = pool.take(bytes);
      for (int from = 0, part = 0; from < bytes; part++) {
        int length = Math.min(config.recordBytes(), bytes - from);
        OperationResult result =
            blocks.get(null, blockKey(rowGroup, tensor, part), value, Get.SEARCH, options);
        if (result == null || value.getSize() != length) {
          return Optional.empty();
        }
        System.arraycopy(value.getData(), value.getOffset(), block, from, length);
        from += length;
      }
      arrays[tensor] = block;
    }
    return Optional.of(RowGroupTensors.of(rows, specs, arrays));
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
    if (lost.get() || !reserve(bytesOnDisk(tensors))) {
      return false;
    }
    Transaction transaction = null;
    boolean committed = false;
    try {
      transaction =
          environment.beginTransaction(
              null, new TransactionConfig().setDurability(Durability.COMMIT_WRITE_NO_SYNC));
      WriteOptions options = new WriteOptions().setCacheMode(CacheMode.EVICT_LN);
      if (tensors.quarantined().isEmpty()) {
        for (int tensor = 0; tensor < specs.size(); tensor++) {
          byte[] block = tensors.blocks()[tensor];
          int bytes = tensors.bytes(tensor);
          for (int from = 0, part = 0; from < bytes; part++) {
            int length = Math.min(config.recordBytes(), bytes - from);
            blocks.put(
                transaction,
                blockKey(rowGroup, tensor, part),
                new DatabaseEntry(block, from, length),
                Put.OVERWRITE,
                options);
            from += length;
          }
        }
      }
      byte[] reason = tensors.quarantined().orElse("").getBytes(StandardCharsets.UTF_8);
      byte[] header =
          ByteBuffer.allocate(Integer.BYTES + reason.length)
              .putInt(tensors.rows())
              .put(reason)
              .array();
      complete.put(
          transaction, completeKey(rowGroup), new DatabaseEntry(header), Put.OVERWRITE, options);
      transaction.commit();
      committed = true;
      held.add(rowGroup);
      return true;
    } catch (DatabaseException e) {
      LOG.warn(
          "event=cache-write-failed folder={} rowGroup={} reason={}",
          folder,
          rowGroup,
          e.toString());
      loseAllIfInvalid();
      return false;
    } finally {
      if (!committed && transaction != null && environment.isValid()) {
        transaction.abort();
      }
    }
  }

  /** What writing a row group adds to the folder, at most. */
  private long bytesOnDisk(RowGroupTensors tensors) {
    if (tensors.quarantined().isPresent()) {
      return tensors.quarantined().get().length() * 3L + 2 * RECORD_OVERHEAD;
    }
    return bytesOnDisk(specs, tensors.rows(), config.recordBytes());
  }

  /**
   * What a row group takes of the quota, for planning.
   *
   * @param rows rows of the row group
   * @param recordBytes largest value of one record
   */
  public static long bytesOnDisk(List<TensorSpec> specs, long rows, int recordBytes) {
    long sum = 2 * RECORD_OVERHEAD;
    for (TensorSpec spec : specs) {
      long bytes = rows * spec.rowBytes();
      sum += bytes + (bytes + recordBytes - 1) / recordBytes * RECORD_OVERHEAD;
    }
    return sum;
  }

  private boolean reserve(long bytes) {
    long before = used.getAndUpdate(u -> u + bytes <= config.quotaBytes() ? u + bytes : u);
    if (before + bytes > config.quotaBytes()) {
      sayFull("quota", before, bytes);
      return false;
    }
    if (diskIsFull(bytes)) {
      used.addAndGet(-bytes);
      sayFull("disk", before, bytes);
      return false;
    }
    return true;
  }

  private void sayFull(String what, long before, long bytes) {
    if (saidFull.compareAndSet(false, true)) {
      LOG.info(
          "event=cache-full what={} folder={} used={} next={} quota={}",
          what,
          folder,
          before,
          bytes,
          config.quotaBytes());
    }
  }

  private boolean diskIsFull(long bytes) {
    try {
      FileStore store = Files.getFileStore(folder);
      double free = store.getUsableSpace() - (double) bytes;
      return free < store.getTotalSpace() * (1 - config.maxDiskShare());
    } catch (IOException e) {
      LOG.warn("event=cache-disk-unknown folder={} reason={}", folder, e.toString());
      return true;
    }
  }

  private static DatabaseEntry blockKey(int rowGroup, int tensor, int part) {
    return new DatabaseEntry(
        ByteBuffer.allocate(KEY_BYTES).putInt(rowGroup).putInt(tensor).putInt(part).array());
  }

  private static DatabaseEntry completeKey(int rowGroup) {
    return new DatabaseEntry(ByteBuffer.allocate(Integer.BYTES).putInt(rowGroup).array());
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
    DatabaseException failure = new DatabaseCloseFailure();
    closeQuietly(failure, complete, blocks, environment);
    for (Throwable suppressed : failure.getSuppressed()) {
      LOG.warn("event=cache-close-failed folder={} reason={}", folder, suppressed.toString());
    }
  }

  private static void closeQuietly(Throwable cause, java.io.Closeable... parts) {
    for (java.io.Closeable part : parts) {
      if (part == null) {
        continue;
      }
      try {
        part.close();
      } catch (IOException | DatabaseException e) {
        cause.addSuppressed(e);
      }
    }
  }

  /** Collects what closing threw. */
  private static final class DatabaseCloseFailure extends DatabaseException {
    private static final long serialVersionUID = 1L;

    DatabaseCloseFailure() {
      super("closing");
    }
  }
}
