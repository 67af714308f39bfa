package io.penstock.container.decode;

import java.util.function.Supplier;

/** What is wrong with a chunk's bytes; becomes a data error where the place is known. */
final class CorruptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptException(String message) {
    super(message);
  }

  CorruptException(String message, Throwable cause) {
    super(message, cause);
  }

  static void check(boolean holds, String message) {
    if (!holds) {
      throw new CorruptException(message);
    }
  }

  /** For messages that are put together: that is work for the page that is wrong alone. */
  static void check(boolean holds, Supplier<String> message) {
    if (!holds) {
      throw new CorruptException(message.get());
    }
  }
}
