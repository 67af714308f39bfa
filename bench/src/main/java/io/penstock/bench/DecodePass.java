package io.penstock.bench;

import io.penstock.catalog.Catalog;
import io.penstock.catalog.RowGroupInfo;
import io.penstock.container.PreparedFeed;
import io.penstock.container.StoredRowGroups;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.tensors.RowGroupSource.Reader;
import io.penstock.container.tensors.RowGroupSource.Request;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.model.DType;
import io.penstock.model.TensorSpec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Row groups from their files to row-major tensors (fetch, decode, transform) on a number of worker
 * threads, as a container's load stage makes them, but without merge, windows and batches, and
 * without hashing rows for the values digest.
 *
 * <p>It also says what one worker holds.
 *
 * <pre>  DecodePass FEED THREADS WARM_SECONDS [SETTING=VALUE ...]</pre>
 */
final class DecodePass {
  private DecodePass() {}

  public static void main(String[] args) throws Exception {
    List<String> arguments = List.of(args);
    int threads = Integer.parseInt(arguments.get(1));
    List<String> settings = new ArrayList<>(arguments.subList(3, arguments.size()));
    settings.add("penstock.batch.values-digest=off");
    Prepared prepared = Prepared.read(arguments.get(0), settings);
    PreparedFeed feed = prepared.feed();
    List<Reader> readers = new ArrayList<>();
    long worker = workerBytes(prepared);
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try (Fetcher fetcher = new Fetcher(prepared.configuration(), prepared.settings().fetch());
        StoredRowGroups source = prepared.rowGroups(fetcher, Optional.empty())) {
      for (int k = 0; k < threads; k++) {
        readers.add(source.newReader());
      }
      Map<String, Number> delivered = delivered(feed, source, readers.get(0));
      delivered.put("row group", largest(feed));
      delivered.put("worker", worker);
      Passes.answer(
          delivered,
          () -> {
            List<Future<Long>> parts = new ArrayList<>();
            for (int k = 0; k < threads; k++) {
              int first = k;
              parts.add(
                  workers.submit(() -> part(feed, source, readers.get(first), first, threads)));
            }
            long allocated = 0;
            for (Future<Long> part : parts) {
              allocated += part.get();
            }
            return allocated;
          },
          Double.parseDouble(arguments.get(2)));
    } finally {
      workers.shutdown();
      readers.forEach(Reader::close);
    }
  }

  private static long largest(PreparedFeed feed) {
    return feed.catalog().rowGroups().stream().mapToLong(RowGroupInfo::rows).max().orElse(0)
        * feed.bound().rowBytes();
  }

  /**
   * What one worker holds when it has made the largest row group: that row group's tensors, the
   * bytes that were fetched for it, and the arrays that it decodes into, all on the heap. Measured
   * on a second worker, because the first one also brings classes.
   */
  private static long workerBytes(Prepared prepared) {
    held(prepared);
    return held(prepared);
  }

  private static long held(Prepared prepared) {
    Catalog catalog = prepared.feed().catalog();
    long before = liveBytes();
    try (Fetcher fetcher = new Fetcher(prepared.configuration(), prepared.settings().fetch());
        StoredRowGroups source = prepared.rowGroups(fetcher, Optional.empty());
        Reader reader = source.newReader()) {
      for (int k = 0; k < catalog.rowGroups().size(); k++) {
        source.giveBack(reader.read(source.request(catalog.ref(k))).tensors());
      }
      return liveBytes() - before;
    }
  }

  /** Loads every {@code step}th row group; returns bytes allocated. */
  private static long part(
      PreparedFeed feed, StoredRowGroups source, Reader reader, int first, int step) {
    var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    Catalog catalog = feed.catalog();
    int rowGroups = catalog.rowGroups().size();
    Request next = first < rowGroups ? source.request(catalog.ref(first)) : null;
    for (int k = first; k < rowGroups; k += step) {
      Request request = next;
      next = k + step < rowGroups ? source.request(catalog.ref(k + step)) : null;
      RowGroupTensors made = reader.read(request).tensors();
      source.giveBack(made);
    }
    return thread.getCurrentThreadAllocatedBytes() - before;
  }

  private static long liveBytes() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Rows, bytes, and the sum of every tensor's values, to be compared with the peers'. */
  private static Map<String, Number> delivered(
      PreparedFeed feed, StoredRowGroups source, Reader reader) {
    long rows = 0;
    long bytes = 0;
    List<TensorSpec> specs = feed.bound().specs();
    double[] floats = new double[specs.size()];
    long[] longs = new long[specs.size()];
    for (int k = 0; k < feed.catalog().rowGroups().size(); k++) {
      RowGroupTensors tensors = reader.read(source.request(feed.catalog().ref(k))).tensors();
      rows += tensors.rows();
      bytes += tensors.bytes();
      for (int t = 0; t < specs.size(); t++) {
        ByteBuffer block =
            ByteBuffer.wrap(tensors.blocks()[t], 0, tensors.bytes(t))
                .order(ByteOrder.LITTLE_ENDIAN);
        if (specs.get(t).dtype() == DType.FLOAT32) {
          while (block.hasRemaining()) {
            floats[t] += block.getFloat();
          }
        } else {
          longs[t] += Arrays.stream(longs(block)).sum();
        }
      }
    }
    Map<String, Number> delivered = new LinkedHashMap<>();
    delivered.put("rows", rows);
    delivered.put("bytes", bytes);
    for (int t = 0; t < specs.size(); t++) {
      Number sum = specs.get(t).dtype() == DType.FLOAT32 ? (Number) floats[t] : (Number) longs[t];
      delivered.put("sum of " + specs.get(t).name(), sum);
    }
    return delivered;
  }

  private static long[] longs(ByteBuffer block) {
    long[] values = new long[block.remaining() / Long.BYTES];
    block.asLongBuffer().get(values);
    return values;
  }
}
