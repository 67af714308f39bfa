package io.penstock.cli.commands;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.Catalog;
import io.penstock.cli.Datasets;
import io.penstock.cli.dataset.DatasetPaths;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.config.Settings;
import io.penstock.feed.Feed;
import io.penstock.model.RankRange;
import io.penstock.model.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches so large that eight ranks can hold their parts and one can't hold all. */
class RankCheckTest {
  @TempDir Path folder;
  private Settings settings;
  private Feed feed;
  private Catalog catalog;

  @BeforeEach
  void write() throws IOException {
    Path file =
        Datasets.feed(
            folder.resolve("feed.yaml"),
            Datasets.numbers(folder.resolve("data")),
            "seed: 7, lanes: 2, batch: 4000000, remainder: pad");
    Configuration configuration = new Configuration(false);
    configuration.set("penstock.container.memory", "512m");
    configuration.set("penstock.container.heap-share", "0.3");
    configuration.set("penstock.cache.enabled", "false");
    settings = Settings.read(configuration);
    feed = FeedFile.read(file.toString(), configuration, settings).feed();
    catalog = DatasetPaths.catalog(feed, configuration, settings);
  }

  private void check(String ranks) {
    new RankCheck().check(feed, catalog, RankRange.parse(ranks), settings);
  }

  @Test
  void everyNumberOfRanksThatTheJobMayComeToHaveMustFit() {
    check("8");
    UsageException one = assertThrows(UsageException.class, () -> check("1"));
    assertFalse(one.getMessage().startsWith("with 1 ranks: "), one.getMessage());
    UsageException some = assertThrows(UsageException.class, () -> check("1:8"));
    assertTrue(some.getMessage().startsWith("with 1 ranks: "), some.getMessage());
    assertTrue(some.getMessage().contains("a rank's memory does not fit"), some.getMessage());
  }
}
