package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose processes are killed: those that go on, and those that were meant to end. */
@ExtendWith(ClusterExtension.class)
class RestartIT {
  private static final Duration LONG = Duration.ofMinutes(8);

  @TempDir Path temporary;

  @Test
  void aKilledRankAndThenAKilledApplicationMasterChangeNothingThatIsDelivered(
      PenstockCluster cluster) throws Exception {
    Rides rides = Rides.in(cluster);
    Path feed = rides.feed("killed", "seed: 11, lanes: 4, batch: 400, window: 4, epochs: 3");
    Oracle oracle = new Oracle(rides);
    List<Digests> undisturbed =
        List.of(oracle.epoch(feed, 0), oracle.epoch(feed, 1), oracle.epoch(feed, 2));
    JobAsk ask =
        JobAsk.of(feed, 2)
            .with("penstock.cache.dirs", temporary.resolve("cache"))
            .with("penstock.trainer.step", "Synthetic")
            .with("penstock.step.milliseconds", 100)
            .option("--json");
    JobTold told;
    try (RunningCommand submit = cluster.penstock().start(ask.args())) {
      LiveJob live = LiveJob.of(cluster, submit);
      live.awaitRank(0, 1, 1, 5);
      live.awaitRank(1, 1, 1, 5);
      live.killRank(1);
      live.awaitRank(0, 2, 1, 10);
      live.killApplicationMaster();
      CommandResult result = submit.await(LONG);
      told = JobTold.of(result, 0);
      assertTrue(result.stderr().contains("RESTARTING"), result.stderr());
    }
    assertEquals("SUCCEEDED", told.state());
    assertEquals(undisturbed, told.digests());
    assertEquals(List.of(24_000L, 24_000L, 24_000L), told.ofEpochs("rows"));
    List<Long> again = told.ofEpochs("delivered_again");
    // Two ranks at step 5 of epoch 1, then one at step 10; half a batch each.
    assertEquals(0, again.get(0), told.toString());
    assertTrue(again.get(1) + again.get(2) >= (5 + 5 + 10) * 200, told.toString());
    assertEquals(List.of("started", "restart", "started", "attempt", "started"), told.decisions());
    JsonNode why = told.json().path("decisions").path(1).path("detail");
    assertTrue(why.asText().contains("killed"), told.toString());
    assertEquals(2, told.json().path("attempts").asInt(), told.toString());
    JobTraces traces = JobTraces.of(cluster, told.application());
    traces.yarnSays(FinalApplicationStatus.SUCCEEDED);
    traces.nothingIsLeft();
  }

  @Test
  void anApplicationMasterThatDoesNotReachZooKeeperIsStartedAgainAndGoesOn(PenstockCluster cluster)
      throws Exception {
    Path feed =
        Rides.in(cluster).feed("unreached", "seed: 3, lanes: 4, batch: 1200, window: 1, epochs: 1");
    JobAsk ask =
        JobAsk.of(feed, 1)
            .with("penstock.cache.enabled", false)
            .with("penstock.zookeeper.connect-timeout", "3s")
            .option("--detach");
    try (RunningCommand submit = cluster.penstock().start(ask.args())) {
      LiveJob live = LiveJob.of(cluster, submit);
      ApplicationId application = live.application();
      cluster.servers().control("stop-zookeeper");
      try {
        Await.until(
            application + " to have a second attempt",
            LONG,
            () ->
                cluster.yarn().getApplicationAttempts(application).stream()
                    .filter(attempt -> attempt.getApplicationAttemptId().getAttemptId() == 2)
                    .findFirst());
      } finally {
        cluster.servers().control("start-zookeeper");
      }
      cluster.awaitState(application, YarnApplicationState.FINISHED, LONG);
      JobTraces.of(cluster, application).yarnSays(FinalApplicationStatus.SUCCEEDED);
      JobTold told =
          JobTold.of(cluster.penstock().run("inspect", application.toString(), "--json"), 0);
      assertEquals(2, told.json().path("attempts").asInt(), told.toString());
      assertEquals(List.of("attempt", "started"), told.decisions());
    }
  }

  @Test
  void aJobThatIsKilledEndsItsSubmitWithCodeFourAndLeavesNothing(PenstockCluster cluster)
      throws Exception {
    JobAsk ask = endless(cluster, "to-be-killed").option("--json");
    try (RunningCommand submit = cluster.penstock().start(ask.args())) {
      LiveJob live = LiveJob.of(cluster, submit);
      live.awaitState("RUNNING");
      String application = live.application().toString();
      assertOneRankIsAtWork(
          JobTold.of(cluster.penstock().run("inspect", application, "--json"), 0));
      CommandResult kill = cluster.penstock().run("kill", application, "--json");
      assertEquals(0, kill.exitCode(), kill.toString());
      assertTrue(kill.json().path("killed").asBoolean(), kill.toString());
      assertEquals("KILLED", kill.json().path("state").asText(), kill.toString());
      JobTold told = JobTold.of(submit.await(LONG), 4);
      assertEquals("KILLED", told.state());
      killedWithoutATrace(cluster, live.application());
      CommandResult again = cluster.penstock().run("kill", application, "--json");
      assertEquals(0, again.exitCode(), again.toString());
      assertFalse(again.json().path("killed").asBoolean(true), again.toString());
    }
  }

  @Test
  void ctrlCOnSubmitKillsTheJob(PenstockCluster cluster) throws Exception {
    JobAsk ask = endless(cluster, "interrupted");
    try (RunningCommand submit = cluster.penstock().start(ask.args())) {
      LiveJob live = LiveJob.of(cluster, submit);
      live.awaitState("RUNNING");
      submit.interrupt();
      CommandResult result = submit.await(LONG);
      assertEquals(4, result.exitCode(), result.toString());
      assertTrue(result.stderr().contains("killing " + live.application()), result.toString());
      killedWithoutATrace(cluster, live.application());
    }
  }

  private static void assertOneRankIsAtWork(JobTold told) {
    assertEquals("RUNNING", told.state());
    assertEquals(1, told.json().path("am").path("attempt").asInt(), told.toString());
    JsonNode containers = told.json().path("containers");
    assertEquals(1, containers.size(), told.toString());
    assertEquals("RUNNING", containers.path(0).path("phase").asText(), told.toString());
    assertTrue(
        ProcessHandle.of(containers.path(0).path("pid").asLong()).isPresent(), told.toString());
  }

  private JobAsk endless(PenstockCluster cluster, String name) throws Exception {
    Path feed =
        Rides.in(cluster).feed(name, "seed: 1, lanes: 4, batch: 400, window: 1, epochs: 1000000");
    return JobAsk.of(feed, 1)
        .with("penstock.cache.enabled", false)
        .with("penstock.step.milliseconds", 500);
  }

  private static void killedWithoutATrace(PenstockCluster cluster, ApplicationId application)
      throws Exception {
    JobTraces traces = JobTraces.of(cluster, application);
    traces.yarnSays(FinalApplicationStatus.KILLED);
    traces.nothingIsLeft();
  }
}
