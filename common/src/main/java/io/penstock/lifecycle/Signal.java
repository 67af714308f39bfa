package io.penstock.lifecycle;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Something that happens once and that any number of threads can wait for. */
public final class Signal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition raisedNow = lock.newCondition();
  private boolean raised;

  /** Lets everybody pass who waits now or later; a second time does nothing. */
  public void raise() {
    lock.lock();
    try {
      raised = true;
      raisedNow.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public boolean raised() {
    lock.lock();
    try {
      return raised;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until it is raised.
   *
   * @param what what is waited for, in words that follow "waited 5 s for"
   * @throws DeadlineException if that takes longer than {@code deadline}
   */
  public void await(Deadline deadline, Supplier<String> what) {
    lock.lock();
    try {
      while (!raised) {
        deadline.await(lock, raisedNow, what);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until it is raised or the time has come: the pause of an agent that does something every
   * few seconds and must still end at once.
   *
   * @return whether it is raised
   */
  public boolean awaitUntil(Deadline time) {
    lock.lock();
    try {
      while (!raised && !time.passed()) {
        time.await(lock, raisedNow, () -> "its time");
      }
      return raised;
    } finally {
      lock.unlock();
    }
  }
}
