package io.penstock.cli.commands;

import io.penstock.cli.console.Amounts;
import io.penstock.config.ContainerSettings;
import io.penstock.config.Settings;
import io.penstock.container.MemoryNeed;
import io.penstock.container.PreparedFeed;
import io.penstock.model.UsageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a rank fits the memory that its container is asked for.
 *
 * @param heapBytes what its JVM may take as heap
 * @param need what it takes; empty if that can't be told because the settings contradict each other
 * @param refusal why it does not fit
 */
record RankMemory(
    long containerBytes, long heapBytes, Optional<MemoryNeed> need, Optional<String> refusal) {
  private static final long MIB = 1 << 20;

  /** Threads' stacks, classes, compiled code and the garbage collector's own. */
  private static final long JVM_BYTES = 128 * MIB;

  /** Larger than any heap, so that nothing is refused. */
  private static final long NO_LIMIT = 1L << 50;

  static RankMemory of(PreparedFeed feed, int ranks, Settings settings) {
    ContainerSettings container = settings.container();
    long heap = (long) (container.memoryBytes() * container.heapShare()) / MIB * MIB;
    try {
      MemoryNeed need = MemoryNeed.of(feed, ranks, heap, settings);
      return new RankMemory(
          container.memoryBytes(),
          heap,
          Optional.of(need),
          besideHeap(container.memoryBytes() - heap, need));
    } catch (UsageException e) {
      return new RankMemory(
          container.memoryBytes(),
          heap,
          unlimited(feed, ranks, settings),
          Optional.of(e.getMessage()));
    }
  }

  private static Optional<MemoryNeed> unlimited(PreparedFeed feed, int ranks, Settings settings) {
    try {
      return Optional.of(MemoryNeed.of(feed, ranks, NO_LIMIT, settings));
    } catch (UsageException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> besideHeap(long beside, MemoryNeed need) {
    if (need.slotBytes() + JVM_BYTES <= beside) {
      return Optional.empty();
    }
    return Optional.of(
        "a rank's memory does not fit: batches take %s and the JVM itself %s, but beside the heap"
                .formatted(Amounts.bytes(need.slotBytes()), Amounts.bytes(JVM_BYTES))
            + " there is %s; raise penstock.container.memory or lower penstock.container.heap-share"
                .formatted(Amounts.bytes(beside)));
  }

  /**
   * Refuses what does not fit.
   *
   * @throws UsageException that says which setting gives more
   */
  void check() {
    refusal.ifPresent(
        reason -> {
          throw new UsageException(reason);
        });
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("fits", refusal.isEmpty());
    json.put("container_bytes", containerBytes);
    json.put("heap_bytes", heapBytes);
    need.ifPresent(
        n -> {
          json.put("least_heap_bytes", n.leastHeapBytes());
          json.put("window_bytes", n.windowBytes());
          json.put("work_bytes", n.workBytes());
          json.put("decode_bytes", n.decodeBytes());
          json.put("order_bytes", n.orderBytes());
          json.put("cache_bytes", n.cacheBytes());
          json.put("slot_bytes", n.slotBytes());
        });
    json.put("error", refusal.orElse(null));
    return json;
  }

  String line() {
    String needs =
        need.map(
                n ->
                    "at least %s of heap (windows %s, work %s, decoding %s), batches %s outside; "
                        .formatted(
                            Amounts.bytes(n.leastHeapBytes()),
                            Amounts.bytes(n.windowBytes()),
                            Amounts.bytes(n.workBytes()),
                            Amounts.bytes(n.decodeBytes()),
                            Amounts.bytes(n.slotBytes())))
            .orElse("");
    return needs
        + "the container's %s with %s of heap %s"
            .formatted(
                Amounts.bytes(containerBytes),
                Amounts.bytes(heapBytes),
                refusal.isEmpty() ? "fit" : "do not fit");
  }
}
