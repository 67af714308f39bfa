package io.penstock.am;

import io.penstock.config.Settings;
import io.penstock.coordination.Json;
import io.penstock.coordination.records.JobSpec;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.history.HistoryFolder;
import io.penstock.history.HistoryKeeper.Content;
import io.penstock.yarn.JobFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IOUtils;

/**
 * The files of a job's history that never change.
 *
 * @param folder the process's working folder, with the job's files
 * @param staging the job's staging folder
 */
record HistoryContent(Path folder, String staging, Configuration configuration) {
  private static final int BUFFER = 1 << 16;

  /** By name. */
  Map<String, Content> of(JobSpec spec) {
    Map<String, Content> files = new LinkedHashMap<>();
    files.put(
        HistoryFolder.SETTINGS,
        out ->
            out.write(Json.text(Settings.given(configuration)).getBytes(StandardCharsets.UTF_8)));
    for (String name : spec.feeds().keySet()) {
      files.put(JobFiles.feed(name), out -> Files.copy(folder.resolve(JobFiles.feed(name)), out));
      files.put(JobFiles.catalog(name), out -> copyCatalog(name, out));
      Feed feed = read(name);
      files.put(
          HistoryFolder.canonical(name),
          out -> out.write(feed.canonical().getBytes(StandardCharsets.UTF_8)));
      for (String path : feed.files().keySet()) {
        String named = JobFiles.named(path);
        files.put(named, out -> Files.copy(folder.resolve(named), out));
      }
    }
    return files;
  }

  private Feed read(String name) {
    try {
      return FeedParser.parse(
          Files.readString(folder.resolve(JobFiles.feed(name))),
          JobFiles.feed(name),
          path -> JobFiles.readNamed(folder, path));
    } catch (IOException e) {
      throw new IllegalStateException("a job's own file can't be read: " + e.getMessage(), e);
    }
  }

  private void copyCatalog(String name, java.io.OutputStream out) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(staging, JobFiles.catalog(name));
    try (FileSystem fileSystem = FileSystem.newInstance(file.toUri(), configuration);
        InputStream in = fileSystem.open(file)) {
      IOUtils.copyBytes(in, out, BUFFER, false);
    }
  }
}
