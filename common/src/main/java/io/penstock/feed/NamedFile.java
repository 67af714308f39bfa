package io.penstock.feed;

/**
 * A file that the feed names (statistics, vocabulary, jar), as it was read.
 *
 * @param path as written in the feed
 * @param sha256 of its bytes, 64 hex digits
 */
public record NamedFile(String path, byte[] bytes, String sha256) {
  public NamedFile {
    bytes = bytes.clone();
  }

  /** A copy of its content. */
  @Override
  public byte[] bytes() {
    return bytes.clone();
  }
}
