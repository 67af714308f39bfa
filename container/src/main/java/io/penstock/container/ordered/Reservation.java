package io.penstock.container.ordered;

/** What an item holds from its admission until the consumer is done with its result. */
public interface Reservation extends AutoCloseable {
  /**
   * Gives back what is above {@code amount}.
   *
   * @throws IllegalArgumentException if it is negative or more than is held
   */
  void shrinkTo(long amount);

  /** What is held now, 0 after closing. */
  long amount();

  /** Gives back all; a second time does nothing. Any thread. */
  @Override
  void close();
}
