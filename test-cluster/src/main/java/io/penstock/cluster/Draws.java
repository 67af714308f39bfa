package io.penstock.cluster;

/**
 * Random numbers of one row of a made dataset: the SplitMix64 sequence that starts at a mix of seed
 * and row number. So a row's content depends on these two alone, and neither on the files nor on
 * the threads that it is written by.
 */
final class Draws {
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private long state;

  Draws(long seed, long row) {
    this.state = mix(mix(seed + STEP) + row * STEP);
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  long nextLong() {
    state += STEP;
    return mix(state);
  }

  /** From 0 up to, not including, 1. */
  double unit() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  int below(int bound) {
    return (int) (unit() * bound);
  }

  /** True with the given probability. */
  boolean chance(double probability) {
    return unit() < probability;
  }

  /** Mean 0, deviation 1, never beyond 3.5: four uniform draws summed, the same on every JDK. */
  double bell() {
    return (unit() + unit() + unit() + unit() - 2) * 1.7320508075688772;
  }
}
