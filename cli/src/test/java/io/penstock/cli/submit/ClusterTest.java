package io.penstock.cli.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.model.UsageException;
import java.time.Duration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterTest {
  private static final ApplicationId ID = ApplicationId.newInstance(1700000000000L, 1);
  private static final String ANSWER = "Failed to submit " + ID + " to YARN : why";

  @ParameterizedTest
  @CsvSource({"FAILED, 1", "FAILED, 2", "KILLED, -1"})
  void aJobThatEndedAtOnceWasNotRefused(YarnApplicationState state, int attempt) throws Exception {
    try (Cluster cluster = cluster(state, attempt)) {
      cluster.submit(application());
      assertEquals(state, cluster.report(ID.toString()).orElseThrow().getYarnApplicationState());
    }
  }

  @Test
  void aJobThatGotNoAttemptWasRefused() {
    try (Cluster cluster = cluster(YarnApplicationState.FAILED, -1)) {
      UsageException refused =
          assertThrows(UsageException.class, () -> cluster.submit(application()));
      assertEquals("refused by the ResourceManager: " + ANSWER, refused.getMessage());
    }
  }

  private static ApplicationSubmissionContext application() {
    ApplicationSubmissionContext application =
        Records.newRecord(ApplicationSubmissionContext.class);
    application.setApplicationId(ID);
    return application;
  }

  /** A ResourceManager whose client sees the application's end before it saw it accepted. */
  private static Cluster cluster(YarnApplicationState state, int attempt) {
    ApplicationReport report = Records.newRecord(ApplicationReport.class);
    report.setApplicationId(ID);
    report.setYarnApplicationState(state);
    report.setCurrentApplicationAttemptId(ApplicationAttemptId.newInstance(ID, attempt));
    return new Cluster(
        new YarnClientImpl() {
          @Override
          public ApplicationId submitApplication(ApplicationSubmissionContext application)
              throws YarnException {
            throw new YarnException(ANSWER);
          }

          @Override
          public ApplicationReport getApplicationReport(ApplicationId application) {
            return report;
          }
        },
        Duration.ofSeconds(10),
        "the ResourceManager");
  }
}
