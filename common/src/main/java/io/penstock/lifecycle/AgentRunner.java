package io.penstock.lifecycle;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Gives an agent a thread of its own and ends it: by a state that the loop sees and a wake-up,
 * never by an interrupt.
 */
public final class AgentRunner implements AutoCloseable {
  private final Agent agent;
  private final Clock clock;
  private final Duration closeWithin;
  private final Consumer<? super Throwable> onFailure;
  private final Lifecycle lifecycle;
  private final Signal quiet = new Signal();
  private final Thread thread;

  /**
   * @param closeWithin how long {@link #close()} waits for the agent
   * @param onFailure told what the agent threw, in the agent's thread; the agent then ends
   */
  public AgentRunner(
      Agent agent, Clock clock, Duration closeWithin, Consumer<? super Throwable> onFailure) {
    this.agent = Objects.requireNonNull(agent, "agent");
    this.clock = Objects.requireNonNull(clock, "clock");
    this.closeWithin = Objects.requireNonNull(closeWithin, "closeWithin");
    this.onFailure = Objects.requireNonNull(onFailure, "onFailure");
    this.lifecycle = new Lifecycle(agent.role());
    this.thread =
        NamedThreads.named(agent.role(), this::run, (thread, failure) -> onFailure.accept(failure));
  }

  /**
   * Starts the thread.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  public void start() {
    lifecycle.start();
    try {
      thread.start();
    } catch (Throwable noThread) {
      quiet.raise();
      throw noThread;
    }
  }

  private void run() {
    try {
      agent.onStart();
      while (lifecycle.isRunning() && agent.doWork() == Agent.Next.AGAIN) {
        // the step is the loop
      }
    } catch (Throwable failure) {
      onFailure.accept(failure);
    } finally {
      try {
        agent.onClose();
      } catch (Throwable failure) {
        onFailure.accept(failure);
      } finally {
        quiet.raise();
      }
    }
  }

  /** Tells the agent to end, and returns at once. */
  public void stop() {
    switch (lifecycle.close()) {
      case NEW -> quiet.raise();
      case RUNNING -> agent.wake();
      case CLOSED -> {}
    }
  }

  /**
   * Waits until the agent's thread does nothing any more.
   *
   * @throws DeadlineException if that takes longer than {@code deadline}; it names the thread and
   *     carries its stack
   * @throws IllegalStateException if called by the agent itself
   */
  public void awaitQuiet(Deadline deadline) {
    if (Thread.currentThread() == thread) {
      throw new IllegalStateException("an agent can't wait for its own end: " + thread.getName());
    }
    try {
      quiet.await(deadline, () -> "the end of thread " + thread.getName());
    } catch (DeadlineException stuck) {
      Throwable there = new Throwable("thread " + thread.getName() + " is here");
      there.setStackTrace(thread.getStackTrace());
      stuck.addSuppressed(there);
      throw stuck;
    }
  }

  /**
   * Ends the agent and waits until its thread does nothing any more; a second time finds it so.
   *
   * @throws DeadlineException if that takes longer than {@code closeWithin}
   */
  @Override
  public void close() {
    stop();
    awaitQuiet(Deadline.after(closeWithin, clock));
  }

  /** Name of the agent and its thread. */
  public String role() {
    return thread.getName();
  }
}
