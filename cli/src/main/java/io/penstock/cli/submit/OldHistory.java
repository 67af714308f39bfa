package io.penstock.cli.submit;

import io.penstock.cli.console.CommandContext;
import io.penstock.config.ClientTimeouts;
import io.penstock.history.Retention;
import io.penstock.lifecycle.NamedThreads;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the user's histories that have been kept for long enough. Fails in silence, because the
 * command is about something else; the next one does it then.
 */
final class OldHistory {
  private static final Logger LOG = LoggerFactory.getLogger(OldHistory.class);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private OldHistory() {}

  static void sweep(CommandContext context) {
    Thread sweeper =
        NamedThreads.named(
            "sweep-history",
            () -> sweepNow(context),
            (thread, failure) -> LOG.debug("event=sweep-failed", failure));
    sweeper.start();
    try {
      sweeper.join(LONGEST.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sweepNow(CommandContext context) {
    try {
      Retention.sweep(
              ClientTimeouts.within(LONGEST, context.configuration()),
              context.settings().history(),
              System.currentTimeMillis())
          .forEach(application -> LOG.info("event=history-removed application={}", application));
    } catch (IOException e) {
      LOG.debug("event=sweep-failed", e);
    }
  }
}
