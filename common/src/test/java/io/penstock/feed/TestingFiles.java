package io.penstock.feed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Named files held in memory, with a count of reads. */
final class TestingFiles implements NamedFiles {
  private final Map<String, byte[]> files = new HashMap<>();
  private int reads;

  TestingFiles with(String path, String text) {
    return with(path, text.getBytes(StandardCharsets.UTF_8));
  }

  TestingFiles with(String path, byte[] bytes) {
    files.put(path, bytes);
    return this;
  }

  int reads() {
    return reads;
  }

  @Override
  public byte[] read(String path) throws IOException {
    reads++;
    byte[] bytes = files.get(path);
    if (bytes == null) {
      throw new IOException("no such file");
    }
    return bytes;
  }
}
