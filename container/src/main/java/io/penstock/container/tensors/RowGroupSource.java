package io.penstock.container.tensors;

import io.penstock.model.RowGroupRef;

/**
 * Where the tensors of row groups come from: the cache, or storage through decode and transform.
 *
 * <p>{@link #request} is called in plan order when a row group is admitted, and may start a fetch
 * ahead of need; {@link Reader#read} is called later on a worker thread.
 */
public interface RowGroupSource {
  /** Decides where the row group comes from and starts what can be started. Never blocks. */
  Request request(RowGroupRef rowGroup);

  /** A reader with buffers of its own, for one worker thread. */
  Reader newReader();

  /**
   * Upper bound of the bytes that loading the row group takes at once, what is fetched and what is
   * kept included.
   */
  long peakBytes(RowGroupRef rowGroup);

  /**
   * Takes back tensors that nobody looks at any more, so that others can be made in their place.
   */
  void giveBack(RowGroupTensors tensors);

  /** A row group that was asked for. */
  interface Request {
    RowGroupRef rowGroup();

    /** Gives up what was started; called when the request is never read. */
    void cancel();
  }

  /** Loads on one worker thread. */
  interface Reader extends AutoCloseable {
    /**
     * Loads the whole row group.
     *
     * @throws io.penstock.model.DataException if its content breaks the format or the feed and the
     *     feed says {@code bad_row_group: fail}
     */
    Loaded read(Request request);

    @Override
    void close();
  }

  /** Where tensors came from. */
  enum Origin {
    CACHE,
    STORAGE
  }

  /**
   * @param tensors of all rows of the row group
   * @param retries how many more than one try storage took
   */
  record Loaded(RowGroupTensors tensors, Origin origin, int retries) {}
}
