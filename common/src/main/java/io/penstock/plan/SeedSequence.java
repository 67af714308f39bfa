package io.penstock.plan;

/**
 * NumPy's {@code SeedSequence} with its pool of four 32-bit words (M. E. O'Neill's {@code
 * seed_seq}, "alternative" variant): hashes a seed and a spawn key into words that start a
 * generator.
 */
final class SeedSequence {
  private static final int POOL = 4;
  private static final int INIT_A = 0x43b0d7e5;
  private static final int MULT_A = 0x931e8875;
  private static final int INIT_B = 0x8b51f9dd;
  private static final int MULT_B = 0x58f38ded;
  private static final int MIX_LEFT = 0xca01f9dd;
  private static final int MIX_RIGHT = 0x4973f715;

  private final int[] pool = new int[POOL];
  private int hash = INIT_A;

  /** Seed and key entries are numbers from 0 to 2^64 - 1. */
  SeedSequence(long seed, long... spawnKey) {
    int[] entropy = entropy(seed, spawnKey);
    for (int i = 0; i < POOL; i++) {
      pool[i] = hashed(i < entropy.length ? entropy[i] : 0);
    }
    for (int from = 0; from < POOL; from++) {
      for (int to = 0; to < POOL; to++) {
        if (from != to) {
          pool[to] = mixed(pool[to], hashed(pool[from]));
        }
      }
    }
    for (int from = POOL; from < entropy.length; from++) {
      for (int to = 0; to < POOL; to++) {
        pool[to] = mixed(pool[to], hashed(entropy[from]));
      }
    }
  }

  /** The first {@code count} 64-bit words of state. */
  long[] state(int count) {
    long[] words = new long[count];
    int constant = INIT_B;
    for (int i = 0; i < 2 * count; i++) {
      int value = pool[i % POOL] ^ constant;
      constant *= MULT_B;
      value *= constant;
      value ^= value >>> 16;
      words[i / 2] |= Integer.toUnsignedLong(value) << (i % 2 * 32);
    }
    return words;
  }

  /** The seed's words, padded to the pool's size if a key follows, then the key's. */
  private static int[] entropy(long seed, long[] spawnKey) {
    int seedWords = words(seed);
    int length = spawnKey.length == 0 ? seedWords : Math.max(seedWords, POOL);
    int at = length;
    for (long entry : spawnKey) {
      length += words(entry);
    }
    int[] entropy = new int[length];
    put(seed, entropy, 0);
    for (long entry : spawnKey) {
      at = put(entry, entropy, at);
    }
    return entropy;
  }

  /** Little-endian 32-bit words of a number; zero takes one. */
  private static int words(long number) {
    return number >>> 32 == 0 ? 1 : 2;
  }

  private static int put(long number, int[] entropy, int at) {
    entropy[at] = (int) number;
    if (words(number) == 2) {
      entropy[at + 1] = (int) (number >>> 32);
    }
    return at + words(number);
  }

  private int hashed(int value) {
    int v = value ^ hash;
    hash *= MULT_A;
    v *= hash;
    return v ^ (v >>> 16);
  }

  private static int mixed(int x, int y) {
    int v = MIX_LEFT * x - MIX_RIGHT * y;
    return v ^ (v >>> 16);
  }
}
