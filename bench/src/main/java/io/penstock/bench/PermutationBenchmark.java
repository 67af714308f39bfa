package io.penstock.bench;

import io.penstock.plan.Permutations;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The order contract's permutation; the score is the time for one element. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PermutationBenchmark {
  private static final int WINDOW = 400_000;
  private static final int LARGE = 10_000_000;

  private long key;

  /** A window of eight row groups of 50,000 rows. */
  @Benchmark
  @OperationsPerInvocation(WINDOW)
  public int[] window() {
    return Permutations.permutation(42, WINDOW, 1, key++);
  }

  /** More than the caches hold. */
  @Benchmark
  @OperationsPerInvocation(LARGE)
  public int[] large() {
    return Permutations.permutation(42, LARGE, 1, key++);
  }
}
