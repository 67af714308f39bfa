package io.penstock.cli.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.cli.Datasets;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.config.Settings;
import io.penstock.model.RankRange;
import io.penstock.model.UsageException;
import io.penstock.yarn.JobFiles;
import io.penstock.yarn.JobRequest;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {
  private static final String APPLICATION = "application_1700000000000_0001";

  @TempDir Path folder;
  private final Configuration configuration = new Configuration(false);
  private Submission submission;

  @BeforeEach
  void write() throws Exception {
    configuration.set("fs.defaultFS", "file:///");
    configuration.set("penstock.submit.staging-dir", folder.toUri() + "staging");
    configuration.set("penstock.submit.queue", "gpu");
    configuration.set("penstock.am.attempts", "4");
    Files.writeString(folder.resolve("words.txt"), "b\na\n");
    Path feed =
        Datasets.feed(
            folder.resolve("feed.yaml"),
            Datasets.numbers(folder.resolve("data")),
            "seed: 1, lanes: 1, batch: 4");
    Files.writeString(
        feed,
        Files.readString(feed)
            + "  word: {column: text, dtype: int64, ops: [{vocabulary: {file: words.txt}}]}\n");
    Settings settings = Settings.read(configuration);
    submission =
        new Submission(
            "job",
            FeedFile.read(feed.toString(), configuration, settings),
            RankRange.of(2),
            "ann",
            settings);
  }

  @Test
  void aJobsFilesAreItsOwnersAlone() throws Exception {
    try (Staging staging = Staging.open(configuration, submission.settings().submit())) {
      JobRequest request =
          submission.request(APPLICATION, 5, staging.folder(APPLICATION).toString(), "file:/d.zip");
      staging.write(request, submission.feedTexts(), submission.namedFiles(), configuration);
      Path made = folder.resolve("staging/" + APPLICATION);
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
      for (String name :
          new String[] {
            "train.feed.yaml", JobFiles.REQUEST, JobFiles.CONFIGURATION, JobFiles.named("words.txt")
          }) {
        assertEquals(
            "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(made.resolve(name))));
      }
      assertEquals("b\na\n", new String(JobFiles.readNamed(made, "words.txt")));
      try (InputStream in = Files.newInputStream(made.resolve(JobFiles.REQUEST))) {
        assertEquals(request, JobRequest.read(in));
      }
      assertTrue(
          Files.readString(made.resolve(JobFiles.CONFIGURATION)).contains("penstock.am.attempts"));
      assertEquals(1, staging.folders().size());
      staging.remove(APPLICATION);
      assertFalse(Files.exists(made));
      staging.remove(APPLICATION);
    }
  }

  @Test
  void whatIsSubmittedIsWhatTheSettingsSay() {
    ApplicationId id = ApplicationId.fromString(APPLICATION);
    ApplicationSubmissionContext context =
        submission.context(id, Asks.of(submission.settings()), null);
    assertEquals(id, context.getApplicationId());
    assertEquals("job", context.getApplicationName());
    assertEquals("gpu", context.getQueue());
    assertEquals(4, context.getMaxAppAttempts());
    assertEquals(1024, context.getResource().getMemorySize());
    assertFalse(context.getKeepContainersAcrossApplicationAttempts());
    JobRequest request = submission.request(APPLICATION, 5, "s", "d");
    assertEquals(Map.of("train", RankRange.of(2)), request.feeds());
    assertEquals("gpu", request.queue());
  }

  @Test
  void asksLargerThanTheLargestContainerAreAllNamed() {
    configuration.set("penstock.container.gpus", "0");
    configuration.set("penstock.container.memory", "8g");
    configuration.set("penstock.container.vcores", "9");
    Asks asks = Asks.of(Settings.read(configuration));
    asks.check(Resource.newInstance(8192, 9));
    UsageException refused =
        assertThrows(UsageException.class, () -> asks.check(Resource.newInstance(4096, 8)));
    assertEquals(
        "must be <= the largest container of the cluster: a rank asks for memory-mb=8192, largest"
            + " 4096\n"
            + "must be <= the largest container of the cluster: a rank asks for vcores=9, largest"
            + " 8",
        refused.getMessage());
  }
}
