package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** What a job that has ended left on the cluster: logs and YARN's record, and nothing else. */
record JobTraces(PenstockCluster cluster, ApplicationId application) {
  private static final Duration ENDS = Duration.ofSeconds(60);
  private static final Set<YarnApplicationState> ENDED =
      EnumSet.of(
          YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

  static JobTraces of(PenstockCluster cluster, ApplicationId application) {
    return new JobTraces(cluster, application);
  }

  /** An undisturbed run: every process ended in order and said so in its last line. */
  void areThoseOfSuccess(int ranks) throws Exception {
    yarnSays(FinalApplicationStatus.SUCCEEDED);
    nothingIsLeft();
    List<String> last = lastLines();
    assertEquals(1 + ranks, last.size(), last.toString());
    assertTrue(last.get(0).endsWith("event=exit code=0"), last.toString());
    for (String line : last.subList(1, last.size())) {
      assertTrue(line.endsWith("event=end status=DONE code=0"), last.toString());
    }
  }

  /** Returns YARN's report of an application that has ended. */
  ApplicationReport yarnSays(FinalApplicationStatus status) throws Exception {
    ApplicationReport report =
        Await.until(
            application + " to have ended",
            ENDS,
            () ->
                Optional.of(cluster.yarn().getApplicationReport(application))
                    .filter(found -> ENDED.contains(found.getYarnApplicationState())));
    assertEquals(status, report.getFinalApplicationStatus(), report.getDiagnostics());
    return report;
  }

  /** No file in staging, no process of a container. */
  void nothingIsLeft() throws Exception {
    assertFalse(
        staged(cluster).contains(application.toString()), "left in staging: " + staged(cluster));
    String own = "_" + application.toString().substring("application_".length()) + "_";
    Await.until(
        "the containers of " + application + " to be gone",
        ENDS,
        () ->
            cluster.runningContainers().stream().anyMatch(name -> name.contains(own))
                ? Optional.empty()
                : Optional.of(true));
  }

  /** The last line that each container logged, the ApplicationMaster's first. */
  List<String> lastLines() throws IOException {
    List<String> last = new ArrayList<>();
    for (Path container : cluster.containerLogs(application)) {
      List<String> lines = Files.readAllLines(container.resolve("stdout"));
      last.add(lines.isEmpty() ? "" : lines.get(lines.size() - 1));
    }
    return last;
  }

  /** Names of the jobs of this user that have files in staging. */
  static List<String> staged(PenstockCluster cluster) throws IOException {
    org.apache.hadoop.fs.Path staging =
        new org.apache.hadoop.fs.Path(cluster.hdfs().getHomeDirectory(), ".penstock/staging");
    List<String> names = new ArrayList<>();
    if (cluster.hdfs().exists(staging)) {
      for (FileStatus job : cluster.hdfs().listStatus(staging)) {
        names.add(job.getPath().getName());
      }
    }
    return names;
  }
}
