package io.penstock.container.decode;

/** How large arrays become. */
final class Capacity {
  /** The largest array that every Java machine makes. */
  static final int MAX = Integer.MAX_VALUE - 8;

  private Capacity() {}

  /**
   * A length for an array that is too short: what is needed, or half as much again as it has.
   *
   * @throws CorruptException if no array can be that long
   */
  static int grown(int length, long needed) {
    CorruptException.check(
        needed <= MAX, () -> "more than one array can hold: " + needed + " elements or bytes");
    return (int) Math.min(MAX, Math.max(needed, length + (length >>> 1)));
  }
}
