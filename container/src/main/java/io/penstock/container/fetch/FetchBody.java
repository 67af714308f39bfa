package io.penstock.container.fetch;

import java.io.IOException;

/** What a fetch does with its file; it may be run several times, each time from the beginning. */
@FunctionalInterface
public interface FetchBody<T> {
  /**
   * @throws IOException if storage fails: the fetch is tried again
   * @throws io.penstock.model.PenstockException ends the fetch at once
   */
  T fetch(FileBytes file) throws IOException;
}
