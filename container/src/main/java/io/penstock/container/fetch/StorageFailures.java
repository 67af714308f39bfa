package io.penstock.container.fetch;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.security.AccessControlException;

/** What the failures of storage mean for a fetch, and what is said of them. */
final class StorageFailures {
  private StorageFailures() {}

  /** Whether storage failed, and not what was done with its bytes. */
  static boolean isStorage(Throwable failure) {
    return failure instanceof IOException
        || failure instanceof UncheckedIOException
        || failure instanceof TimeoutException;
  }

  /** Whether trying again is of no use. */
  static boolean isFinal(Throwable failure) {
    return failure instanceof FileNotFoundException
        || failure instanceof NoSuchFileException
        || failure instanceof AccessControlException
        || failure instanceof AccessDeniedException;
  }

  static String inWords(Throwable failure) {
    if (failure instanceof AccessControlException || failure instanceof AccessDeniedException) {
      return "no permission: " + failure.getMessage();
    }
    if (failure instanceof FileNotFoundException || failure instanceof NoSuchFileException) {
      return "no such file: " + failure.getMessage();
    }
    if (failure instanceof TimeoutException) {
      return failure.getMessage();
    }
    return failure.toString();
  }

  static String text(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }
}
