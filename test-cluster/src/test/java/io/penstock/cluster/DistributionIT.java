package io.penstock.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The two ways to run a command, and the dataset that demo and tests run over. */
@ExtendWith(ClusterExtension.class)
class DistributionIT {
  private static final String[] PLAN = {
    "plan",
    "--row-groups",
    "120,77,300",
    "--seed",
    "42",
    "--lanes",
    "4",
    "--batch",
    "32",
    "--window",
    "2",
    "--shuffle",
    "rows",
    "--deal",
    "fixed",
    "--remainder",
    "drop",
    "--epochs",
    "0,1",
    "--json"
  };

  @Test
  void yarnJarPrintsWhatTheScriptPrints(PenstockCluster cluster) throws Exception {
    CommandResult script = cluster.penstock().run(PLAN);
    CommandResult yarnJar = cluster.yarnJar().run(PLAN);
    assertEquals(0, script.exitCode(), script.toString());
    assertEquals(0, yarnJar.exitCode(), yarnJar.toString());
    assertTrue(script.json().size() > 0, script.toString());
    assertEquals(script.json(), yarnJar.json());
  }

  @Test
  void yarnJarPassesTheExitCodeOfAUsageErrorOn(PenstockCluster cluster) throws Exception {
    CommandResult script = cluster.penstock().run("plan", "--colour", "red");
    CommandResult yarnJar = cluster.yarnJar().run("plan", "--colour", "red");
    assertEquals(2, script.exitCode(), script.toString());
    assertEquals(2, yarnJar.exitCode(), yarnJar.toString());
    assertTrue(yarnJar.stderr().contains("--colour"), yarnJar.toString());
  }

  @Test
  void ridesAreWrittenToTheClustersFileSystem(PenstockCluster cluster) throws Exception {
    ProcessBuilder rides =
        new ProcessBuilder(
            ModuleFolder.path().resolve("bin/rides").toString(),
            "/data/rides-of-distribution-it",
            "--rows",
            "3000",
            "--files",
            "2");
    rides.environment().put("HADOOP_CONF_DIR", cluster.conf().toString());
    try (RunningCommand command = RunningCommand.start(rides)) {
      CommandResult result = command.await(java.time.Duration.ofSeconds(60));
      assertEquals(0, result.exitCode(), result.toString());
    }
    assertEquals(2, cluster.hdfs().listStatus(new Path("/data/rides-of-distribution-it")).length);
  }
}
