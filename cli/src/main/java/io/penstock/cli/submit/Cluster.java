package io.penstock.cli.submit;

import io.penstock.config.ClientTimeouts;
import io.penstock.config.SubmitSettings;
import io.penstock.model.UnreachableException;
import io.penstock.model.UsageException;
import io.penstock.yarn.RankResource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The ResourceManager. Every request to it has a deadline. */
public final class Cluster implements AutoCloseable {
  private static final String NO_PERMISSION = "does not have permission";

  private final YarnClient client;
  private final Duration longest;
  private final String whom;

  Cluster(YarnClient client, Duration longest, String whom) {
    this.client = client;
    this.longest = longest;
    this.whom = whom;
  }

  /** A client; nothing is asked yet. */
  public static Cluster connect(Configuration configuration, SubmitSettings settings) {
    return connect(configuration, settings.connectTimeout());
  }

  static Cluster connect(Configuration configuration, Duration longest) {
    YarnConfiguration yarn = new YarnConfiguration(ClientTimeouts.within(longest, configuration));
    YarnClient client = YarnClient.createYarnClient();
    client.init(yarn);
    client.start();
    return new Cluster(client, longest, "the ResourceManager (" + address(yarn) + ")");
  }

  private static String address(YarnConfiguration yarn) {
    String ids = yarn.get(YarnConfiguration.RM_HA_IDS);
    return yarn.getBoolean(YarnConfiguration.RM_HA_ENABLED, false) && ids != null
        ? YarnConfiguration.RM_HA_IDS + "=" + ids
        : yarn.get(YarnConfiguration.RM_ADDRESS, YarnConfiguration.DEFAULT_RM_ADDRESS);
  }

  /**
   * A new application's id and the largest container that there can be. Makes the cluster's kinds
   * of resources known in this JVM.
   */
  YarnClientApplication newApplication() throws InterruptedException {
    return ask(
        () -> {
          RankResource.know(client.getResourceTypeInfo());
          return client.createApplication();
        });
  }

  /**
   * Submits, and waits until the ResourceManager has taken or refused it. A job that has ended by
   * then was taken.
   *
   * @throws UsageException with the ResourceManager's text if it refuses: the queue, the ask
   */
  void submit(ApplicationSubmissionContext context) throws InterruptedException {
    ask(
        () -> {
          try {
            return client.submitApplication(context);
          } catch (YarnException e) {
            if (wasTaken(client.getApplicationReport(context.getApplicationId()))) {
              return context.getApplicationId();
            }
            throw e;
          }
        });
  }

  /** YarnClient can't tell a job that ends at once from one that is refused. */
  private static boolean wasTaken(ApplicationReport report) {
    ApplicationAttemptId attempt = report.getCurrentApplicationAttemptId();
    return report.getYarnApplicationState() == YarnApplicationState.KILLED
        || attempt != null && attempt.getAttemptId() > 0;
  }

  /** What YARN says of an application; empty if it knows none of that id. */
  public Optional<ApplicationReport> report(String application) throws InterruptedException {
    ApplicationId id = id(application);
    return ask(
        () -> {
          try {
            return Optional.of(client.getApplicationReport(id));
          } catch (ApplicationNotFoundException e) {
            return Optional.empty();
          }
        });
  }

  /** Has YARN end an application; returns when it has, or has ended before. */
  public void kill(String application) throws InterruptedException {
    ApplicationId id = id(application);
    ask(
        () -> {
          client.killApplication(id);
          return null;
        });
  }

  /**
   * An application's id.
   *
   * @throws UsageException if it is none
   */
  public static ApplicationId id(String application) {
    try {
      return ApplicationId.fromString(application);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "must be an application id such as application_1700000000000_0001: " + application, e);
    }
  }

  private <T> T ask(Callable<T> request) throws InterruptedException {
    try {
      return Bounded.call(whom, longest, request);
    } catch (YarnException e) {
      String text = Bounded.firstLine(e);
      if (text.contains(NO_PERMISSION) || text.contains("AccessControlException")) {
        throw new UnreachableException("no permission from " + whom + ": " + text, e);
      }
      throw new UsageException("refused by " + whom + ": " + text, e);
    }
  }

  @Override
  public void close() {
    client.stop();
  }
}
