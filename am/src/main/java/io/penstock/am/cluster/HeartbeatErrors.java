package io.penstock.am.cluster;

import io.penstock.am.core.Event;
import java.util.Optional;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.exceptions.InvalidApplicationMasterRequestException;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;

/**
 * What an error of the heartbeat means. The client repeats the heartbeat, and so the error, for
 * ever; some errors never go away.
 */
final class HeartbeatErrors {
  private HeartbeatErrors() {}

  /** The ResourceManager will never meet the ask. */
  static Optional<Event> refusal(Throwable error) {
    for (Throwable cause = error; cause != null; cause = next(cause)) {
      if (cause instanceof InvalidResourceRequestException) {
        return Optional.of(new Event.AskRefused(firstLine(cause)));
      }
    }
    return Optional.empty();
  }

  /** The ResourceManager does not want this attempt any more. */
  static Optional<String> fatal(Throwable error) {
    for (Throwable cause = error; cause != null; cause = next(cause)) {
      if (cause instanceof ApplicationAttemptNotFoundException
          || cause instanceof ApplicationMasterNotRegisteredException
          || cause instanceof InvalidApplicationMasterRequestException
          || cause instanceof SecretManager.InvalidToken) {
        return Optional.of(cause.getClass().getSimpleName() + ": " + firstLine(cause));
      }
    }
    return Optional.empty();
  }

  private static Throwable next(Throwable cause) {
    return cause.getCause() == cause ? null : cause.getCause();
  }

  /** Remote exceptions carry the server's stack in their message. */
  static String firstLine(Throwable error) {
    String message = error.getMessage() == null ? error.toString() : error.getMessage();
    int end = message.indexOf('\n');
    return (end < 0 ? message : message.substring(0, end)).strip();
  }
}
