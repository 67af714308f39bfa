package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A job whose ranks lose their GPUs to other applications and get them back. */
@ExtendWith(ClusterExtension.class)
class ElasticIT {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final String ORDER = "seed: 23, lanes: 12, batch: 1200, window: 2, epochs: 3";
  private static final int STEPS = Rides.ROWS / 1200;

  @TempDir Path temporary;

  @Test
  void fourThreeTwoAndAgainFourRanksDeliverWhatOneRankDoes(PenstockCluster cluster)
      throws Exception {
    Path feed = Rides.in(cluster).feed("elastic", ORDER);
    JobTold undisturbed =
        JobTold.of(
            cluster
                .penstock()
                .run(
                    JobAsk.of(feed, 1)
                        .with("penstock.cache.dirs", temporary.resolve("one"))
                        .option("--json")
                        .args()),
            0);
    JobAsk ask =
        JobAsk.of(feed, "2:4")
            .with("penstock.am.elastic-wait", "4s")
            .with("penstock.cache.dirs", temporary.resolve("elastic"))
            .with("penstock.step.milliseconds", 200)
            .option("--json");
    Random random = new Random(20_261_130);
    JobTold told;
    try (RunningCommand submit = cluster.penstock().start(ask.args())) {
      LiveJob live = LiveJob.of(cluster, submit);
      try (GpuTaker other = GpuTaker.start(cluster, "default")) {
        live.awaitRank(3, 1, 0, 1 + random.nextInt(STEPS / 2));
        other.ask();
        live.killRank(random.nextInt(4));
        other.awaitGpus();
        live.awaitRank(2, 2, 1, 1 + random.nextInt(STEPS / 2));
        other.ask();
        live.killRank(random.nextInt(3));
        other.awaitGpus();
        live.awaitRank(1, 3, 1, 1 + random.nextInt(STEPS / 2));
      }
      live.awaitReason("2 more at the next restart");
      live.killRank(random.nextInt(2));
      told = JobTold.of(submit.await(LONG), 0);
    }
    assertEquals("SUCCEEDED", told.state());
    assertEquals(undisturbed.digests(), told.digests());
    assertEquals(List.of(24_000L, 24_000L, 24_000L), told.ofEpochs("rows"));
    List<Long> again = told.ofEpochs("delivered_again");
    assertTrue(again.get(0) > 0 && again.get(1) > 0 && again.get(2) == 0, told.toString());
    assertEquals(
        List.of(
            "feed train: 3 ranks of 2:4, 4 before",
            "feed train: 2 ranks of 2:4, 3 before",
            "feed train: 4 ranks of 2:4, 2 before"),
        details(told, "ranks").stream().map(words -> words.replaceFirst(": [^:]*$", "")).toList());
    CommandResult verified = cluster.penstock().run("verify", told.application().toString());
    assertEquals(0, verified.exitCode(), verified.toString());
    assertTrue(
        verified.stdout().contains("restarts delivered " + again.get(0) + " rows of it again"),
        verified.toString());
    JobTraces traces = JobTraces.of(cluster, told.application());
    traces.yarnSays(FinalApplicationStatus.SUCCEEDED);
    traces.nothingIsLeft();
  }

  private static List<String> details(JobTold told, String kind) {
    List<String> all = new ArrayList<>();
    for (JsonNode decision : told.json().path("decisions")) {
      if (decision.path("kind").asText().equals(kind)) {
        all.add(decision.path("detail").asText());
      }
    }
    return all;
  }
}
