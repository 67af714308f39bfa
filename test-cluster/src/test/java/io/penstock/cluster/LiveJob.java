package io.penstock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A job at work, as ZooKeeper tells it from one moment to the next. */
record LiveJob(PenstockCluster cluster, ApplicationId application) {
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  /** The job of a {@code submit} that runs; returns when YARN has taken it. */
  static LiveJob of(PenstockCluster cluster, RunningCommand submit) throws InterruptedException {
    String line =
        submit
            .stderr()
            .await(0, text -> text.startsWith("submitted application_"), DEADLINE)
            .orElseThrow(
                () -> new AssertionError("nothing was submitted: " + submit.stderr().text()));
    return new LiveJob(cluster, ApplicationId.fromString(line.split("[ ;]")[1]));
  }

  /** Until a rank has come to a step of an epoch, in any generation from one on. */
  void awaitRank(int rank, int generation, int epoch, int step) throws Exception {
    await(
        "rank %d to be at %d:%d in generation %d".formatted(rank, epoch, step, generation),
        "feeds/train/progress/" + rank,
        progress -> {
          int atEpoch = progress.path("cursor").path("epoch").asInt();
          int atStep = progress.path("cursor").path("step").asInt();
          return progress.path("generation").asInt() >= generation
              && (atEpoch > epoch || (atEpoch == epoch && atStep >= step));
        });
  }

  /** Until all ranks have committed what lies before a step. */
  void awaitAgreed(int epoch, int step) throws Exception {
    await(
        "all ranks to have committed up to %d:%d".formatted(epoch, step),
        "feeds/train/agreed",
        agreed -> {
          int atEpoch = agreed.path("cursor").path("epoch").asInt();
          int atStep = agreed.path("cursor").path("step").asInt();
          return atEpoch > epoch || (atEpoch == epoch && atStep >= step);
        });
  }

  /** Until the job's state is one that is named. */
  void awaitState(String state) throws Exception {
    await("the job to be " + state, "state", told -> told.path("state").asText().equals(state));
  }

  /** Until the reason in the job's state has some words. */
  void awaitReason(String words) throws Exception {
    await("the job to say " + words, "state", told -> told.path("reason").asText().contains(words));
  }

  /** {@code kill -9} for the JVM of a rank. */
  void killRank(int rank) throws Exception {
    String containers = path("containers");
    for (String name : cluster.znodes(containers)) {
      JsonNode container = cluster.znode(containers + "/" + name).orElseThrow();
      if (container.path("rank").asInt() == rank) {
        kill(container.path("pid").asLong());
        return;
      }
    }
    throw new AssertionError("no container of rank " + rank + " in " + containers);
  }

  /** {@code kill -9} for the JVM of the ApplicationMaster. */
  void killApplicationMaster() throws Exception {
    kill(cluster.znode(path("am")).orElseThrow().path("pid").asLong());
  }

  private static void kill(long pid) throws Exception {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    if (!process.destroyForcibly()) {
      throw new AssertionError("can't kill " + pid);
    }
    process.onExit().get(DEADLINE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
  }

  private void await(String what, String node, java.util.function.Predicate<JsonNode> matches)
      throws Exception {
    Await.until(what, DEADLINE, () -> cluster.znode(path(node)).filter(matches));
  }

  private String path(String node) {
    return "/penstock/jobs/" + application + "/" + node;
  }
}
