package io.penstock.cli.submit;

import io.penstock.cli.console.CommandContext;
import io.penstock.config.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the files of the user's jobs that have ended where nothing of Penstock could run any more
 * to do so. Part of every command that reaches a cluster; fails in silence, because the command is
 * about something else.
 */
public final class StaleStaging {
  private static final Logger LOG = LoggerFactory.getLogger(StaleStaging.class);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** A folder younger than this may belong to a job that is just being submitted. */
  private static final Duration BEING_SUBMITTED = Duration.ofHours(1);

  private StaleStaging() {}

  /** Looks for such files and removes them. */
  public static void sweep(CommandContext context) {
    Thread sweeper =
        new Thread(
            () -> {
              try {
                sweepNow(context);
              } catch (RuntimeException e) {
                LOG.debug("event=sweep-failed", e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "sweep-staging");
    sweeper.setDaemon(true);
    sweeper.start();
    try {
      sweeper.join(LONGEST.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sweeper.interrupt();
  }

  private static void sweepNow(CommandContext context) throws InterruptedException {
    Settings settings = context.settings();
    try (Staging staging = Staging.open(context.configuration(), settings.submit())) {
      List<FileStatus> folders = staging.folders();
      if (folders.isEmpty()) {
        return;
      }
      try (Cluster cluster = Cluster.connect(context.configuration(), settings.submit())) {
        for (FileStatus folder : folders) {
          String application = folder.getPath().getName();
          if (isStale(cluster.report(application), folder)) {
            LOG.info("event=sweep application={}", application);
            staging.remove(application);
          }
        }
      }
    }
  }

  private static boolean isStale(Optional<ApplicationReport> report, FileStatus folder) {
    return report
        .map(r -> r.getFinalApplicationStatus() != FinalApplicationStatus.UNDEFINED)
        .orElseGet(
            () ->
                Instant.ofEpochMilli(folder.getModificationTime())
                    .isBefore(Instant.now().minus(BEING_SUBMITTED)));
  }
}
