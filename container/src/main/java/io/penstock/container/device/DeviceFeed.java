package io.penstock.container.device;

import io.penstock.container.slots.FullSlots;
import io.penstock.container.slots.FullSlots.FullSlot;
import io.penstock.container.slots.SlotLayout;
import io.penstock.container.slots.StepRecord;
import io.penstock.lifecycle.Agent;
import io.penstock.lifecycle.AgentRunner;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.ClosedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The thread that feeds the device: takes full slots in order, starts their copies into device
 * buffers, gives each slot back when its copy is done, and keeps the filled buffers for the
 * training step.
 *
 * <h2>Waits</h2>
 *
 * It waits for a full slot (the stage behind it has deadlines of its own) and for a buffer that the
 * training step has given back (unlimited: the step may be writing a checkpoint). A failure behind
 * it reaches the training step at once, ahead of batches that are ready.
 */
public final class DeviceFeed implements AutoCloseable {
  /** A batch on the device. */
  public record DeviceBatch(Device.Buffer buffer, StepRecord record) {}

  private final Device device;
  private final FullSlots source;
  private final AgentRunner runner;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Under the lock.
  private final Deque<Device.Buffer> free = new ArrayDeque<>();
  private final Deque<DeviceBatch> ready = new ArrayDeque<>();
  private boolean ended;
  private boolean closed;
  private Throwable failure;

  /**
   * @param buffers device buffers, &gt;= 2 so that a copy runs while the step trains
   * @param closeWithin how long closing may wait for the copying thread
   */
  public DeviceFeed(
      Device device,
      SlotLayout layout,
      int buffers,
      FullSlots source,
      Clock clock,
      Duration closeWithin) {
    if (buffers < 2) {
      throw new IllegalArgumentException("must be >= 2: buffers=" + buffers);
    }
    this.device = device;
    this.source = source;
    for (int i = 0; i < buffers; i++) {
      free.add(device.allocate(layout));
    }
    this.runner = new AgentRunner(new Feeder(), clock, closeWithin, this::fail);
  }

  /** Starts the thread. */
  public void start() {
    runner.start();
  }

  /**
   * The next batch, or empty when all are delivered. The batch is the caller's until {@link
   * #release}.
   *
   * @throws RuntimeException what failed behind it
   */
  public Optional<DeviceBatch> take() {
    lock.lock();
    try {
      while (failure == null && !closed && ready.isEmpty() && !ended) {
        changed.awaitUninterruptibly();
      }
      if (failure != null) {
        throw rethrown(failure);
      }
      if (closed) {
        throw new ClosedException("the device feed was closed");
      }
      return Optional.ofNullable(ready.poll());
    } finally {
      lock.unlock();
    }
  }

  /** Gives a batch's buffer back. */
  public void release(DeviceBatch batch) {
    lock.lock();
    try {
      free.add(batch.buffer());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException runtime
        ? runtime
        : new IllegalStateException(failure);
  }

  private void fail(Throwable cause) {
    lock.lock();
    try {
      if (failure == null && !closed) {
        failure = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread; when it returns no copy runs and no buffer is touched any more. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    runner.close();
  }

  private final class Feeder implements Agent {
    @Override
    public String role() {
      return "device-feed";
    }

    @Override
    public Next doWork() {
      Optional<FullSlot> next = source.take();
      if (next.isEmpty()) {
        lock.lock();
        try {
          ended = true;
          changed.signalAll();
        } finally {
          lock.unlock();
        }
        return Next.END;
      }
      try (FullSlot full = next.get()) {
        Optional<Device.Buffer> buffer = freeBuffer();
        if (buffer.isEmpty()) {
          return Next.END;
        }
        device.start(full.slot(), buffer.get()).await();
        publish(new DeviceBatch(buffer.get(), full.slot().record()));
      }
      return Next.AGAIN;
    }

    private Optional<Device.Buffer> freeBuffer() {
      lock.lock();
      try {
        while (free.isEmpty() && !closed) {
          changed.awaitUninterruptibly();
        }
        return closed ? Optional.empty() : Optional.of(free.poll());
      } finally {
        lock.unlock();
      }
    }

    private void publish(DeviceBatch batch) {
      lock.lock();
      try {
        ready.add(batch);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void wake() {
      source.stop();
    }
  }
}
