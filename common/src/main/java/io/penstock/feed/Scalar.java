package io.penstock.feed;

import java.math.BigInteger;
import java.util.Objects;

/**
 * A value as the feed file writes it. A YAML integer is never a float: {@code 1} and {@code 1.0}
 * are different values with different digests.
 */
public sealed interface Scalar {
  /** A whole number of any size. */
  record IntegerScalar(BigInteger value) implements Scalar {
    public IntegerScalar {
      Objects.requireNonNull(value, "value");
    }

    public static IntegerScalar of(long value) {
      return new IntegerScalar(BigInteger.valueOf(value));
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /** A floating-point number; NaN and the infinities are values. */
  record FloatScalar(double value) implements Scalar {
    @Override
    public String toString() {
      return Double.toString(value);
    }
  }

  /** Text; where bytes are meant, its UTF-8 bytes. */
  record StringScalar(String value) implements Scalar {
    public StringScalar {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
      return "'" + value + "'";
    }
  }

  /** {@code true} or {@code false}. */
  record BoolScalar(boolean value) implements Scalar {
    @Override
    public String toString() {
      return Boolean.toString(value);
    }
  }
}
