package io.penstock.container.decode;

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
}
