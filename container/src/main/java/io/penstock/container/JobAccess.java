package io.penstock.container;

import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.records.FeedSpec;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.lifecycle.Clock;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.RankIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * What a rank has of its job: files, settings, and ZooKeeper.
 *
 * @param folder the container's working folder, with the job's files
 * @param job what may be read
 * @param fenced what may be written
 */
record JobAccess(
    RankIdentity identity,
    Path folder,
    Configuration configuration,
    Settings settings,
    Coordination coordination,
    JobStore job,
    FencedJob fenced,
    Clock clock) {
  /** The feed of the rank, checked against what the job says that it is. */
  PreparedFeed readFeed() throws IOException {
    Path file = folder.resolve(JobFiles.feed(identity.feed()));
    Feed feed =
        FeedParser.parse(
            Files.readString(file),
            file.getFileName().toString(),
            path -> JobFiles.readNamed(folder, path));
    Path list = folder.resolve(JobFiles.catalog(identity.feed()));
    Catalog catalog;
    try (InputStream in = Files.newInputStream(list)) {
      catalog = Catalog.read(in);
    }
    FeedSpec spec =
        job.spec()
            .map(s -> s.feeds().get(identity.feed()))
            .orElseThrow(() -> new IllegalStateException("the job has no spec in ZooKeeper"));
    check("feed", spec.feedDigest(), feed.digest());
    check("catalog", spec.catalogDigest(), catalog.digest());
    return PreparedFeed.of(feed, catalog);
  }

  private static void check(String what, String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new IllegalStateException(
          "the " + what + " is not the job's: digest " + actual + ", not " + expected);
    }
  }
}
