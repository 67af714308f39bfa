package io.penstock.plan;

/**
 * The contract's permutations (ORDER.md, "Random numbers"), equal to NumPy's {@code
 * Generator(PCG64(SeedSequence(seed, spawn_key=key))).permutation(n)}.
 */
public final class Permutations {
  private Permutations() {}

  /**
   * A permutation of 0..n-1; it places element {@code p[i]} at place {@code i}.
   *
   * @param seed S, taken as a number from 0 to 2^64 - 1
   * @param n how many elements, &gt;= 0
   * @param spawnKey domain and what follows it, each &gt;= 0
   */
  public static int[] permutation(long seed, int n, long... spawnKey) {
    int[] p = identity(n);
    Pcg64 random = new Pcg64(new SeedSequence(seed, spawnKey));
    for (int i = n - 1; i > 0; i--) {
      int mask = -1 >>> Integer.numberOfLeadingZeros(i);
      int v = random.next32() & mask;
      while (v > i) {
        v = random.next32() & mask;
      }
      int swapped = p[i];
      p[i] = p[v];
      p[v] = swapped;
    }
    return p;
  }

  static int[] identity(int n) {
    int[] p = new int[n];
    for (int i = 0; i < n; i++) {
      p[i] = i;
    }
    return p;
  }
}
