package io.penstock.plan;

/** PCG64, the XSL-RR 128/64 generator with NumPy's multiplier and NumPy's way to start it. */
final class Pcg64 {
  private static final long MULTIPLIER_HIGH = 0x2360ed051fc65da4L;
  private static final long MULTIPLIER_LOW = 0x4385df649fccf645L;

  private final long incrementHigh;
  private final long incrementLow;
  private long high;
  private long low;
  private long draw;
  private boolean highHalfLeft;

  Pcg64(SeedSequence seed) {
    long[] words = seed.state(4);
    incrementHigh = words[2] << 1 | words[3] >>> 63;
    incrementLow = words[3] << 1 | 1;
    step();
    add(words[0], words[1]);
    step();
  }

  /** The next 64 bits. */
  long next64() {
    step();
    return Long.rotateRight(high ^ low, (int) (high >>> 58));
  }

  /** The low half of a 64-bit draw, then at the next call its high half. */
  int next32() {
    if (highHalfLeft) {
      highHalfLeft = false;
      return (int) (draw >>> 32);
    }
    draw = next64();
    highHalfLeft = true;
    return (int) draw;
  }

  private void step() {
    long productLow = low * MULTIPLIER_LOW;
    // The multiplier's low word is positive, so only a negative `low` needs correcting.
    long carry = Math.multiplyHigh(low, MULTIPLIER_LOW) + ((low >> 63) & MULTIPLIER_LOW);
    high = high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH + carry;
    low = productLow;
    add(incrementHigh, incrementLow);
  }

  private void add(long addHigh, long addLow) {
    low += addLow;
    high += addHigh + (Long.compareUnsigned(low, addLow) < 0 ? 1 : 0);
  }
}
