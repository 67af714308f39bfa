package io.penstock.bench;

import io.penstock.plan.RowValue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the values digest hashes: the rows of one tensor; the score is the time for one row. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HashBenchmark {
  private static final int ROWS = 32;

  @Param({"4", "256", "400"})
  public int rowBytes;

  private final long[] values = new long[ROWS];
  private byte[] block;

  @Setup
  public void fill() {
    block = new byte[ROWS * rowBytes];
    new Random(7).nextBytes(block);
  }

  /** Rows of a tile. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long[] rows() {
    RowValue.next(values, 0, ROWS, block, 0, rowBytes, 1);
    return values;
  }
}
