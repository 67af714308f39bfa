package io.penstock.container.fetch;

/** A fetch that was started. */
public interface Fetch<T> {
  /**
   * Waits for the result.
   *
   * @throws io.penstock.model.UnreachableException if storage failed in every try, there is no such
   *     file, or no permission; never a reason for quarantine
   * @throws io.penstock.model.DataException what the body threw
   * @throws java.util.concurrent.CancellationException if it was cancelled or the fetcher closed
   */
  T await();

  /** Whether {@link #await} returns, or throws, at once. */
  boolean isDone();

  /** Gives it up; frees its thread if it has one. */
  void cancel();

  /** How many more than one try it took so far. */
  int retries();
}
