package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a job by other commands than the one that submitted it. */
@ExtendWith(ClusterExtension.class)
class JobsIT {
  @TempDir Path temporary;

  @Test
  void aDetachedJobIsFollowedToItsEndAndStillKnownAfterIt(PenstockCluster cluster)
      throws Exception {
    Path feed =
        Rides.in(cluster).feed("detached", "seed: 3, lanes: 2, batch: 300, window: 2, epochs: 2");
    JobAsk ask =
        JobAsk.of(feed, 2)
            .option("--gpus-per-rank", "0", "--name", "night run", "--detach", "--json")
            .with("penstock.cache.dirs", temporary.resolve("cache"))
            .with("penstock.trainer.step", "LogisticRegression")
            .with("penstock.step.features", "flags")
            .with("penstock.step.learning-rate", 0.1);
    CommandResult submit = cluster.penstock().run(ask.args());
    assertEquals(0, submit.exitCode(), submit.toString());
    String application = submit.json().path("application").asText();

    CommandResult watch = cluster.penstock().run("inspect", application, "--watch", "--json");
    JobTold told = JobTold.of(watch, 0);
    assertTrue(watch.stderr().contains("epoch 1 of 2"), watch.stderr());
    assertEquals("SUCCEEDED", told.state());
    assertEquals("night run", told.json().path("name").asText());
    assertEquals(List.of(80L, 80L), told.ofEpochs("steps"));
    assertRanksTellEverything(told);
    // NumPy's, over the oracle's batches.
    assertLosses(new double[] {0.691138, 0.690977}, told.epoch(0));
    assertLosses(new double[] {0.689307, 0.689644}, told.epoch(1));

    CommandResult jobs = cluster.penstock().run("jobs", "--json");
    assertEquals(0, jobs.exitCode(), jobs.toString());
    List<String> states = new ArrayList<>();
    for (JsonNode job : jobs.json().path("jobs")) {
      if (job.path("application").asText().equals(application)) {
        states.add(job.path("name").asText() + " " + job.path("state").asText());
      }
    }
    assertEquals(List.of("night run SUCCEEDED"), states, jobs.toString());
    CommandResult text = cluster.penstock().run("inspect", application);
    assertEquals(0, text.exitCode(), text.toString());
    Set<String> digests = new TreeSet<>();
    told.digests().forEach(d -> digests.addAll(List.of(d.order(), d.values())));
    assertEquals(digests, longHex(text.stdout()), text.stdout());
  }

  @Test
  void aJobThatNobodyKnowsIsRefused(PenstockCluster cluster) throws Exception {
    for (String command : List.of("inspect", "kill")) {
      CommandResult result = cluster.penstock().run(command, "application_1_0001");
      assertEquals(2, result.exitCode(), result.toString());
      assertEquals("", result.stdout());
      assertTrue(result.stderr().startsWith("penstock: "), result.toString());
      assertTrue(result.stderr().contains("application_1_0001"), result.toString());
    }
  }

  private static void assertRanksTellEverything(JobTold told) {
    JsonNode ranks = told.feed().path("ranks");
    assertEquals(2, ranks.size(), told.toString());
    Set<String> devices = new TreeSet<>();
    Set<String> weights = new TreeSet<>();
    for (int i = 0; i < 2; i++) {
      JsonNode rank = ranks.path(i);
      assertEquals(i, rank.path("rank").asInt());
      assertEquals("DONE", rank.path("phase").asText());
      assertEquals("{\"epoch\":2,\"step\":0}", rank.path("cursor").toString());
      assertEquals("{\"epoch\":2,\"step\":0}", rank.path("committed").toString());
      assertTrue(rank.path("container").asText().startsWith("container_"), rank.toString());
      assertTrue(rank.path("rows_per_second").asDouble(-1) >= 0, rank.toString());
      assertTrue(isShare(rank.path("wait_share")), rank.toString());
      assertTrue(isShare(rank.path("cache_share")), rank.toString());
      assertEquals(0, rank.path("retries").asInt(-1), rank.toString());
      devices.add(rank.path("host").asText() + " " + rank.path("device").asText());
      weights.add(rank.path("weights_digest").asText());
    }
    assertEquals(Set.of("localhost host:0", "localhost host:1"), devices);
    assertEquals(2, weights.size(), told.toString());
    weights.forEach(digest -> assertTrue(digest.matches("[0-9a-f]{16}"), digest));
  }

  private static void assertLosses(double[] expected, JsonNode epoch) {
    assertEquals(expected.length, epoch.path("losses").size(), epoch.toString());
    for (int rank = 0; rank < expected.length; rank++) {
      assertEquals(
          expected[rank], epoch.path("losses").path(rank).asDouble(), 2e-6, epoch.toString());
    }
  }

  private static boolean isShare(JsonNode number) {
    return number.isNumber() && number.asDouble() >= 0 && number.asDouble() <= 1;
  }

  /** The words of 32 hex digits, of which there are none but the digests of epochs. */
  private static Set<String> longHex(String text) {
    Set<String> found = new TreeSet<>();
    Pattern.compile("\\b[0-9a-f]{32}\\b")
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .forEach(found::add);
    return found;
  }
}
