package io.penstock.lifecycle;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** The state of a component that is started once and closed once, changed by compare-and-set. */
public final class Lifecycle {
  /** A component goes through them in this order; it may be closed without having been started. */
  public enum State {
    NEW,
    RUNNING,
    CLOSED
  }

  private final String name;
  private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

  /**
   * @param name the component, for messages
   */
  public Lifecycle(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * Goes from NEW to RUNNING.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  public void start() {
    if (!state.compareAndSet(State.NEW, State.RUNNING)) {
      throw new IllegalStateException("can't be started when " + state.get() + ": " + name);
    }
  }

  /**
   * Goes to CLOSED.
   *
   * @return the state before: CLOSED tells that there is nothing left to do, NEW that it never ran
   */
  public State close() {
    return state.getAndSet(State.CLOSED);
  }

  public State state() {
    return state.get();
  }

  public boolean isRunning() {
    return state.get() == State.RUNNING;
  }

  /**
   * Checks that it runs.
   *
   * @throws ClosedException if it was closed
   * @throws IllegalStateException if it was not started
   */
  public void checkRunning() {
    switch (state.get()) {
      case RUNNING -> {}
      case NEW -> throw new IllegalStateException("not started: " + name);
      case CLOSED -> throw new ClosedException("closed: " + name);
    }
  }
}
