package io.penstock.container;

import io.penstock.feed.Feed;
import io.penstock.feed.NamedFile;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The jars that a feed names as files of this machine, wherever the feed was read from: the very
 * bytes that its digest is of. Not thread-safe.
 */
final class NamedJars implements AutoCloseable {
  private final Feed feed;
  private final Map<String, Path> copies = new LinkedHashMap<>();

  NamedJars(Feed feed) {
    this.feed = feed;
  }

  /**
   * Where a jar lies until this is closed.
   *
   * @param name as the feed writes it
   * @throws UsageException if it can't be written to the temporary folder
   */
  Path path(String name) {
    return copies.computeIfAbsent(name, this::copy);
  }

  private Path copy(String name) {
    NamedFile file = feed.files().get(name);
    if (file == null) {
      throw new IllegalArgumentException("the feed names no such file: " + name);
    }
    try {
      Path copy = Files.createTempFile("penstock-", ".jar");
      copy.toFile().deleteOnExit();
      return Files.write(copy, file.bytes());
    } catch (IOException e) {
      throw new UsageException("can't write a copy of jar " + name + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    IOException failure = null;
    for (Path copy : copies.values()) {
      try {
        Files.deleteIfExists(copy);
      } catch (IOException e) {
        failure = e;
      }
    }
    copies.clear();
    if (failure != null) {
      throw new UncheckedIOException(failure);
    }
  }
}
