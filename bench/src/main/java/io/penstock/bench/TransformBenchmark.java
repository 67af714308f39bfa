package io.penstock.bench;

import io.penstock.container.decode.FooterCache;
import io.penstock.container.decode.ParquetRowGroups;
import io.penstock.container.decode.RowGroupDecoder;
import io.penstock.container.fetch.Fetcher;
import io.penstock.container.tensors.BlockPool;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.RowGroupColumns;
import io.penstock.container.tensors.RowGroupTensors;
import io.penstock.container.transform.Transformer;
import io.penstock.container.transform.Transforms;
import io.penstock.model.RowGroupRef;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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
import org.openjdk.jmh.annotations.TearDown;

/** The ops and the transpose alone: a row group's decoded columns to row-major tensors. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class TransformBenchmark {
  /** The feed file. */
  @Param({""})
  public String feed;

  private final BlockPool pool = new BlockPool(1 << 30);
  private RowGroupDecoder decoder;
  private RowGroupRef rowGroup;
  private List<Column> columns;
  private Transforms transforms;
  private Transformer transformer;

  /** Counts rows beside passes. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Made {
    public long rows;

    @Setup(Level.Iteration)
    public void reset() {
      rows = 0;
    }
  }

  /** Decodes the first row group. */
  @Setup
  public void decode() throws IOException {
    Prepared prepared = Prepared.read(feed, List.of());
    rowGroup = prepared.feed().catalog().ref(0);
    decoder = new RowGroupDecoder(RowGroupDecoder.Checksums.VERIFY);
    ParquetRowGroups files =
        new ParquetRowGroups(
            new FooterCache(prepared.settings().decode().footerBytes()),
            prepared.settings().fetch());
    try (Fetcher fetcher = new Fetcher(prepared.configuration(), prepared.settings().fetch())) {
      columns =
          decoder.decode(
              fetcher
                  .start(
                      rowGroup.path(),
                      "row group 0",
                      file -> files.fetch(file, rowGroup, prepared.feed().bound().fileColumns()))
                  .await());
    }
    transforms = Transforms.compile(prepared.feed().bound());
    transformer = transforms.newTransformer(pool);
  }

  /** The tensors of the row group. */
  @Benchmark
  public RowGroupTensors tensors(Made made) {
    RowGroupTensors tensors = transformer.apply(rowGroup, RowGroupColumns.of(columns), Map.of());
    pool.giveBack(tensors.blocks());
    made.rows += tensors.rows();
    return tensors;
  }

  /** Frees what native memory there is. */
  @TearDown
  public void close() {
    transformer.close();
    transforms.close();
    decoder.close();
  }
}
