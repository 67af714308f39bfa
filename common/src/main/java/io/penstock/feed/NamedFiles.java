package io.penstock.feed;

import java.io.IOException;

/** Where the files that a feed names are read from. */
@FunctionalInterface
public interface NamedFiles {
  /**
   * Reads a whole file.
   *
   * @param path as written in the feed
   * @throws IOException if it is not there or can't be read; its message says why, and it becomes
   *     an error of the feed; what is no fault of the feed, such as a file system that is not
   *     reached, is thrown as an {@link io.penstock.model.UnreachableException} and passes through
   */
  byte[] read(String path) throws IOException;
}
