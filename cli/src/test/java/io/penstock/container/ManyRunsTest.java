package io.penstock.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.catalog.Catalog;
import io.penstock.config.Settings;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.Sums;
import io.penstock.feed.BoundFeed;
import io.penstock.feed.Feed;
import io.penstock.feed.FeedParser;
import io.penstock.history.Block;
import io.penstock.history.OpenCertificates;
import io.penstock.model.Cursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.statistics.Statistics;
import org.apache.hadoop.conf.Configuration;

/**
 * Jobs that seeds draw: any feed, catalog, settings and number of ranks, with ranks that are killed
 * and started again at any point, come to the certificate that NumPy works out from the contract.
 *
 * <p>{@code -Dpenstock.tests.all=true} draws more of them; {@code -Dpenstock.tests.seed=N} draws
 * one.
 */
class ManyRunsTest {
  private static final int FEW = 300;
  private static final int MANY = 5_000;
  private static final int DATASETS = 24;
  private static final long DATASETS_SEED = 20_260_101;

  private static Path folder;
  private static NumPyOracle oracle;

  @BeforeContainer
  static void writeDatasets() throws IOException {
    folder = Files.createTempDirectory("penstock-runs");
    oracle = new NumPyOracle(folder.resolve("datasets"), DATASETS, DATASETS_SEED);
  }

  @AfterContainer
  static void removeDatasets() throws IOException {
    oracle.close();
    delete(folder);
  }

  @Provide
  Arbitrary<Long> seeds() {
    Long one = Long.getLong("penstock.tests.seed");
    int count = Boolean.getBoolean("penstock.tests.all") ? MANY : FEW;
    return one != null
        ? Arbitraries.just(one)
        : Arbitraries.of(LongStream.range(0, count).boxed().toList());
  }

  @Property(generation = GenerationMode.EXHAUSTIVE, shrinking = ShrinkingMode.OFF)
  void everyRunComesToTheCertificateThatNumPyWorksOut(@ForAll("seeds") long seed) throws Exception {
    RunCase drawn = RunCase.of(seed, oracle.datasets());
    Statistics.label("generations").collect(drawn.generations().size());
    Statistics.label("commits").collect(drawn.commits());
    Statistics.label("cache").collect(drawn.cache());
    Path own = Files.createTempDirectory(folder, "run-" + seed);
    try {
      check(drawn, own);
    } catch (Throwable failure) {
      throw new AssertionError(
          "seed %d; again: mvn -pl cli -am test -Dtest=%s -Dpenstock.tests.seed=%d -Dsurefire.failIfNoSpecifiedTests=false%n%s"
              .formatted(seed, getClass().getSimpleName(), seed, drawn),
          failure);
    } finally {
      delete(own);
    }
  }

  private static void check(RunCase drawn, Path own) throws Exception {
    PreparedFeed feed = prepared(drawn.feed());
    InterleavedRanks run = new InterleavedRanks(drawn, feed, own);
    Map<Long, EpochRecord> epochs = run.run();
    JsonNode expected = oracle.expected(drawn.feed());
    long steps = expected.get("steps").longValue();
    long rows = steps * drawn.batch();
    assertEquals(expected.get("epochs").size(), epochs.size());
    for (EpochRecord epoch : epochs.values()) {
      JsonNode wanted = expected.get("epochs").get((int) epoch.epoch());
      String of = "epoch " + epoch.epoch();
      assertEquals(steps, epoch.steps(), of);
      assertEquals(rows, epoch.rows(), of);
      assertEquals(expected.get("padding").longValue(), epoch.padding(), of);
      assertEquals(wanted.get("order").textValue(), epoch.order().hex(), of);
      assertEquals(wanted.get("values").textValue(), epoch.values().hex(), of);
      assertEquals(wanted.get("valid").longValue(), epoch.fromStorage() + epoch.fromCache(), of);
      long again = run.delivered(epoch.epoch()) - rows;
      assertTrue(epoch.deliveredAgain() <= again, of + " " + epoch + " again=" + again);
      if (drawn.history() == RunCase.History.KEPT) {
        checkFiles(run, epoch, epochs.size());
      }
    }
  }

  private static void checkFiles(InterleavedRanks run, EpochRecord epoch, long epochs)
      throws IOException {
    List<Block> blocks =
        OpenCertificates.blocks(run.history(), "train", epoch.epoch(), new Cursor(epochs, 0));
    Sums sums = Sums.NONE;
    long at = 0;
    for (Block block : blocks) {
      assertEquals(at, block.from(), () -> "steps of epoch " + epoch.epoch() + ": " + blocks);
      at = block.to();
      sums = sums.plus(block.sums());
    }
    assertEquals(epoch.steps(), at);
    assertEquals(epoch.order(), sums.order());
    assertEquals(epoch.values(), sums.values());
  }

  private static PreparedFeed prepared(String text) throws IOException {
    Feed feed =
        FeedParser.parse(
            text,
            "feed.yaml",
            path -> {
              throw new IOException("no file is named");
            });
    Catalog catalog =
        Catalog.read(
            feed.dataset(),
            schema -> BoundFeed.bind(feed, schema).fileColumns(),
            new Configuration(false),
            Settings.defaults().catalog());
    return PreparedFeed.of(feed, catalog);
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
