package io.penstock.cli.dataset;

import io.penstock.config.ClientTimeouts;
import io.penstock.config.Settings;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
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
    Configuration patient =
        ClientTimeouts.within(settings.catalog().connectTimeout(), configuration);
    Path file = path.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*") ? new Path(path) : local(path);
    String text;
    try {
      text =
          StandardCharsets.UTF_8
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
    Feed feed =
        FeedParser.parse(text, path, named -> bytes(new Path(file.getParent(), named), patient));
    return new FeedFile(text, feed);
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
