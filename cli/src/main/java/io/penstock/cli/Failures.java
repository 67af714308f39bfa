package io.penstock.cli;

import io.penstock.cli.console.ExitCode;
import io.penstock.model.PenstockException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.security.AccessControlException;

/** What a failure says to the person who typed the command. */
final class Failures {
  private Failures() {}

  static int exitCode(Throwable failure) {
    if (failure instanceof PenstockException known) {
      return known.exitCode();
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (isUnreachable(t)) {
        return ExitCode.UNREACHABLE.code();
      }
      if (t instanceof FileNotFoundException || t instanceof java.nio.file.NoSuchFileException) {
        return ExitCode.REFUSED.code();
      }
    }
    return ExitCode.FAILED.code();
  }

  private static boolean isUnreachable(Throwable t) {
    IOException failure =
        t instanceof RemoteException remote ? remote.unwrapRemoteException() : null;
    Throwable seen = failure == null ? t : failure;
    return seen instanceof AccessControlException
        || seen instanceof java.nio.file.AccessDeniedException
        || seen instanceof ConnectException
        || seen instanceof ConnectTimeoutException
        || seen instanceof NoRouteToHostException
        || seen instanceof SocketTimeoutException
        || seen instanceof UnknownHostException;
  }

  /** One message, in as many lines as it has errors. */
  static String message(Throwable failure) {
    if (failure instanceof PenstockException) {
      return failure.getMessage();
    }
    String text = failure.getMessage();
    if (failure instanceof IOException && text != null) {
      return firstLine(text);
    }
    String kind = failure.getClass().getSimpleName();
    return text == null ? kind : kind + ": " + firstLine(text);
  }

  private static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }
}
