package io.penstock.container.fetch;

import java.io.IOException;

/** The bytes of one open file, read by position. */
public interface FileBytes {
  /** The file's full decoded path. */
  String path();

  /** Bytes that the file has. */
  long length();

  /**
   * Reads exactly {@code length} bytes.
   *
   * @throws java.io.EOFException if the file ends before
   * @throws IOException if storage fails
   */
  void readFully(long position, byte[] into, int offset, int length) throws IOException;
}
