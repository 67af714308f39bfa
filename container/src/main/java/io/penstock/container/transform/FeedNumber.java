package io.penstock.container.transform;

import io.penstock.feed.Scalar;
import io.penstock.feed.Scalar.BoolScalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A number of the feed: exact if it was written as an integer, else a float.
 *
 * @param exact empty if it was written as a float
 * @param nearest the float64 that it is, or that is nearest to it
 */
record FeedNumber(Optional<BigInteger> exact, double nearest) {
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger SIGNED_END = BigInteger.ONE.shiftLeft(63);
  private static final BigInteger UNSIGNED_END = BigInteger.ONE.shiftLeft(64);

  /** Empty for text. */
  static Optional<FeedNumber> of(Scalar scalar) {
    if (scalar instanceof IntegerScalar whole) {
      return Optional.of(new FeedNumber(Optional.of(whole.value()), whole.value().doubleValue()));
    }
    if (scalar instanceof FloatScalar number) {
      return Optional.of(new FeedNumber(Optional.empty(), number.value()));
    }
    if (scalar instanceof BoolScalar bool) {
      BigInteger bit = bool.value() ? BigInteger.ONE : BigInteger.ZERO;
      return Optional.of(new FeedNumber(Optional.of(bit), bit.doubleValue()));
    }
    return Optional.empty();
  }

  boolean isFloat() {
    return exact.isEmpty();
  }

  boolean isNegative() {
    return exact.isPresent() && exact.get().signum() < 0;
  }

  boolean fitsSigned() {
    return exact.isPresent()
        && exact.get().compareTo(LEAST) >= 0
        && exact.get().compareTo(SIGNED_END) < 0;
  }

  boolean fitsUnsigned() {
    return exact.isPresent()
        && exact.get().signum() >= 0
        && exact.get().compareTo(UNSIGNED_END) < 0;
  }

  /** Its 64 bits. */
  long bits() {
    return exact.orElseThrow().longValue();
  }

  @Override
  public String toString() {
    return exact.map(BigInteger::toString).orElseGet(() -> Double.toString(nearest));
  }
}
