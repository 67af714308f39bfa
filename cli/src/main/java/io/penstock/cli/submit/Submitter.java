package io.penstock.cli.submit;

import io.penstock.cli.console.Console;
import io.penstock.cli.submit.DistributionStore.Provided;
import io.penstock.model.UnreachableException;
import io.penstock.yarn.JobRequest;
import io.penstock.yarn.Launches;
import io.penstock.yarn.Tokens;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;

/**
 * Carries out a submission: an application id, the distribution, the job's files, and at last the
 * application. What fails leaves nothing behind.
 */
final class Submitter implements AutoCloseable {
  private final Configuration configuration;
  private final Submission submission;
  private final Staging staging;
  private final Cluster cluster;
  private final Asks asks;
  private final Map<String, byte[]> more;
  private YarnClientApplication application;
  private volatile boolean submitted;

  private Submitter(
      Configuration configuration,
      Submission submission,
      Map<String, byte[]> more,
      Staging staging,
      Cluster cluster) {
    this.configuration = configuration;
    this.submission = submission;
    this.staging = staging;
    this.cluster = cluster;
    this.more = Map.copyOf(more);
    this.asks = Asks.of(submission.settings());
  }

  /**
   * Reaches the file system of staging.
   *
   * @param more files of the job besides, by name
   * @throws UnreachableException if it can't be reached
   */
  static Submitter open(
      Configuration configuration, Submission submission, Map<String, byte[]> more)
      throws InterruptedException {
    Staging staging = Staging.open(configuration, submission.settings().submit());
    return new Submitter(
        configuration,
        submission,
        more,
        staging,
        Cluster.connect(configuration, submission.settings().submit()));
  }

  Cluster cluster() {
    return cluster;
  }

  /**
   * Has the ResourceManager give an id, and checks the asks against what it can give at most.
   *
   * @throws UnreachableException if it can't be reached
   * @throws io.penstock.model.UsageException if an ask is too large
   */
  String newApplication() throws InterruptedException {
    application = cluster.newApplication();
    asks.check(application.getNewApplicationResponse().getMaximumResourceCapability());
    return id();
  }

  private String id() {
    return application.getApplicationSubmissionContext().getApplicationId().toString();
  }

  /** Uploads what is needed, and submits. */
  void submit(Distribution distribution, Console console) throws InterruptedException {
    boolean done = false;
    try {
      Provided provided = provide(distribution);
      if (provided.uploaded()) {
        console.note("uploaded " + provided.archive());
      }
      Path history = history();
      JobRequest request =
          submission.request(
              id(),
              System.currentTimeMillis(),
              staging.folder(id()).toString(),
              provided.archive().toString());
      // Absolute, so that all processes mean the same folder whoever they run as.
      configuration.set("penstock.history.dir", history.toString(), "submit");
      staging.write(request, submission.feedTexts(), submission.namedFiles(), configuration);
      for (Map.Entry<String, byte[]> file : more.entrySet()) {
        staging.add(request, file.getKey(), file.getValue());
      }
      cluster.submit(
          submission.context(
              application.getApplicationSubmissionContext().getApplicationId(),
              asks,
              launch(request)));
      submitted = true;
      done = true;
    } catch (IOException e) {
      throw staging.failed(e);
    } finally {
      if (!done) {
        staging.remove(id());
      }
    }
  }

  private Path history() {
    Path dir = new Path(submission.settings().history().dir());
    return dir.toUri().getScheme() == null ? staging.fileSystem().makeQualified(dir) : dir;
  }

  private Provided provide(Distribution distribution) throws IOException {
    Path folder = new Path(submission.settings().submit().distributionDir());
    if (folder.toUri().getScheme() == null) {
      return new DistributionStore(staging.fileSystem(), folder).provide(distribution);
    }
    try (FileSystem own = FileSystem.newInstance(folder.toUri(), configuration)) {
      return new DistributionStore(own, folder).provide(distribution);
    }
  }

  private ContainerLaunchContext launch(JobRequest request) throws IOException {
    List<Path> paths =
        Stream.concat(
                Stream.of(request.staging(), request.distribution(), history().toString()),
                submission.feed().feed().dataset().paths().stream())
            .map(Path::new)
            .toList();
    Credentials credentials = Tokens.of(paths, configuration);
    return Launches.context(
        submission.applicationMaster(),
        Launches.files(staging.fileSystem(), request, configuration),
        credentials,
        submission.user());
  }

  /** Whether the ResourceManager has taken the job. */
  boolean hasSubmitted() {
    return submitted;
  }

  /** Removes the job's files where its ApplicationMaster has not. */
  void removeStaging() throws InterruptedException {
    staging.remove(id());
  }

  @Override
  public void close() {
    cluster.close();
    staging.close();
  }
}
