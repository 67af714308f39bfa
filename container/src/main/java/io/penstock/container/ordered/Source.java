package io.penstock.container.ordered;

/**
 * Where a stage's items come from, in the order of the plan. Items that no worker came to work on
 * are closed by the stage if they are {@link AutoCloseable}.
 */
public interface Source<I> {
  /**
   * The next item, or null after the last one. Called by the stage's admission thread alone; may
   * block, with a deadline of its own where it waits for storage or another process.
   */
  I next() throws Exception;

  /**
   * The item has what it needs in memory and will be worked on: what takes time before (reading
   * from HDFS) starts here. Called by the admission thread, in order; must not block.
   */
  default void admitted(I item) throws Exception {}

  /**
   * The stage fails or is closed. Makes a {@link #next()} that blocks now or later return or throw
   * soon, and cancels what {@link #admitted} started, so that workers that wait for it come back.
   * Called by any thread, once; must not block.
   */
  default void stop() {}
}
