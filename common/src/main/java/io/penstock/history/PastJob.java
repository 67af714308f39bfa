package io.penstock.history;

import io.penstock.config.ClientTimeouts;
import io.penstock.config.HistorySettings;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import io.penstock.yarn.JobFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A job's history, read back; the job may still be running. */
public final class PastJob implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  private final HistoryFolder folder;
  private final FileSystem fileSystem;
  private final JobHistory history;

  private PastJob(HistoryFolder folder, FileSystem fileSystem, JobHistory history) {
    this.folder = folder;
    this.fileSystem = fileSystem;
    this.history = history;
  }

  /**
   * Opens a job's history.
   *
   * @throws UsageException if the job has none
   * @throws UnreachableException if its file system was not reached
   */
  public static PastJob open(
      String application, Configuration configuration, HistorySettings settings) {
    if (!application.matches("application_[0-9]+_[0-9]+")) {
      throw new UsageException(
          "must be an application's id, application_1700000000000_0042: " + application);
    }
    HistoryFolder folder = new HistoryFolder(settings.dir(), application);
    try {
      FileSystem fileSystem = folder.open(ClientTimeouts.within(PATIENCE, configuration));
      try {
        return open(folder, fileSystem);
      } catch (IOException | RuntimeException e) {
        fileSystem.close();
        throw e;
      }
    } catch (IOException e) {
      throw unreachable(folder, e);
    }
  }

  private static PastJob open(HistoryFolder folder, FileSystem fileSystem) throws IOException {
    List<RecordName> names = RecordName.in(fileSystem, folder.path());
    while (true) {
      if (names.isEmpty()) {
        throw new UsageException(
            "job %s has no history in %s"
                .formatted(folder.application(), fileSystem.makeQualified(new Path(folder.dir()))));
      }
      RecordName newest = names.get(0);
      try {
        Path file = folder.file(newest.toString());
        return new PastJob(folder, fileSystem, HistoryKeeper.read(fileSystem, file));
      } catch (FileNotFoundException e) {
        // A newer one has taken its place.
        names = RecordName.in(fileSystem, folder.path());
        if (!names.isEmpty() && names.get(0).equals(newest)) {
          throw e;
        }
      }
    }
  }

  private static UnreachableException unreachable(HistoryFolder folder, IOException e) {
    return new UnreachableException(
        "not reached: the history of "
            + folder.application()
            + " ("
            + folder.path()
            + "): "
            + e.getMessage(),
        e);
  }

  /** Its application id. */
  public String application() {
    return folder.application();
  }

  /** What it came to. */
  public JobHistory history() {
    return history;
  }

  /** The text of a feed file as written. */
  public String feedText(String feed) {
    return new String(bytes(folder.feed(feed)), StandardCharsets.UTF_8);
  }

  /**
   * A file that a feed names.
   *
   * @param path as the feed writes it
   */
  public byte[] named(String path) {
    return bytes(folder.file(JobFiles.named(path)));
  }

  /** A feed's catalog as it was written, gzip included. */
  public byte[] catalog(String feed) {
    return bytes(folder.catalog(feed));
  }

  /** The certificate files of a feed; valid until this is closed. */
  public CertificateFiles certificates(String feed) {
    try {
      return CertificateFiles.read(fileSystem, folder.certificates(feed));
    } catch (IOException e) {
      throw unreachable(folder, e);
    }
  }

  private byte[] bytes(Path file) {
    try (InputStream in = fileSystem.open(file)) {
      return in.readAllBytes();
    } catch (FileNotFoundException e) {
      throw new UsageException("the history of " + folder.application() + " lacks " + file, e);
    } catch (IOException e) {
      throw unreachable(folder, e);
    }
  }

  @Override
  public void close() {
    try {
      fileSystem.close();
    } catch (IOException e) {
      throw unreachable(folder, e);
    }
  }
}
