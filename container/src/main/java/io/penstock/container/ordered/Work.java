package io.penstock.container.ordered;

/**
 * What one worker thread does; made, used and closed by that thread, so it may keep buffers between
 * items.
 */
@FunctionalInterface
public interface Work<I, O> {
  /**
   * Makes the result of one item, never null.
   *
   * @param held what the item holds in memory; work whose result needs less than its making calls
   *     {@link Reservation#shrinkTo}
   */
  O apply(I item, Reservation held) throws Exception;

  /** After the last item; called by the thread that made it. */
  default void close() throws Exception {}
}
