package io.penstock.cli.submit;

import io.penstock.cli.console.Version;
import io.penstock.cli.dataset.FeedFile;
import io.penstock.config.Settings;
import io.penstock.feed.NamedFile;
import io.penstock.model.RankRange;
import io.penstock.yarn.JavaProcess;
import io.penstock.yarn.JobRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.util.Records;

/**
 * What is submitted: pure, so that it can be looked at without a cluster.
 *
 * @param name the job's name, for people
 * @param feed what all ranks deliver
 * @param ranks how many
 * @param user who submits
 */
record Submission(String name, FeedFile feed, RankRange ranks, String user, Settings settings) {
  /** The feed's name where a job has one. */
  static final String FEED = "train";

  private static final String AM_MAIN = "io.penstock.am.Main";
  private static final String TYPE = "PENSTOCK";
  private static final String DEFAULT_QUEUE = "default";

  String queue() {
    return settings.submit().queue().orElse(DEFAULT_QUEUE);
  }

  /** For the job's staging folder. */
  JobRequest request(String application, long now, String staging, String distribution) {
    return new JobRequest(
        application,
        name,
        user,
        queue(),
        now,
        Version.current(),
        staging,
        distribution,
        Distribution.JAR,
        Map.of(FEED, ranks));
  }

  /** Text of the feed files by feed name. */
  Map<String, String> feedTexts() {
    return Map.of(FEED, feed.text());
  }

  /** The files that the feed names, by path as it writes it. */
  Map<String, byte[]> namedFiles() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (NamedFile file : feed.feed().files().values()) {
      files.put(file.path(), file.bytes());
    }
    return files;
  }

  /** The ApplicationMaster's process. */
  JavaProcess applicationMaster() {
    return new JavaProcess(
        AM_MAIN,
        settings.am().memoryBytes(),
        settings.am().heapShare(),
        settings.am().javaOptions(),
        settings.submit().javaHome(),
        Distribution.JAR,
        Map.of());
  }

  /** For the ResourceManager. Containers end with their ApplicationMaster's attempt. */
  ApplicationSubmissionContext context(
      ApplicationId application, Asks asks, ContainerLaunchContext launch) {
    ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
    context.setApplicationId(application);
    context.setApplicationName(name);
    context.setApplicationType(TYPE);
    context.setQueue(queue());
    context.setPriority(Priority.newInstance(settings.submit().priority()));
    context.setResource(asks.am().toYarn());
    context.setMaxAppAttempts(settings.am().attempts());
    context.setKeepContainersAcrossApplicationAttempts(false);
    context.setAMContainerSpec(launch);
    nodeLabel().ifPresent(context::setNodeLabelExpression);
    return context;
  }

  private Optional<String> nodeLabel() {
    return settings.submit().nodeLabel();
  }
}
