package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that has taken all GPUs of the cluster, of which the ResourceManager takes back what
 * another queue owns.
 */
@ExtendWith(ClusterExtension.class)
class PreemptionIT {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int RANKS = 2;
  private static final Pattern PREEMPTION =
      Pattern.compile(
          "(the ResourceManager may take away (rank [01] of feed train in (container_\\w+) on"
              + " \\S+)): the training steps are asked to commit");
  private static final Pattern RESTART =
      Pattern.compile("from train=(0:([0-9]+)): (.*): it was preempted");

  @TempDir Path temporary;

  /**
   * A job of one epoch commits at its end, and before that only because its step is asked to: the
   * step's own commits would come after a million steps.
   */
  @Test
  void whatIsToBePreemptedCommitsFirstAndTheJobGoesOnFromThere(PenstockCluster cluster)
      throws Exception {
    Rides rides = Rides.in(cluster);
    Path feed = rides.feed("preempted", "seed: 29, lanes: 8, batch: 400, window: 2, epochs: 1");
    JobAsk ask =
        JobAsk.of(feed, RANKS)
            .option("--gpus-per-rank", "2")
            .with("penstock.cache.dirs", temporary)
            .with("penstock.step.milliseconds", 200)
            .with("penstock.step.commit-every", 1_000_000)
            .option("--json");
    JobTold told;
    try (RunningCommand submit = cluster.penstock().start(ask.args())) {
      LiveJob live = LiveJob.of(cluster, submit);
      try (GpuTaker owner = GpuTaker.start(cluster, ServerSettings.OTHER_QUEUE)) {
        live.awaitRank(0, 1, 0, 1);
        live.awaitRank(1, 1, 0, 1);
        owner.ask();
        live.awaitAgreed(0, 1);
        assertEquals(RANKS + 1, running(cluster, live), "ranks and ApplicationMaster");
        owner.awaitGpus();
      }
      told = JobTold.of(submit.await(LONG), 0);
    }
    assertEquals("SUCCEEDED", told.state());
    assertEquals(0, told.json().path("restarts").asInt(-1), told.toString());
    assertEquals(List.of(new Oracle(rides).epoch(feed, 0)), told.digests());
    assertEquals(List.of((long) Rides.ROWS), told.ofEpochs("rows"));
    assertTrue(told.ofEpochs("delivered_again").get(0) > 0, told.toString());

    assertEquals(List.of("started", "preemption", "restart", "started"), told.decisions());
    Matcher preemption = match(PREEMPTION, told, 1);
    Matcher restart = match(RESTART, told, 2);
    assertEquals(preemption.group(2), restart.group(3));
    List<Path> logs = cluster.containerLogs(told.application());
    assertEquals(1 + 2 * RANKS, logs.size(), logs.toString());
    for (Path rank : logs.subList(1, 1 + RANKS)) {
      String log = Files.readString(rank.resolve("stdout"));
      int wanted = log.indexOf("event=commit-wanted reason=" + preemption.group(1));
      int last = Integer.parseInt(restart.group(2)) - 1;
      int committed =
          log.indexOf("event=committed epoch=0 step=" + last + " next=" + restart.group(1));
      assertTrue(0 <= wanted && wanted < committed, log);
    }
    String master = Files.readString(logs.get(0).resolve("stdout"));
    int asked = master.indexOf("event=commit-asked reason=\"" + preemption.group(1));
    int ended = master.indexOf("event=completed container=" + preemption.group(3) + " status=-102");
    assertTrue(0 <= asked && asked < ended, master);

    JobTraces traces = JobTraces.of(cluster, told.application());
    traces.yarnSays(FinalApplicationStatus.SUCCEEDED);
    traces.nothingIsLeft();
    historyHasTheDecisions(cluster, told);
  }

  private static Matcher match(Pattern pattern, JobTold told, int decision) {
    String detail = told.json().path("decisions").path(decision).path("detail").asText();
    Matcher matcher = pattern.matcher(detail);
    assertTrue(matcher.matches(), detail);
    return matcher;
  }

  private static long running(PenstockCluster cluster, LiveJob live) throws Exception {
    String own = live.application().toString().replace("application", "container");
    return cluster.runningContainers().stream().filter(name -> name.startsWith(own)).count();
  }

  private static void historyHasTheDecisions(PenstockCluster cluster, JobTold told)
      throws Exception {
    String application = told.application().toString();
    cluster
        .zooKeeper()
        .delete()
        .deletingChildrenIfNeeded()
        .forPath("/penstock/jobs/" + application);
    CommandResult inspect = cluster.penstock().run("inspect", application, "--json");
    assertEquals(told.json().path("decisions"), JobTold.of(inspect, 0).json().path("decisions"));
  }
}
