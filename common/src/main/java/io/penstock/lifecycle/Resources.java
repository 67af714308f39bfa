package io.penstock.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a component has opened, in order; closing goes in reverse, tries all of it, keeps the first
 * failure and suppresses the rest. Not thread-safe: one thread opens and closes.
 *
 * <pre>{@code
 * Resources resources = new Resources();
 * try {
 *   client = resources.add(new Client());
 *   cache = resources.add(new Cache(client));
 * } catch (Throwable failure) {
 *   resources.closeAfter(failure);
 *   throw failure;
 * }
 * }</pre>
 */
public final class Resources implements AutoCloseable {
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Remembers what was just opened, and returns it. */
  public <T extends AutoCloseable> T add(T resource) {
    open.push(resource);
    return resource;
  }

  /**
   * Closes all that is open, the youngest first; a second time does nothing.
   *
   * @throws IllegalStateException if the first failure was a checked exception, which is the cause;
   *     unchecked ones are thrown as they are
   */
  @Override
  public void close() {
    Throwable first = closeAll(null);
    if (first instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (first instanceof Error error) {
      throw error;
    }
    if (first != null) {
      throw new IllegalStateException("could not be closed: " + first.getMessage(), first);
    }
  }

  /** Closes all that is open because of {@code failure}; what fails now is suppressed in it. */
  public void closeAfter(Throwable failure) {
    closeAll(failure);
  }

  private Throwable closeAll(Throwable failure) {
    Throwable first = failure;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Throwable t) {
        if (first == null) {
          first = t;
        } else if (first != t) {
          first.addSuppressed(t);
        }
      }
    }
    return first;
  }
}
