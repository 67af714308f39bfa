package io.penstock.container.cache;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.dbi.CursorImpl;
import com.sleepycat.je.utilint.DbLsn;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;

/**
 * Reads values from where JE wrote them, straight into the array that they are wanted in.
 *
 * <h2>Why not through JE</h2>
 *
 * {@code Database.get} reads a log entry by way of malloc'ed memory into a new array, copies the
 * value into a second one and that into a third, which the caller copies. It holds the latch of the
 * B-tree's leaf meanwhile, so that readers of neighbours wait for each other. This takes less than
 * a third of the CPU time a byte and makes no garbage (docs/performance.md). Files are not mapped:
 * YARN would count their pages as the container's memory.
 *
 * <h2>Why it may</h2>
 *
 * A log entry never moves or changes: JE's log is only appended to, and its cleaner, which alone
 * would move entries, is off. A value lies in its log entry as it was put, followed by the key,
 * which ends the entry. What was committed has been written to the file. The place is taken from JE
 * when the value is put; a wrong one, or damaged bytes, would be found by the checksum.
 *
 * <p>{@link #placeOf} alone depends on classes that are not part of JE's documented interface.
 */
final class LogFiles implements Closeable {
  /** Small enough for a part to be still in the core's cache when its checksum is taken. */
  private static final int STEP = 128 << 10;

  private final Path folder;
  private final Map<Integer, FileChannel> channels = new ConcurrentHashMap<>();

  LogFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * Where the value that {@code cursor} has just put lies.
   *
   * @param keyBytes length of its key
   * @param block what the value was put from
   * @param from its first byte in {@code block}
   * @param length its bytes
   */
  static LogPlace placeOf(Cursor cursor, int keyBytes, byte[] block, int from, int length) {
    CursorImpl position = DbInternal.getCursorImpl(cursor);
    long entry;
    int entryBytes;
    position.latchBIN();
    try {
      entry = position.getBIN().getLsn(position.getIndex());
      entryBytes = position.getBIN().getLastLoggedSize(position.getIndex());
    } finally {
      position.releaseBIN();
    }
    if (entryBytes < keyBytes + length) {
      throw new IllegalStateException(
          "a log entry of " + entryBytes + " bytes can't hold a value of " + length);
    }
    CRC32C checksum = new CRC32C();
    checksum.update(block, from, length);
    return new LogPlace(
        Math.toIntExact(DbLsn.getFileNumber(entry)),
        Math.toIntExact(DbLsn.getFileOffset(entry) + entryBytes - keyBytes - length),
        length,
        (int) checksum.getValue());
  }

  /**
   * Reads a value.
   *
   * @param into gets it, from {@code from} on
   * @throws IOException if it can't be read, or is not what was put there
   */
  void read(LogPlace place, byte[] into, int from) throws IOException {
    FileChannel channel = channel(place.file());
    ByteBuffer target = ByteBuffer.wrap(into);
    CRC32C checksum = new CRC32C();
    int done = 0;
    while (done < place.length()) {
      target.limit(from + Math.min(done + STEP, place.length())).position(from + done);
      int read = channel.read(target, (long) place.offset() + done);
      if (read < 0) {
        throw new EOFException(file(place.file()) + " ends before " + place);
      }
      checksum.update(into, from + done, read);
      done += read;
    }
    if ((int) checksum.getValue() != place.checksum()) {
      throw new IOException("damaged: " + file(place.file()) + " at " + place);
    }
  }

  private FileChannel channel(int file) throws IOException {
    try {
      return channels.computeIfAbsent(file, this::open);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private FileChannel open(int file) {
    try {
      return FileChannel.open(file(file), StandardOpenOption.READ);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(int number) {
    return folder.resolve("%08x.jdb".formatted(number));
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (FileChannel channel : channels.values()) {
      try {
        channel.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    channels.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
