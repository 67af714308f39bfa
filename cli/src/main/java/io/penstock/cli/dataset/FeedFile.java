package io.penstock.cli.dataset;

import io.penstock.config.ClientTimeouts;
import io.penstock.config.Settings;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.feed.NamedFiles;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A feed file that was read and checked.
 *
 * <h2>Where paths lead</h2>
 *
 * The feed file is a file of this machine unless its path has a scheme. The files that it names lie
 * beside it if their path is relative, and else on the same file system unless their path has a
 * scheme. (The paths of the dataset are Hadoop's: without a scheme they are on {@code
 * fs.defaultFS}.)
 *
 * @param text its content
 */
public record FeedFile(String text, Feed feed) {
  public FeedFile {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(feed, "feed");
  }

  /**
   * Reads it.
   *
   * @throws UsageException with everything that is wrong with it
   * @throws UnreachableException if the file system that it lies on was not reached
   */
  public static FeedFile read(String path, Configuration configuration, Settings settings) {
    Configuration patient = patient(configuration, settings);
    Path folder = path(path).getParent();
    String text = text(path, patient);
    return new FeedFile(
        text, FeedParser.parse(text, path, named -> bytes(new Path(folder, named), patient)));
  }

  /**
   * Reads it with other files in place of those that it names.
   *
   * @throws UsageException with everything that is wrong with it
   * @throws UnreachableException if the file system that it lies on was not reached
   */
  public static FeedFile read(
      String path, NamedFiles files, Configuration configuration, Settings settings) {
    String text = text(path, patient(configuration, settings));
    return new FeedFile(text, FeedParser.parse(text, path, files));
  }

  private static Configuration patient(Configuration configuration, Settings settings) {
    return ClientTimeouts.within(settings.catalog().connectTimeout(), configuration);
  }

  private static Path path(String path) {
    return path.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*") ? new Path(path) : local(path);
  }

  private static String text(String path, Configuration patient) {
    Path file = path(path);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes(file, patient)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new UsageException(path + ": is not UTF-8", e);
    } catch (FileNotFoundException e) {
      throw new UsageException("there is no such feed file: " + path, e);
    } catch (IOException e) {
      throw unreadable(path, file, e);
    }
  }

  private static RuntimeException unreadable(String path, Path file, IOException e) {
    String message = "can't read the feed file " + path + ": " + e.getMessage();
    return "file".equals(file.toUri().getScheme())
        ? new UsageException(message, e)
        : new UnreachableException(message, e);
  }

  private static Path local(String path) {
    return new Path(java.nio.file.Path.of(path).toAbsolutePath().normalize().toUri());
  }

  private static byte[] bytes(Path file, Configuration configuration) throws IOException {
    try (FileSystem fileSystem = FileSystem.newInstance(file.toUri(), configuration)) {
      if (fileSystem.getFileStatus(file).isDirectory()) {
        throw new IOException("it is a folder: " + file);
      }
      try (InputStream in = fileSystem.open(file)) {
        return in.readAllBytes();
      }
    }
  }
}
