package io.penstock.history;

import io.penstock.yarn.JobFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Where a job's history lies.
 *
 * <pre>
 *   DIR/APPLICATION/FEED.feed.yaml          the feed file as written
 *                   FEED.feed.json          its canonical text, which the feed's digest is of
 *                   FEED.catalog.json.gz    the catalog
 *                   named-HASH              a file that a feed names, as in staging
 *                   settings.json           the penstock.* settings that the job was submitted with
 *                   record-A-N.json         JobHistory by attempt A of the ApplicationMaster, its
 *                                           N-th; the greatest counts, N after A
 *                   certificates/FEED/gG-rR-pP.cert
 *                                           CertificateFormat: generation G, rank R, part P
 * </pre>
 *
 * @param dir with all jobs; below the user's home folder if relative
 * @param application its id
 */
public record HistoryFolder(String dir, String application) {
  /** The settings that the job was submitted with. */
  public static final String SETTINGS = "settings.json";

  public HistoryFolder {
    Objects.requireNonNull(dir, "dir");
    if (!application.matches("application_[0-9]+_[0-9]+")) {
      throw new IllegalArgumentException("must be an application's id: " + application);
    }
  }

  /** The file system that it lies on, for the caller to close. */
  static FileSystem open(String dir, Configuration configuration) throws IOException {
    Path base = new Path(dir);
    FileSystem fileSystem =
        base.toUri().getScheme() == null
            ? FileSystem.newInstance(configuration)
            : FileSystem.newInstance(base.toUri(), configuration);
    fileSystem.setWorkingDirectory(fileSystem.getHomeDirectory());
    return fileSystem;
  }

  FileSystem open(Configuration configuration) throws IOException {
    return open(dir, configuration);
  }

  Path path() {
    return new Path(dir, application);
  }

  Path file(String name) {
    return new Path(path(), name);
  }

  /** The name of a feed's canonical text. */
  public static String canonical(String feed) {
    return feed + ".feed.json";
  }

  Path certificates(String feed) {
    return new Path(file("certificates"), feed);
  }

  /** A rank's certificate file, without part and suffix. */
  Path certificate(String feed, int generation, int rank) {
    return new Path(certificates(feed), "g" + generation + "-r" + rank);
  }

  Path feed(String feed) {
    return file(JobFiles.feed(feed));
  }

  Path catalog(String feed) {
    return file(JobFiles.catalog(feed));
  }

  /** The ids of the jobs that have a history in a folder, with their newest change. */
  static List<FileStatus> jobs(FileSystem fileSystem, String dir) throws IOException {
    List<FileStatus> jobs = new ArrayList<>();
    for (FileStatus status : list(fileSystem, new Path(dir))) {
      if (status.isDirectory() && status.getPath().getName().startsWith("application_")) {
        jobs.add(status);
      }
    }
    return jobs;
  }

  static FileStatus[] list(FileSystem fileSystem, Path folder) throws IOException {
    try {
      return fileSystem.listStatus(folder);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }
}
