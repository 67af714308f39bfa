package io.penstock.container;

import io.penstock.config.CacheSettings;
import io.penstock.container.cache.TensorCache;
import io.penstock.container.cache.TensorCacheConfig;
import io.penstock.model.TensorSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank's folder on its host's disks, which outlives the job.
 *
 * <pre>
 *   DIR/slot-N/lock            held by the process that uses the slot
 *   DIR/slot-N/KEY/*.jdb       the cache of one feed over one state of its dataset
 * </pre>
 *
 * The quota is the slot's: caches of other keys are deleted whole, the one that was used longest
 * ago first, until what this one needs has room. A slot that another process holds is passed over.
 * A damaged cache is begun anew.
 */
final class CacheFolders implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheFolders.class);

  /** More processes than that on one host share its disks badly anyway. */
  private static final int MOST_SLOTS = 1024;

  private final FileChannel channel;
  private final FileLock lock;
  private final Path slotFolder;
  private final int slot;
  private final String key;
  private final TensorCache cache;

  private CacheFolders(
      FileChannel channel,
      FileLock lock,
      Path slotFolder,
      int slot,
      String key,
      TensorCache cache) {
    this.channel = channel;
    this.lock = lock;
    this.slotFolder = slotFolder;
    this.slot = slot;
    this.key = key;
    this.cache = cache;
  }

  /**
   * Claims a slot and opens the cache of a feed in it.
   *
   * @param first the slot to try first
   */
  static CacheFolders of(PreparedFeed feed, CacheSettings settings, int first) throws IOException {
    long need = 0;
    for (int rows : feed.catalog().rowCounts()) {
      need += TensorCache.bytesOnDisk(feed.bound().specs(), rows, settings.recordBytes());
    }
    return open(settings, first, key(feed), feed.bound().specs(), need);
  }

  /**
   * Names what the cached bytes are made from: the feed, the files' state, and the tensors' layout.
   */
  private static String key(PreparedFeed feed) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      String text = TensorCache.LAYOUT + " " + feed.feed().digest() + " " + feed.catalog().digest();
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Claims a slot and opens the cache of a key in it.
   *
   * @param first the slot to try first
   * @param needBytes what all row groups that this rank may load take
   */
  static CacheFolders open(
      CacheSettings settings, int first, String key, List<TensorSpec> specs, long needBytes)
      throws IOException {
    for (int slot = first; slot < first + MOST_SLOTS; slot++) {
      Path folder =
          Path.of(settings.dirs().get(slot % settings.dirs().size())).resolve("slot-" + slot);
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        continue;
      }
      try {
        long others = makeRoom(folder, key, Math.min(needBytes, settings.quotaBytes()), settings);
        TensorCache cache =
            openOrBegin(
                folder.resolve(key),
                specs,
                new TensorCacheConfig(
                    settings.quotaBytes() - others,
                    settings.recordBytes(),
                    settings.memoryBytes(),
                    settings.maxDiskShare()));
        return new CacheFolders(channel, lock, folder, slot, key, cache);
      } catch (Throwable failure) {
        channel.close();
        throw failure;
      }
    }
    throw new IOException("no free slot in " + settings.dirs() + " from slot " + first + " on");
  }

  /** A cache that can't be opened is damaged, since the slot is ours: it is begun anew, once. */
  private static TensorCache openOrBegin(
      Path folder, List<TensorSpec> specs, TensorCacheConfig config) throws IOException {
    try {
      return TensorCache.open(folder, specs, config);
    } catch (IOException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
      LOG.warn("event=cache-begun-anew folder={} reason=\"{}\"", folder, e.getMessage());
      delete(folder);
      return TensorCache.open(folder, specs, config);
    }
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Deletes other keys' caches until {@code needBytes} fit; returns what the others still take. */
  private static long makeRoom(Path folder, String key, long needBytes, CacheSettings settings)
      throws IOException {
    record Other(Path path, long bytes, FileTime used) {}
    List<Other> others = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
      for (Path entry : entries) {
        if (!entry.getFileName().toString().equals(key)) {
          others.add(new Other(entry, bytes(entry), Files.getLastModifiedTime(entry)));
        }
      }
    }
    others.sort(Comparator.comparing(Other::used));
    long sum = others.stream().mapToLong(Other::bytes).sum();
    for (Other other : others) {
      if (sum + needBytes <= settings.quotaBytes()) {
        break;
      }
      delete(other.path());
      sum -= other.bytes();
      LOG.info("event=cache-deleted folder={} bytes={}", other.path(), other.bytes());
    }
    return sum;
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  TensorCache cache() {
    return cache;
  }

  /** What names the cached bytes. */
  String key() {
    return key;
  }

  /** Which slot was free. */
  int slot() {
    return slot;
  }

  /** Closes the cache and lets go of the slot. */
  @Override
  public void close() throws IOException {
    try {
      cache.close();
      LOG.info(
          "event=cache-close folder={} rowGroups={} bytes={}",
          slotFolder,
          cache.size(),
          cache.usedBytes());
    } finally {
      lock.release();
      channel.close();
    }
  }
}
