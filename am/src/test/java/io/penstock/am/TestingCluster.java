package io.penstock.am;

import io.penstock.am.cluster.Cluster;
import io.penstock.am.core.Slot;
import io.penstock.coordination.records.RunState;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A cluster that notes what is wanted; a test plays the rest. */
final class TestingCluster implements Cluster {
  /** What was wanted. */
  sealed interface Call {
    record Ask(long ask) implements Call {}

    record Withdraw(long ask) implements Call {}

    record Release(String container) implements Call {}

    record Launch(String container, Slot slot, int generation) implements Call {}

    record Stop(String container) implements Call {}
  }

  private final Map<Class<?>, BlockingQueue<Call>> calls = new ConcurrentHashMap<>();

  @Override
  public void ask(long ask) {
    note(new Call.Ask(ask));
  }

  @Override
  public void withdraw(long ask) {
    note(new Call.Withdraw(ask));
  }

  @Override
  public void release(String container) {
    note(new Call.Release(container));
  }

  @Override
  public void launch(String container, Slot slot, int generation) {
    note(new Call.Launch(container, slot, generation));
  }

  @Override
  public void stop(String container) {
    note(new Call.Stop(container));
  }

  @Override
  public void unregister(RunState state, String text) {
    throw new AssertionError("the loop does not unregister");
  }

  /** The next call of a kind. */
  <T extends Call> T next(Class<T> kind) throws InterruptedException {
    Call call = of(kind).poll(20, TimeUnit.SECONDS);
    if (call == null) {
      throw new AssertionError("waited 20 s for a call: " + kind.getSimpleName());
    }
    return kind.cast(call);
  }

  private void note(Call call) {
    of(call.getClass()).add(call);
  }

  private BlockingQueue<Call> of(Class<?> kind) {
    return calls.computeIfAbsent(kind, k -> new LinkedBlockingQueue<>());
  }
}
