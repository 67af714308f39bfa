package io.penstock.lifecycle;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the threads of one role: {@code <role>-0}, {@code <role>-1}, ... All threads of Penstock
 * are made here. They are daemons, so that a {@code main} that ends never hangs on one that its
 * owner could not end.
 */
public final class NamedThreads implements ThreadFactory {
  private final String role;
  private final UncaughtExceptionHandler onUncaught;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * @param role what the threads do, in lower case with hyphens
   * @param onUncaught told of what a thread's body throws, in that thread
   */
  public NamedThreads(String role, UncaughtExceptionHandler onUncaught) {
    this.role = Objects.requireNonNull(role, "role");
    this.onUncaught = Objects.requireNonNull(onUncaught, "onUncaught");
  }

  /** A thread that is not started yet. */
  @Override
  public Thread newThread(Runnable body) {
    return named(role + "-" + next.getAndIncrement(), body, onUncaught);
  }

  /** A thread of exactly this name that is not started yet. */
  public static Thread named(String name, Runnable body, UncaughtExceptionHandler onUncaught) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(onUncaught);
    return thread;
  }
}
