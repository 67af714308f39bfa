package io.penstock.cli.submit;

import io.penstock.config.ClientTimeouts;
import io.penstock.config.SubmitSettings;
import io.penstock.model.UnreachableException;
import io.penstock.yarn.JobConfiguration;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.JobRequest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * The folders that the files of the user's jobs lie in, one a job: {@code STAGING/application_...},
 * 0700.
 */
final class Staging implements AutoCloseable {
  private static final FsPermission FOLDER = new FsPermission((short) 0700);
  private static final FsPermission FILE = new FsPermission((short) 0600);
  private static final Duration ONE_REQUEST = Duration.ofSeconds(45);

  private final FileSystem fileSystem;
  private final Path base;
  private final String whom;

  private Staging(FileSystem fileSystem, Path base) {
    this.fileSystem = fileSystem;
    this.base = base;
    this.whom = "the file system of staging (" + fileSystem.getUri() + ")";
  }

  /**
   * Reaches the file system; makes no folder yet.
   *
   * @throws UnreachableException if it was not reached in time or gave no permission
   */
  static Staging open(Configuration configuration, SubmitSettings settings)
      throws InterruptedException {
    Configuration patient = ClientTimeouts.within(settings.connectTimeout(), configuration);
    Path base = new Path(settings.stagingDir());
    String whom =
        "the file system of staging ("
            + (base.toUri().getScheme() == null ? FileSystem.getDefaultUri(patient) : base)
            + ")";
    return bounded(
        whom,
        settings.connectTimeout(),
        () -> {
          FileSystem fileSystem =
              base.toUri().getScheme() == null
                  ? FileSystem.newInstance(patient)
                  : FileSystem.newInstance(base.toUri(), patient);
          fileSystem.setWorkingDirectory(fileSystem.getHomeDirectory());
          Path qualified = fileSystem.makeQualified(base);
          fileSystem.exists(qualified);
          return new Staging(fileSystem, qualified);
        });
  }

  private static <T> T bounded(String whom, Duration longest, Callable<T> request)
      throws InterruptedException {
    try {
      return Bounded.call(whom, longest, request);
    } catch (YarnException e) {
      throw new IllegalStateException(e);
    }
  }

  FileSystem fileSystem() {
    return fileSystem;
  }

  /** The folder of one job. */
  Path folder(String application) {
    return new Path(base, application);
  }

  /**
   * Writes a job's files.
   *
   * @param feeds text of the feed file by feed name
   * @param named contents by path, as feeds write it
   */
  void write(
      JobRequest request,
      Map<String, String> feeds,
      Map<String, byte[]> named,
      Configuration configuration)
      throws IOException {
    Path folder = folder(request.application());
    fileSystem.mkdirs(base, FOLDER);
    fileSystem.mkdirs(folder, FOLDER);
    fileSystem.setPermission(folder, FOLDER);
    for (Map.Entry<String, String> feed : feeds.entrySet()) {
      byte[] text = feed.getValue().getBytes(StandardCharsets.UTF_8);
      write(folder, JobFiles.feed(feed.getKey()), out -> out.write(text));
    }
    for (Map.Entry<String, byte[]> file : named.entrySet()) {
      write(folder, JobFiles.named(file.getKey()), out -> out.write(file.getValue()));
    }
    write(folder, JobFiles.CONFIGURATION, out -> JobConfiguration.write(configuration, out));
    write(folder, JobFiles.REQUEST, request::write);
  }

  /** Writes a file of a job besides those of {@link #write}. */
  void add(JobRequest request, String name, byte[] content) throws IOException {
    write(folder(request.application()), name, out -> out.write(content));
  }

  private interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private void write(Path folder, String name, Content content) throws IOException {
    Path file = new Path(folder, name);
    try (OutputStream out = fileSystem.create(file, true)) {
      content.writeTo(out);
    }
    fileSystem.setPermission(file, FILE);
  }

  /** Removes a job's files, if there are any. */
  void remove(String application) throws InterruptedException {
    bounded(whom, ONE_REQUEST, () -> fileSystem.delete(folder(application), true));
  }

  /** The folders that there are, with the time of their last change. */
  List<FileStatus> folders() throws InterruptedException {
    return bounded(
        whom,
        ONE_REQUEST,
        () -> {
          List<FileStatus> folders = new ArrayList<>();
          try {
            for (FileStatus status : fileSystem.listStatus(base)) {
              if (status.isDirectory() && status.getPath().getName().startsWith("application_")) {
                folders.add(status);
              }
            }
          } catch (FileNotFoundException e) {
            return List.of();
          }
          return folders;
        });
  }

  /** What a failure while writing means. */
  UnreachableException failed(IOException e) {
    return Bounded.unreachable(whom, e);
  }

  @Override
  public void close() {
    try {
      bounded(
          whom,
          ONE_REQUEST,
          () -> {
            fileSystem.close();
            return null;
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
