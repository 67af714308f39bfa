package io.penstock.cli.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.cli.console.ExitCode;
import io.penstock.cli.job.JobView;
import io.penstock.coordination.Coordination;
import io.penstock.coordination.FencedJob;
import io.penstock.coordination.JobStore;
import io.penstock.coordination.TestingZooKeeper;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RunState;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;

class OutcomeTest {
  private static ApplicationReport report(FinalApplicationStatus status, String diagnostics) {
    ApplicationReport report = Records.newRecord(ApplicationReport.class);
    report.setFinalApplicationStatus(status);
    report.setDiagnostics(diagnostics);
    return report;
  }

  @Test
  void yarnsWordIsAnExitCode() {
    assertTrue(Outcome.of(report(FinalApplicationStatus.UNDEFINED, "")).isEmpty());
    assertEquals(
        ExitCode.DONE,
        Outcome.of(report(FinalApplicationStatus.SUCCEEDED, null)).orElseThrow().code());
    assertEquals(
        ExitCode.KILLED,
        Outcome.of(report(FinalApplicationStatus.KILLED, "by ann")).orElseThrow().code());
    assertEquals(
        new Outcome(ExitCode.FAILED, "AM Container exited"),
        Outcome.of(report(FinalApplicationStatus.FAILED, "AM Container exited\n")).orElseThrow());
  }

  @Test
  void anApplicationMasterThatLostWhatItNeedsIsUnreachableByItsExitCode() {
    String diagnostics =
        "AM Container for appattempt_1700000000000_0001_000003 exited with  exitCode: %d\nmore";
    assertEquals(
        new Outcome(
            ExitCode.UNREACHABLE,
            "the ApplicationMaster ended: the session with ZooKeeper was lost\n"
                + diagnostics.formatted(12)),
        Outcome.of(report(FinalApplicationStatus.FAILED, diagnostics.formatted(12))).orElseThrow());
    assertEquals(
        ExitCode.FAILED,
        Outcome.of(report(FinalApplicationStatus.FAILED, diagnostics.formatted(1)))
            .orElseThrow()
            .code());
  }

  @Test
  void anApplicationMasterThatNeverReachedSomethingEndsInThatCodeAndWithItsWords()
      throws Exception {
    try (TestingZooKeeper zooKeeper = TestingZooKeeper.start();
        Coordination coordination = Coordination.connect(zooKeeper.settings())) {
      JobStore store = coordination.job("application_1700000000000_0001");
      FencedJob am = store.takeOver(3, "am");
      am.writeState(new JobState(RunState.STARTING, "hdfs was not reached", 3, 3, 0, 0, 1, 2));
      Outcome yarns =
          Outcome.of(report(FinalApplicationStatus.FAILED, "AM Container exited")).orElseThrow();
      assertEquals(
          new Outcome(ExitCode.UNREACHABLE, "hdfs was not reached"),
          yarns.because(JobView.read(store)));
      Outcome killed = new Outcome(ExitCode.KILLED, "by ann");
      assertEquals(killed, killed.because(JobView.read(store)));
      am.writeState(new JobState(RunState.RUNNING, "", 0, 3, 1, 0, 1, 2));
      assertEquals(yarns, yarns.because(JobView.read(store)));
    }
  }

  @Test
  void aJobWhoseApplicationMasterIsGoneIsSettled() throws Exception {
    try (TestingZooKeeper zooKeeper = TestingZooKeeper.start();
        Coordination coordination = Coordination.connect(zooKeeper.settings())) {
      JobStore store = coordination.job("application_1700000000000_0001");
      store
          .takeOver(2, "am")
          .writeState(new JobState(RunState.RUNNING, "", 0, 2, 3, 1, 1_000, 2_000));
      new Outcome(ExitCode.FAILED, "AM Container exited\n\n  with 137\n").settle(store, 3_000);
      JobState settled = store.state().orElseThrow();
      assertEquals(
          new JobState(RunState.FAILED, "AM Container exited | with 137", 1, 2, 3, 1, 1_000, 3_000),
          settled);
      new Outcome(ExitCode.KILLED, "again").settle(store, 4_000);
      assertEquals(settled, store.state().orElseThrow());
      assertEquals(ExitCode.FAILED, Outcome.of(JobView.read(store)).orElseThrow().code());
    }
  }
}
