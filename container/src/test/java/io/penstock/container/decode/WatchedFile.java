package io.penstock.container.decode;

import io.penstock.container.fetch.FileBytes;
import java.io.IOException;

/**
 * A file of which a test is told before each read.
 *
 * @param before may fail, and the read with it
 */
record WatchedFile(FileBytes file, Before before) implements FileBytes {
  interface Before {
    void read() throws IOException;
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public void readFully(long position, byte[] into, int offset, int count) throws IOException {
    before.read();
    file.readFully(position, into, offset, count);
  }
}
