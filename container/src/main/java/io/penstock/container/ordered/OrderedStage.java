package io.penstock.container.ordered;

import io.penstock.lifecycle.Agent;
import io.penstock.lifecycle.AgentRunner;
import io.penstock.lifecycle.Clock;
import io.penstock.lifecycle.ClosedException;
import io.penstock.lifecycle.Deadline;
import io.penstock.lifecycle.DeadlineException;
import io.penstock.lifecycle.Lifecycle;
import io.penstock.lifecycle.Resources;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on the items of a source with several threads and hands out the results in the order of the
 * items, whatever the threads do.
 *
 * <h2>The way of an item</h2>
 *
 * <pre>
 * source ─▶ admission ─▶ admitted ─▶ worker 0 ─▶ queue 0 ─▶ merge ─▶ consumer
 *           next           │     └─▶ worker 1 ─▶ queue 1 ─▶   ▲
 *           reserve        │     └─▶ worker 2 ─▶ queue 2 ─▶   │
 *           admitted       └───── order: 0 2 1 0 ... ─────────┘
 * </pre>
 *
 * <ul>
 *   <li><b>Admission</b>, one thread: takes the next item from the source, reserves what its work
 *       holds at most, tells the source (which starts to read from storage), and appends the item
 *       to <i>admitted</i>. It does so while a worker is free or fewer than {@code readAhead} items
 *       stand there.
 *   <li><b>Hand-out</b>, one step under the lock: the oldest admitted item goes to a worker that is
 *       free, and that worker to the end of <i>order</i>. A worker is free if it works on nothing
 *       and its queue has room, so one that has finished an item never waits to put it down.
 *   <li><b>Merge</b>, the consumer's thread in {@link #take()}: the result of the oldest item is
 *       the next one in the queue of the first worker in <i>order</i>.
 * </ul>
 *
 * <h2>Why the order is the source's</h2>
 *
 * Items are admitted by one thread, handed out from the front of <i>admitted</i>, and noted in
 * <i>order</i> in the same step. A worker works on one item at a time, so its queue holds its
 * results in the order in which it got the items. The merge follows <i>order</i>. Nothing is ever
 * decided by which thread came first, or by counting who is done.
 *
 * <h2>Why it never locks up</h2>
 *
 * Say that the consumer keeps taking results and in time closes what it took, and let k be the
 * oldest item not taken. Memory is reserved in order, so all that is held is held by items before
 * k, which give it back, or by k and items after it; k holds its own before any later item holds
 * some. So k is admitted. It is then at the front of <i>admitted</i>, and all workers are free:
 * they got nothing later than k, and the results before k are taken. So k is handed out and worked
 * on, its result is the first in <i>order</i>, and the merge takes it. This is why memory is
 * reserved at admission, for the peak of the work. If it were reserved for the result when that is
 * known, later items could fill the budget while k still works, and k, which all of them wait for,
 * would never get any.
 *
 * <h2>One slow item</h2>
 *
 * It holds up the merge, but nobody else: the other workers go on until their queues are full or
 * the memory is used up. An item that needs more than is free waits in admission for earlier ones
 * to be given back. One that needs more than there is fails the stage.
 *
 * <h2>The end, failures, closing</h2>
 *
 * After the source's last item each worker is handed a sentinel like an item; it passes it on
 * through its queue and ends. The merge has come to the end when it took one from every worker.
 *
 * <p>The first failure of the source or of a worker is kept, wakes the merge at once, whatever is
 * still in work, and is thrown by every {@code take()} from then on. {@link #stop()} and {@link
 * #close()} wake everybody in the same way. No thread is interrupted. Threads leave what they have
 * in the queues; {@code close()} waits until all have ended and then closes what is left there.
 *
 * <h2>Waits</h2>
 *
 * The consumer waits for one worker at most {@code workWithin}. It waits without a deadline while
 * no item is in work, for then admission waits for the source, which has deadlines of its own, or
 * for memory that the consumer itself has to give back. All waits are measured ({@link #stats()}).
 *
 * @param <I> items
 * @param <O> results
 */
public final class OrderedStage<I, O> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedStage.class);

  /** An item on its way; without an item it is a sentinel. */
  private record Entry<I>(long sequence, I item, Reservation held) {
    boolean isEnd() {
      return item == null;
    }
  }

  /** An entry with the worker it went to. */
  private record Handed<I, O>(Entry<I> entry, OrderedStage<I, O>.Worker worker) {}

  private final StageSettings settings;
  private final Source<I> source;
  private final Allowance<? super I> allowance;
  private final IntFunction<? extends Work<? super I, ? extends O>> works;
  private final Clock clock;
  private final Lifecycle lifecycle;
  private final Admission admission = new Admission();
  private final List<Worker> workers = new ArrayList<>();
  private final List<AgentRunner> runners = new ArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition mayAdmit = lock.newCondition();
  private final Condition arrived = lock.newCondition();

  // All below are guarded by lock.
  private final Deque<Entry<I>> admitted = new ArrayDeque<>();
  private final Deque<Worker> free = new ArrayDeque<>();
  private final Deque<Handed<I, O>> order = new ArrayDeque<>();
  private long nextSequence;
  private boolean sourceEnded;
  private int workersEnded;
  private boolean taking;
  private boolean stopping;
  private Throwable failure;
  private Throwable closingFailure;
  private long taken;
  private final Stopwatch consumerWaited;
  private final Stopwatch sourceWaited;
  private final Stopwatch allowanceWaited;

  /**
   * A stage that does nothing yet.
   *
   * @param allowance the stage's own; stopped with the stage
   * @param works makes the work of each worker 0, 1, ...; called by the worker's thread
   */
  public OrderedStage(
      StageSettings settings,
      Source<I> source,
      Allowance<? super I> allowance,
      IntFunction<? extends Work<? super I, ? extends O>> works,
      Clock clock) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.source = Objects.requireNonNull(source, "source");
    this.allowance = Objects.requireNonNull(allowance, "allowance");
    this.works = Objects.requireNonNull(works, "works");
    this.clock = Objects.requireNonNull(clock, "clock");
    this.lifecycle = new Lifecycle("stage " + settings.name());
    this.consumerWaited = new Stopwatch(clock);
    this.sourceWaited = new Stopwatch(clock);
    this.allowanceWaited = new Stopwatch(clock);
    runners.add(new AgentRunner(admission, clock, settings.closeWithin(), this::fail));
    for (int i = 0; i < settings.workers(); i++) {
      Worker worker = new Worker(i);
      workers.add(worker);
      runners.add(new AgentRunner(worker, clock, settings.closeWithin(), this::fail));
    }
  }

  /**
   * Starts the threads.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  public void start() {
    lifecycle.start();
    try {
      runners.forEach(AgentRunner::start);
    } catch (Throwable failure) {
      Resources opened = new Resources();
      opened.add(this);
      opened.closeAfter(failure);
      throw failure;
    }
  }

  /**
   * Waits for the result of the next item in order; empty after the last one. One thread at a time.
   *
   * @throws ClosedException if the stage was closed
   * @throws DeadlineException if the work on the item took too long; it names item and thread
   * @throws StageFailedException if the source or a worker failed by a checked exception, which is
   *     the cause; unchecked ones are thrown as they are
   */
  public Optional<Result<O>> take() {
    try {
      return takeOldest();
    } catch (DeadlineException late) {
      fail(late);
      throw late;
    }
  }

  private Optional<Result<O>> takeOldest() {
    lock.lock();
    try {
      while (workersEnded < workers.size()) {
        Result<O> result = awaitOldest();
        if (!result.isEnd()) {
          taken++;
          return Optional.of(result);
        }
        workersEnded++;
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private Result<O> awaitOldest() {
    if (taking) {
      throw new IllegalStateException("two threads take results of stage " + settings.name());
    }
    Deadline deadline = null;
    taking = true;
    consumerWaited.start();
    try {
      while (true) {
        checkGoing();
        Handed<I, O> oldest = order.peek();
        if (oldest == null) {
          arrived.awaitUninterruptibly();
          continue;
        }
        Result<O> result = oldest.worker().queue.poll();
        if (result != null) {
          order.remove();
          if (result.sequence() != oldest.entry().sequence()) {
            throw new IllegalStateException(
                "stage "
                    + settings.name()
                    + " lost its order: result "
                    + result.sequence()
                    + " in place of "
                    + oldest.entry().sequence());
          }
          oldest.worker().madeRoom();
          return result;
        }
        if (deadline == null) {
          deadline = Deadline.after(settings.workWithin(), clock);
        }
        deadline.await(lock, arrived, () -> describe(oldest));
      }
    } finally {
      consumerWaited.stop();
      taking = false;
    }
  }

  private String describe(Handed<I, O> handed) {
    Entry<I> entry = handed.entry();
    return (entry.isEnd() ? "the end" : "item " + entry.sequence() + " (" + entry.item() + ")")
        + " in thread "
        + handed.worker().role();
  }

  private void checkGoing() {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw new StageFailedException(
          "stage " + settings.name() + " failed: " + failure.getMessage(), failure);
    }
    if (stopping) {
      throw new ClosedException("closed: stage " + settings.name());
    }
  }

  /** Gives admitted items, then sentinels, to free workers. Lock held. */
  private void handOut() {
    while (!free.isEmpty() && (sourceEnded || !admitted.isEmpty())) {
      Entry<I> entry =
          admitted.isEmpty() ? new Entry<>(nextSequence++, null, null) : admitted.remove();
      Worker worker = free.remove();
      order.add(new Handed<>(entry, worker));
      worker.receive(entry);
    }
    if (roomToAdmit()) {
      mayAdmit.signal();
    }
  }

  /** While a worker is free nothing stands in admitted, and the other way round. Lock held. */
  private boolean roomToAdmit() {
    return admitted.size() < settings.readAhead() + free.size();
  }

  /** What the stage has done and where it waited. Any thread. */
  public StageStats stats() {
    lock.lock();
    try {
      return new StageStats(
          taken,
          consumerWaited.total(),
          sourceWaited.total(),
          allowanceWaited.total(),
          workers.stream().mapToLong(worker -> worker.idle.total()).sum(),
          workers.stream().mapToLong(worker -> worker.full.total()).sum(),
          workers.stream().mapToLong(worker -> worker.busy.total()).sum());
    } finally {
      lock.unlock();
    }
  }

  private void fail(Throwable cause) {
    lock.lock();
    try {
      if (stopping || failure != null) {
        LOG.debug("event=stage-failed-again stage={}", settings.name(), cause);
        return;
      }
      failure = cause;
    } finally {
      lock.unlock();
    }
    LOG.warn(
        "event=stage-failed stage={} thread={} cause={}",
        settings.name(),
        Thread.currentThread().getName(),
        cause.toString());
    stop();
  }

  private void failedToClose(Throwable cause) {
    lock.lock();
    try {
      if (closingFailure == null) {
        closingFailure = cause;
      } else {
        closingFailure.addSuppressed(cause);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes all threads of the stage end soon, and the consumer's {@code take()} throw; returns at
   * once. What makes a stage that pulls from this one stop, too.
   */
  public void stop() {
    lock.lock();
    try {
      if (stopping) {
        return;
      }
      stopping = true;
      mayAdmit.signalAll();
      arrived.signalAll();
      workers.forEach(worker -> worker.handed.signalAll());
    } finally {
      lock.unlock();
    }
    // Outside the lock: these are other classes' wake-ups, with locks of their own.
    try {
      allowance.stop();
      source.stop();
    } catch (Throwable failure) {
      failedToClose(failure);
    }
  }

  /**
   * Ends the stage; returns only when none of its threads does anything any more, and then closes
   * items and results that nobody took. A second time finds it so.
   *
   * @throws DeadlineException if threads did not end within {@code closeWithin}; it names each, and
   *     nothing that they could still touch has been closed
   */
  @Override
  public void close() {
    lifecycle.close();
    stop();
    runners.forEach(AgentRunner::stop);
    Deadline deadline = Deadline.after(settings.closeWithin(), clock);
    Map<String, DeadlineException> stuck = new LinkedHashMap<>();
    for (AgentRunner runner : runners) {
      try {
        runner.awaitQuiet(deadline);
      } catch (DeadlineException late) {
        stuck.put(runner.role(), late);
      }
    }
    if (!stuck.isEmpty()) {
      DeadlineException all =
          deadline.exceeded("the end of threads " + String.join(", ", stuck.keySet()));
      stuck.values().forEach(all::addSuppressed);
      throw all;
    }
    closeLeftovers();
  }

  private void closeLeftovers() {
    Resources leftovers = new Resources();
    Throwable failedBefore;
    lock.lock();
    try {
      for (Entry<I> entry : admitted) {
        addUnworked(leftovers, entry);
      }
      admitted.clear();
      for (Worker worker : workers) {
        worker.queue.forEach(leftovers::add);
        worker.queue.clear();
        if (worker.hand != null) {
          addUnworked(leftovers, worker.hand);
          worker.hand = null;
        }
      }
      order.clear();
      failedBefore = closingFailure;
      closingFailure = null;
    } finally {
      lock.unlock();
    }
    Throwable first = failedBefore;
    if (first != null) {
      leftovers.closeAfter(first);
    } else {
      try {
        leftovers.close();
      } catch (Throwable failedNow) {
        first = failedNow;
      }
    }
    if (first != null) {
      throw new StageFailedException("stage " + settings.name() + " did not close cleanly", first);
    }
  }

  private void addUnworked(Resources leftovers, Entry<I> entry) {
    if (!entry.isEnd()) {
      leftovers.add(entry.held());
      if (entry.item() instanceof AutoCloseable closeable) {
        leftovers.add(closeable);
      }
    }
  }

  /** For tests that take the steps by hand, in a stage that is not started. */
  Admission admission() {
    return admission;
  }

  /** For tests that take the steps by hand, in a stage that is not started. */
  Worker worker(int index) {
    return workers.get(index);
  }

  /** Whether {@link #take()} would not wait. */
  boolean resultReady() {
    lock.lock();
    try {
      Handed<I, O> oldest = order.peek();
      return oldest == null
          ? workersEnded == workers.size()
          : oldest.entry().isEnd()
              ? workers.stream().allMatch(worker -> worker.place == Worker.Place.ENDED)
              : !oldest.worker().queue.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Admits one item a step. */
  final class Admission implements Agent {
    @Override
    public String role() {
      return settings.name() + "-admission";
    }

    @Override
    public Next doWork() throws Exception {
      if (!awaitRoom()) {
        return Next.END;
      }
      I item = measured(sourceWaited, source::next);
      if (item == null) {
        endSource();
        return Next.END;
      }
      Resources unadmitted = new Resources();
      try {
        if (item instanceof AutoCloseable closeable) {
          unadmitted.add(closeable);
        }
        Reservation held = unadmitted.add(measured(allowanceWaited, () -> allowance.reserve(item)));
        source.admitted(item);
        admit(item, held);
        return Next.AGAIN;
      } catch (Throwable failure) {
        unadmitted.closeAfter(failure);
        throw failure;
      }
    }

    private boolean awaitRoom() {
      lock.lock();
      try {
        while (!stopping && !roomToAdmit()) {
          mayAdmit.awaitUninterruptibly();
        }
        return !stopping;
      } finally {
        lock.unlock();
      }
    }

    private void admit(I item, Reservation held) {
      lock.lock();
      try {
        admitted.add(new Entry<>(nextSequence++, item, held));
        handOut();
      } finally {
        lock.unlock();
      }
    }

    private void endSource() {
      lock.lock();
      try {
        sourceEnded = true;
        handOut();
      } finally {
        lock.unlock();
      }
    }

    private <T> T measured(Stopwatch stopwatch, Callable<T> wait) throws Exception {
      lock.lock();
      try {
        stopwatch.start();
      } finally {
        lock.unlock();
      }
      try {
        return wait.call();
      } finally {
        lock.lock();
        try {
          stopwatch.stop();
        } finally {
          lock.unlock();
        }
      }
    }

    /** Whether a step would not wait for a worker. */
    boolean ready() {
      lock.lock();
      try {
        return !sourceEnded && roomToAdmit();
      } finally {
        lock.unlock();
      }
    }

    /** The stage has woken it. */
    @Override
    public void wake() {}
  }

  /** Works on one item a step. */
  final class Worker implements Agent {
    private enum Place {
      STARTING,
      FREE,
      WORKING,
      FULL,
      ENDED
    }

    private final int index;

    // Own thread only.
    private Work<? super I, ? extends O> work;

    // All below are guarded by lock.
    private final Condition handed = lock.newCondition();
    private final Deque<Result<O>> queue = new ArrayDeque<>();
    private Place place = Place.STARTING;
    private Entry<I> hand;
    private final Stopwatch idle = new Stopwatch(clock);
    private final Stopwatch full = new Stopwatch(clock);
    private final Stopwatch busy = new Stopwatch(clock);

    Worker(int index) {
      this.index = index;
    }

    @Override
    public String role() {
      return settings.name() + "-worker-" + index;
    }

    @Override
    public void onStart() {
      work = Objects.requireNonNull(works.apply(index), "work");
      lock.lock();
      try {
        becomeFree();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Next doWork() throws Exception {
      Entry<I> entry = awaitHand();
      if (entry == null) {
        return Next.END;
      }
      if (entry.isEnd()) {
        deliver(Result.end(entry.sequence()));
        return Next.END;
      }
      try {
        O value = work.apply(entry.item(), entry.held());
        deliver(
            Result.of(
                entry.sequence(),
                Objects.requireNonNull(value, "the work made nothing of its item"),
                entry.held()));
        return Next.AGAIN;
      } catch (Throwable failure) {
        entry.held().close();
        throw failure;
      }
    }

    private Entry<I> awaitHand() {
      lock.lock();
      try {
        while (!stopping && hand == null) {
          handed.awaitUninterruptibly();
        }
        if (stopping) {
          return null;
        }
        Entry<I> entry = hand;
        hand = null;
        return entry;
      } finally {
        lock.unlock();
      }
    }

    private void deliver(Result<O> result) {
      lock.lock();
      try {
        queue.add(result);
        if (order.element().worker() == this) {
          arrived.signal();
        }
        busy.stop();
        if (result.isEnd()) {
          place = Place.ENDED;
        } else if (queue.size() < settings.queue()) {
          becomeFree();
        } else {
          place = Place.FULL;
          full.start();
        }
      } finally {
        lock.unlock();
      }
    }

    private void becomeFree() {
      place = Place.FREE;
      idle.start();
      free.add(this);
      handOut();
    }

    private void receive(Entry<I> entry) {
      place = Place.WORKING;
      idle.stop();
      busy.start();
      hand = entry;
      handed.signal();
      if (order.size() == 1) {
        arrived.signal();
      }
    }

    private void madeRoom() {
      if (place == Place.FULL) {
        full.stop();
        becomeFree();
      }
    }

    /** Whether a step would not wait for an item. */
    boolean ready() {
      lock.lock();
      try {
        return hand != null;
      } finally {
        lock.unlock();
      }
    }

    /** The stage has woken it. */
    @Override
    public void wake() {}

    @Override
    public void onClose() {
      try {
        if (work != null) {
          work.close();
        }
      } catch (Throwable failure) {
        failedToClose(failure);
      }
    }
  }
}
