package io.penstock.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Standard output. When its reader has gone ({@code penstock ... | head}) what follows is dropped;
 * any other failure is kept, so that a full disk does not look like success.
 */
final class StandardOutput extends OutputStream {
  private final OutputStream stream;
  private boolean gone;
  private IOException failure;

  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(OutputStream stream) {
    this.stream = stream;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    if (gone) {
      throw new IOException("nobody reads standard output any more");
    }
    try {
      stream.write(bytes, from, count);
    } catch (IOException e) {
      gone = true;
      String message = String.valueOf(e.getMessage());
      if (!message.contains("Broken pipe") && !message.contains("Stream closed")) {
        failure = e;
      }
      throw e;
    }
  }

  /** Why it could not be written, unless its reader simply went away. */
  Optional<IOException> failure() {
    return Optional.ofNullable(failure);
  }
}
