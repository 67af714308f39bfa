package io.penstock.plan;

/** The certificate's arithmetic, modulo 2^64 (ORDER.md, "Certificate"). */
public final class Certificate {
  /** c of a digest's first sum. */
  static final long FIRST = 0x9e3779b97f4a7c15L;

  /** c of a digest's second sum. */
  static final long SECOND = 0xc2b2ae3d27d4eb4fL;

  private Certificate() {}

  /** The SplitMix64 finaliser. */
  public static long mix(long z) {
    long x = z;
    x ^= x >>> 30;
    x *= 0xbf58476d1ce4e5b9L;
    x ^= x >>> 27;
    x *= 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /** h(c, e, position, row). */
  public static long rowHash(long c, long epoch, long position, long row) {
    return mix(mix(mix(c + epoch) + position) + row);
  }
}
