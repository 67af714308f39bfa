package io.penstock.model;

/**
 * Two sums modulo 2^64 that stand for a set of delivered rows (ORDER.md, "Certificate"). The digest
 * of a whole is the sum of the digests of its parts.
 */
public record Digest128(long first, long second) {
  /** The digest of nothing. */
  public static final Digest128 ZERO = new Digest128(0, 0);

  /** The digest of both parts together. */
  public Digest128 plus(Digest128 other) {
    return new Digest128(first + other.first, second + other.second);
  }

  /** Reads what {@link #hex()} wrote. */
  public static Digest128 parse(String hex) {
    if (hex.length() != 32) {
      throw new IllegalArgumentException("a digest has 32 hex digits: " + hex);
    }
    return new Digest128(
        Long.parseUnsignedLong(hex.substring(0, 16), 16),
        Long.parseUnsignedLong(hex.substring(16), 16));
  }

  /** 32 hex digits: the first sum, then the second. */
  public String hex() {
    return String.format("%016x%016x", first, second);
  }

  @Override
  public String toString() {
    return hex();
  }
}
