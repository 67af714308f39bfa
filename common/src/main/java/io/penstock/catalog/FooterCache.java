package io.penstock.catalog;

import io.penstock.config.CatalogSettings;
import io.penstock.config.ClientTimeouts;
import io.penstock.feed.DatasetSpec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where {@link KnownFooters} lie from one command to the next: {@code DIR/HASH.footers}, one file
 * for each list of paths and exclusions that a feed may have. Whatever goes wrong with it is
 * logged, and costs some seconds at most: the footers are then read from the dataset's files.
 */
final class FooterCache {
  private static final Logger LOG = LoggerFactory.getLogger(FooterCache.class);

  /** Fewer files are read as fast as the cache is. */
  static final int FEWEST_FILES = 16;

  private static final String SUFFIX = ".footers";
  private static final FsPermission FOLDER = new FsPermission((short) 0700);
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final Duration TOGETHER = Duration.ofSeconds(20);
  private static final Duration KEPT = Duration.ofDays(90);

  private final CatalogSettings settings;
  private final Configuration configuration;
  private final String name;
  private boolean failed;

  FooterCache(DatasetSpec dataset, Configuration configuration, CatalogSettings settings) {
    this.settings = settings;
    this.configuration = ClientTimeouts.within(ANSWER, configuration);
    String key = String.join("\n", dataset.paths()) + "\n\n" + String.join("\n", dataset.exclude());
    this.name = Sha256.hex(key.getBytes(StandardCharsets.UTF_8)) + SUFFIX;
  }

  private boolean isOff(int files) {
    return settings.footerCacheBytes() == 0 || files < FEWEST_FILES || failed;
  }

  /** What is known; nothing if it could not be read. */
  KnownFooters load(int files) {
    KnownFooters nothing = new KnownFooters(settings.footerCacheBytes());
    return isOff(files) ? nothing : within("read", this::load, nothing);
  }

  /** Keeps what is new. */
  void save(KnownFooters known, List<Path> files) {
    if (isOff(files.size())) {
      return;
    }
    LOG.info("event=known-footers files={} {}", files.size(), known.figures());
    if (known.hasNew()) {
      within(
          "write",
          () -> {
            write(known, files);
            return null;
          },
          null);
    }
  }

  private KnownFooters load() throws IOException {
    try (FileSystem fileSystem = open()) {
      Path file = new Path(settings.footerCacheDir(), name);
      try {
        return KnownFooters.read(
            file.toString(), fileSystem.open(file), settings.footerCacheBytes());
      } catch (FileNotFoundException e) {
        return new KnownFooters(settings.footerCacheBytes());
      }
    }
  }

  private void write(KnownFooters known, List<Path> files) throws IOException {
    try (FileSystem fileSystem = open()) {
      Path folder = new Path(settings.footerCacheDir());
      fileSystem.mkdirs(folder, FOLDER);
      Path half = new Path(folder, "." + name + "." + UUID.randomUUID() + ".half");
      try (OutputStream out = fileSystem.create(half, true)) {
        known.write(files, out);
      }
      Path file = new Path(folder, name);
      fileSystem.delete(file, false);
      if (!fileSystem.rename(half, file)) {
        // Another command has just written it.
        fileSystem.delete(half, false);
      }
      sweep(fileSystem, folder);
    }
  }

  /** Removes what nobody has written for long, and what was never finished. */
  private static void sweep(FileSystem fileSystem, Path folder) throws IOException {
    long oldest = System.currentTimeMillis() - KEPT.toMillis();
    for (FileStatus file : fileSystem.listStatus(folder)) {
      if (file.isFile() && file.getModificationTime() < oldest) {
        fileSystem.delete(file.getPath(), false);
      }
    }
  }

  private FileSystem open() throws IOException {
    Path folder = new Path(settings.footerCacheDir());
    FileSystem fileSystem =
        folder.toUri().getScheme() == null
            ? FileSystem.newInstance(configuration)
            : FileSystem.newInstance(folder.toUri(), configuration);
    fileSystem.setWorkingDirectory(fileSystem.getHomeDirectory());
    return fileSystem;
  }

  private <T> T within(String doing, Callable<T> work, T otherwise) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "footer-cache");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(TOGETHER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      LOG.info("event=footer-cache-failed doing={} reason=\"{}\"", doing, e.getCause().toString());
    } catch (TimeoutException e) {
      LOG.info("event=footer-cache-late doing={} waited={}", doing, TOGETHER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      task.cancel(true);
    }
    failed = true;
    return otherwise;
  }
}
