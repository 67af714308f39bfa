package io.penstock.container.ordered;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The result of one item, together with what it holds in memory. The consumer closes it when it is
 * done with it, once, from any thread.
 */
public final class Result<O> implements AutoCloseable {
  private final long sequence;
  private final O value; // null in an end
  private final Reservation held; // null in an end
  private final AtomicBoolean closed = new AtomicBoolean();

  private Result(long sequence, O value, Reservation held) {
    this.sequence = sequence;
    this.value = value;
    this.held = held;
  }

  static <O> Result<O> of(long sequence, O value, Reservation held) {
    return new Result<>(sequence, value, held);
  }

  /** The sentinel: its worker has ended, and nothing comes after it from there. */
  static <O> Result<O> end(long sequence) {
    return new Result<>(sequence, null, null);
  }

  boolean isEnd() {
    return held == null;
  }

  /** The item's place in the order of the plan: 0, 1, 2 ... */
  public long sequence() {
    return sequence;
  }

  /**
   * What the work made of the item.
   *
   * @throws IllegalStateException after {@link #close()}
   */
  public O value() {
    if (closed.get()) {
      throw new IllegalStateException("used after it was closed: result " + sequence);
    }
    return value;
  }

  /**
   * Closes the value if it is {@link AutoCloseable}, and then gives back what it held; a second
   * time does nothing.
   *
   * @throws IllegalStateException if the value could not be closed; what it held is given back
   */
  @Override
  public void close() {
    if (isEnd() || !closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (value instanceof AutoCloseable closeable) {
        closeable.close();
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("result " + sequence + " could not be closed", e);
    } finally {
      held.close();
    }
  }
}
