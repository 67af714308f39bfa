package io.penstock.container.cache;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.Cursor;
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
import com.sleepycat.je.Put;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.TransactionConfig;
import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.model.TensorSpec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Row groups in a JE environment: what lies where, and how it is written and read.
 *
 * <h2>Layout</h2>
 *
 * <pre>
 *   parts  key    row group int32 | block int32 | part int32            (big-endian)
 *          value  up to {@code recordBytes} bytes of the block: a tensor's, or after the last
 *                 tensor's that of the row values, if there are any
 *   whole  key    row group int32
 *          value  {@link StoredRowGroup}: rows, and where in the log each part lies
 * </pre>
 *
 * A row group is written in one transaction, {@code whole} last; it is flushed to the operating
 * system and not to the disk, so it survives the death of the process, and after a power cut JE's
 * recovery drops what was cut off. A quarantined row group has no parts: its bytes are zero.
 *
 * <p>A row group is read by one search in {@code whole}; its parts are then read by {@link
 * LogFiles} from JE's log files, past the B-tree. Every part is checked against its checksum,
 * everything else against JE's.
 *
 * <p>JE's cleaner is off and nothing is deleted: what is written stays where it is, and the log
 * only grows.
 */
final class RowGroupStore implements Closeable {
  /** Changes with what lies where, so that no store is read by another version's rules. */
  static final int LAYOUT = 3;

  private static final long LOCK_TIMEOUT_SECONDS = 60;
  private static final int KEY_BYTES = 3 * Integer.BYTES;

  private final List<TensorSpec> specs;
  private final int recordBytes;
  private final Environment environment;
  private final Database parts;
  private final Database whole;
  private final LogFiles log;

  private RowGroupStore(
      Path folder,
      List<TensorSpec> specs,
      int recordBytes,
      Environment environment,
      Database parts,
      Database whole) {
    this.specs = specs;
    this.recordBytes = recordBytes;
    this.environment = environment;
    this.parts = parts;
    this.whole = whole;
    this.log = new LogFiles(folder);
  }

  /**
   * Opens or creates the environment.
   *
   * @param folder there is such a folder
   * @param specs the tensors that every row group has
   * @param recordBytes largest value that is written
   * @param memoryBytes JE's own cache, which holds the B-trees alone
   * @throws DatabaseException if it is damaged, or another process holds it
   */
  static RowGroupStore open(
      Path folder, List<TensorSpec> specs, int recordBytes, long memoryBytes) {
    Environment environment = new Environment(folder.toFile(), environmentConfig(memoryBytes));
    Database parts = null;
    Database whole = null;
    try {
      DatabaseConfig database =
          new DatabaseConfig()
              .setAllowCreate(true)
              .setTransactional(true)
              .setCacheMode(CacheMode.EVICT_LN);
      parts = environment.openDatabase(null, "parts", database);
      whole = environment.openDatabase(null, "whole", database);
      return new RowGroupStore(folder, specs, recordBytes, environment, parts, whole);
    } catch (DatabaseException e) {
      closeAll(e, whole, parts, environment);
      throw e;
    }
  }

  private static EnvironmentConfig environmentConfig(long memoryBytes) {
    EnvironmentConfig je = new EnvironmentConfig();
    je.setAllowCreate(true);
    je.setTransactional(true);
    je.setDurability(Durability.COMMIT_WRITE_NO_SYNC);
    je.setCacheSize(memoryBytes);
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
    // An embedded value's log entry has no size in the B-tree, which its place is worked out from.
    je.setConfigParam(EnvironmentConfig.TREE_MAX_EMBEDDED_LN, "0");
    je.setConfigParam(EnvironmentConfig.CHECKPOINTER_BYTES_INTERVAL, Long.toString(512L << 20));
    return je;
  }

  /** The row groups that are there whole. */
  Set<Integer> rowGroups() {
    Set<Integer> found = new HashSet<>();
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry value = new DatabaseEntry();
    value.setPartial(0, 0, true);
    try (DiskOrderedCursor cursor =
        whole.openCursor(new DiskOrderedCursorConfig().setKeysOnly(true))) {
      while (cursor.get(key, value, Get.NEXT, null) != null) {
        found.add(ByteBuffer.wrap(key.getData()).getInt());
      }
    }
    return found;
  }

  /** False once JE has given the environment up, because it is damaged or could not be written. */
  boolean isValid() {
    return environment.isValid();
  }

  /**
   * Reads a row group.
   *
   * @param pool where the arrays of its tensors are taken from
   * @throws IOException if it is not there whole, or has another number of rows
   * @throws DatabaseException if JE can't read it
   */
  RowGroupTensors read(int rowGroup, int rows, BlockPool pool) throws IOException {
    DatabaseEntry value = new DatabaseEntry();
    if (whole.get(null, wholeKey(rowGroup), value, Get.SEARCH, null) == null) {
      throw new IOException("it is not there");
    }
    StoredRowGroup stored = StoredRowGroup.from(ByteBuffer.wrap(value.getData()));
    if (stored.rows() != rows) {
      throw new IOException("it has " + stored.rows() + " rows, not " + rows);
    }
    if (!stored.reason().isEmpty()) {
      return RowGroupTensors.quarantined(rows, specs, stored.reason());
    }
    byte[][] blocks = new byte[specs.size()][];
    byte[] rowValues = null;
    try {
      Iterator<LogPlace> places = stored.places().iterator();
      for (int tensor = 0; tensor < blocks.length; tensor++) {
        int bytes = Math.toIntExact((long) rows * specs.get(tensor).rowBytes());
        blocks[tensor] = pool.take(bytes);
        readBlock(places, blocks[tensor], bytes);
      }
      if (places.hasNext()) {
        int bytes = rows * RowGroupTensors.ROW_VALUE_BYTES;
        rowValues = pool.take(bytes);
        readBlock(places, rowValues, bytes);
      }
    } catch (IOException e) {
      pool.giveBack(blocks);
      pool.giveBack(rowValues);
      throw e;
    }
    RowGroupTensors tensors = RowGroupTensors.of(rows, specs, blocks);
    return rowValues == null ? tensors : tensors.withRowValues(rowValues);
  }

  private void readBlock(Iterator<LogPlace> places, byte[] block, int bytes) throws IOException {
    for (int from = 0; from < bytes; ) {
      int left = bytes - from;
      if (!places.hasNext()) {
        throw new IOException("the last " + left + " bytes of a block are not there");
      }
      LogPlace place = places.next();
      if (place.length() > left) {
        throw new IOException(place + " is longer than the " + left + " bytes of its block");
      }
      log.read(place, block, from);
      from += place.length();
    }
  }

  /**
   * Writes a row group, all of it or nothing.
   *
   * @throws DatabaseException if JE can't
   */
  void write(int rowGroup, RowGroupTensors tensors) {
    Transaction transaction =
        environment.beginTransaction(
            null, new TransactionConfig().setDurability(Durability.COMMIT_WRITE_NO_SYNC));
    boolean committed = false;
    try {
      List<LogPlace> places =
          tensors.quarantined().isPresent() ? List.of() : putParts(transaction, rowGroup, tensors);
      StoredRowGroup stored =
          new StoredRowGroup(tensors.rows(), places, tensors.quarantined().orElse(""));
      whole.put(
          transaction,
          wholeKey(rowGroup),
          new DatabaseEntry(stored.toBytes()),
          Put.OVERWRITE,
          null);
      transaction.commit();
      committed = true;
    } finally {
      if (!committed && environment.isValid()) {
        transaction.abort();
      }
    }
  }

  private List<LogPlace> putParts(Transaction transaction, int rowGroup, RowGroupTensors tensors) {
    List<LogPlace> places = new ArrayList<>();
    try (Cursor cursor = parts.openCursor(transaction, null)) {
      for (int tensor = 0; tensor < specs.size(); tensor++) {
        byte[] block = tensors.blocks()[tensor];
        putBlock(cursor, rowGroup, tensor, block, tensors.bytes(tensor), places);
      }
      if (tensors.rowValues().isPresent()) {
        int bytes = tensors.rows() * RowGroupTensors.ROW_VALUE_BYTES;
        putBlock(cursor, rowGroup, specs.size(), tensors.rowValues().get(), bytes, places);
      }
    }
    return places;
  }

  private void putBlock(
      Cursor cursor, int rowGroup, int number, byte[] block, int bytes, List<LogPlace> places) {
    for (int from = 0, part = 0; from < bytes; part++) {
      int length = Math.min(recordBytes, bytes - from);
      cursor.put(
          partKey(rowGroup, number, part),
          new DatabaseEntry(block, from, length),
          Put.OVERWRITE,
          null);
      places.add(LogFiles.placeOf(cursor, KEY_BYTES, block, from, length));
      from += length;
    }
  }

  private static DatabaseEntry partKey(int rowGroup, int block, int part) {
    return new DatabaseEntry(
        ByteBuffer.allocate(KEY_BYTES).putInt(rowGroup).putInt(block).putInt(part).array());
  }

  private static DatabaseEntry wholeKey(int rowGroup) {
    return new DatabaseEntry(ByteBuffer.allocate(Integer.BYTES).putInt(rowGroup).array());
  }

  /** Closes the environment; readers and writers must have ended. */
  @Override
  public void close() throws IOException {
    IOException failure = new IOException("the environment can't be closed");
    closeAll(failure, log, whole, parts, environment);
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }

  private static void closeAll(Throwable cause, Closeable... opened) {
    for (Closeable one : opened) {
      if (one == null) {
        continue;
      }
      try {
        one.close();
      } catch (IOException | DatabaseException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
