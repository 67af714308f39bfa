package io.penstock.bench;

import io.penstock.catalog.Catalog;
import io.penstock.container.StoredRowGroups;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.tensors.RowGroupSource;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Batches of row groups that lie decoded in memory: window order, gather of rows into slots,
 * digests, hand-over. {@code rows} is what is delivered in a second.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class GatherBenchmark {
  /** The feed file. */
  @Param({""})
  public String feed;

  @Param({"on", "off"})
  public String valuesDigest;

  private Prepared prepared;
  private RowGroupSource source;

  /** Counts rows beside passes. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Delivered {
    public long rows;

    @Setup(Level.Iteration)
    public void reset() {
      rows = 0;
    }
  }

  /** Decodes everything once. */
  @Setup
  public void load() throws IOException {
    prepared =
        Prepared.read(
            feed,
            List.of(
                "penstock.load.workers=1",
                "penstock.batch.workers=1",
                "penstock.batch.values-digest=" + valuesDigest));
    Catalog catalog = prepared.feed().catalog();
    List<RowGroupSource.Loaded> loaded = new ArrayList<>();
    try (Fetcher fetcher = new Fetcher(prepared.configuration(), prepared.settings().fetch());
        StoredRowGroups files = prepared.rowGroups(fetcher, Optional.empty());
        RowGroupSource.Reader reader = files.newReader()) {
      for (int k = 0; k < catalog.rowGroups().size(); k++) {
        loaded.add(reader.read(files.request(catalog.ref(k))));
      }
    }
    source = new InMemory(loaded);
  }

  /** All epochs of the feed. */
  @Benchmark
  public void epochs(Delivered delivered) {
    delivered.rows += EpochPass.epochs(prepared, source);
  }

  private record InMemory(List<RowGroupSource.Loaded> loaded) implements RowGroupSource {
    @Override
    public Request request(RowGroupRef rowGroup) {
      return new Asked(rowGroup);
    }

    @Override
    public Reader newReader() {
      return new Reader() {
        @Override
        public Loaded read(Request request) {
          return loaded.get(request.rowGroup().index());
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void giveBack(RowGroupTensors tensors) {}

    @Override
    public long peakBytes(RowGroupRef rowGroup) {
      return loaded.get(rowGroup.index()).tensors().bytes();
    }
  }

  private record Asked(RowGroupRef rowGroup) implements RowGroupSource.Request {
    @Override
    public void cancel() {}
  }
}
