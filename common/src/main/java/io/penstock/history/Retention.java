package io.penstock.history;

import io.penstock.config.HistorySettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/** Removes what is old. */
public final class Retention {
  private Retention() {}

  /**
   * Removes the histories of one folder that have not changed for longer than they are kept. A job
   * that runs writes its record at each commit and restart, so it is never old.
   *
   * @param nowMillis milliseconds since 1970
   * @return the ids of the jobs whose history was removed
   */
  public static List<String> sweep(
      Configuration configuration, HistorySettings settings, long nowMillis) throws IOException {
    List<String> removed = new ArrayList<>();
    try (FileSystem fileSystem = HistoryFolder.open(settings.dir(), configuration)) {
      for (FileStatus job : HistoryFolder.jobs(fileSystem, settings.dir())) {
        long oldest = nowMillis - settings.retention().toMillis();
        if (job.getModificationTime() < oldest && newest(fileSystem, job) < oldest) {
          fileSystem.delete(job.getPath(), true);
          removed.add(job.getPath().getName());
        }
      }
    }
    return removed;
  }

  private static long newest(FileSystem fileSystem, FileStatus job) throws IOException {
    long newest = job.getModificationTime();
    for (FileStatus file : HistoryFolder.list(fileSystem, job.getPath())) {
      newest = Math.max(newest, file.getModificationTime());
    }
    return newest;
  }
}
