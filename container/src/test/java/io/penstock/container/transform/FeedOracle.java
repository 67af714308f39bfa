package io.penstock.container.transform;

import io.penstock.feed.Op;
import io.penstock.feed.Scalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.DType;
import io.penstock.plan.XxHash64;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * FEED.md read aloud: one row of one column at a time, boxed, exact and slow. It shares no code
 * with the package that it judges.
 *
 * <p>A whole number is a {@code BigInteger}, a float a {@code Double}, a decimal a {@code
 * BigDecimal}, bytes a {@code byte[]}, null {@code null}, each in a {@link Leaf}; a list is a
 * {@code List}, a null list null.
 */
final class FeedOracle {
  private static final BigInteger EXACT = BigInteger.TWO.pow(53);

  /** A number, or null, and whether the file had it. */
  record Leaf(Object value, boolean original) {}

  /** The row breaks the feed. */
  static final class Broken extends Exception {
    private static final long serialVersionUID = 1L;

    Broken(String message) {
      super(message, null, false, false);
    }
  }

  /** A row's bytes and mask. */
  record Row(byte[] bytes, boolean[] mask) {}

  private final String path;
  private final List<Op> ops;
  private final List<Integer> shape;
  private final DType dtype;
  private final boolean masked;

  FeedOracle(String path, List<Op> ops, List<Integer> shape, DType dtype, boolean masked) {
    this.path = path;
    this.ops = ops;
    this.shape = shape;
    this.dtype = dtype;
    this.masked = masked;
  }

  /**
   * @param raw as described for the class
   * @param kind w, u, f, d or b: whole, unsigned, float, decimal, bytes
   */
  Row row(Object raw, char kind) throws Broken {
    Object value = raw;
    char now = kind;
    for (Op op : ops) {
      if (now == 'd' && !(op instanceof Op.Unscaled)) {
        value = each(value, v -> ((BigDecimal) v).doubleValue());
        now = 'f';
      }
      if (op instanceof Op.Unscaled) {
        value =
            each(
                value,
                v -> {
                  BigInteger unscaled = ((BigDecimal) v).unscaledValue();
                  if (unscaled.bitLength() > 63) {
                    throw new Broken("unscaled");
                  }
                  return unscaled;
                });
        now = 'w';
      } else if (op instanceof Op.Fill fill) {
        now = becomes(now, fill.value());
        value = widened(value, now, fill.value());
        value = fill(value, fill, now, 0);
      } else if (op instanceof Op.Clip clip) {
        for (var bound : List.of(clip.min(), clip.max())) {
          if (bound.isPresent()) {
            now = becomes(now, bound.get());
            value = widened(value, now, bound.get());
          }
        }
        value = each(value, v -> clip(v, clip));
      } else if (op instanceof Op.Log1p) {
        value = each(value, v -> StrictMath.log1p(nearest(v)));
        now = 'f';
      } else if (op instanceof Op.Standardize s) {
        value = each(value, v -> (nearest(v) - s.mean().get(path)) / s.std().get(path));
        now = 'f';
      } else if (op instanceof Op.Bucketize b) {
        value = each(value, v -> bucket(v, b));
        now = 'w';
      } else if (op instanceof Op.HashOp h) {
        value = each(value, v -> hash(v, h));
        now = 'w';
      } else if (op instanceof Op.Vocabulary w) {
        value = each(value, v -> place(v, w));
        now = 'w';
      } else if (op instanceof Op.Pad pad) {
        now = becomes(now, pad.value());
        value = pad(value, pad, 0, now);
        value = widened(value, now, pad.value());
      } else {
        throw new IllegalArgumentException(op.toString());
      }
    }
    if (now == 'd') {
      value = each(value, v -> ((BigDecimal) v).doubleValue());
    }
    List<Leaf> cells = new ArrayList<>();
    flatten(value, 0, cells);
    return cast(cells);
  }

  private interface Function {
    Object apply(Object value) throws Broken;
  }

  private static Object each(Object value, Function function) throws Broken {
    if (value instanceof List<?> list) {
      List<Object> out = new ArrayList<>();
      for (Object item : list) {
        out.add(each(item, function));
      }
      return out;
    }
    if (value == null) {
      return null;
    }
    Leaf leaf = (Leaf) value;
    return leaf.value == null ? leaf : new Leaf(function.apply(leaf.value), leaf.original);
  }

  private static char becomes(char kind, Scalar scalar) {
    return scalar instanceof FloatScalar ? 'f' : kind;
  }

  /** Whole numbers meet a float. */
  private static Object widened(Object value, char kind, Scalar scalar) throws Broken {
    if (kind != 'f' || !(scalar instanceof FloatScalar)) {
      return value;
    }
    return each(
        value,
        v -> {
          if (v instanceof BigInteger whole) {
            if (whole.abs().compareTo(EXACT) > 0) {
              throw new Broken("beyond 2^53");
            }
            return whole.doubleValue();
          }
          return v;
        });
  }

  private static Object constant(Scalar scalar, char kind) {
    if (scalar instanceof StringScalar text) {
      return text.value().getBytes(StandardCharsets.UTF_8);
    }
    if (scalar instanceof FloatScalar number) {
      return number.value();
    }
    BigInteger whole = ((IntegerScalar) scalar).value();
    return kind == 'f' ? (Object) whole.doubleValue() : whole;
  }

  private Object fill(Object value, Op.Fill fill, char kind, int level) {
    if (level < depth) {
      List<Object> out = new ArrayList<>();
      if (value != null) {
        for (Object item : (List<?>) value) {
          out.add(fill(item, fill, kind, level + 1));
        }
      }
      return out;
    }
    Leaf leaf = (Leaf) value;
    boolean nan =
        fill.nan() == Op.NaN.FILL && leaf.value instanceof Double number && number.isNaN();
    if (leaf.value == null || nan) {
      return new Leaf(constant(fill.value(), kind), leaf.original && leaf.value != null);
    }
    return leaf;
  }

  /** List axes of the column. */
  int depth;

  private Object pad(Object value, Op.Pad pad, int level, char kind) {
    if (level == pad.lengths().size()) {
      return value;
    }
    if (value == null) {
      return null;
    }
    List<Object> out = new ArrayList<>();
    for (Object item : (List<?>) value) {
      if (out.size() < pad.lengths().get(level)) {
        out.add(pad(item, pad, level + 1, kind));
      }
    }
    while (out.size() < pad.lengths().get(level)) {
      out.add(
          level + 1 == pad.lengths().size()
              ? new Leaf(constant(pad.value(), kind), false)
              : pad(new ArrayList<>(), pad, level + 1, kind));
    }
    return out;
  }

  private static double nearest(Object value) {
    return value instanceof BigInteger whole ? whole.doubleValue() : (Double) value;
  }

  private static Object clip(Object value, Op.Clip clip) {
    if (value instanceof BigInteger v) {
      if (clip.min().isPresent()) {
        BigInteger min = ((IntegerScalar) clip.min().get()).value();
        if (v.compareTo(min) < 0) {
          return min;
        }
      }
      if (clip.max().isPresent()) {
        BigInteger max = ((IntegerScalar) clip.max().get()).value();
        if (v.compareTo(max) > 0) {
          return max;
        }
      }
      return v;
    }
    double v = (Double) value;
    if (clip.min().isPresent() && v < (Double) constant(clip.min().get(), 'f')) {
      return constant(clip.min().get(), 'f');
    }
    if (clip.max().isPresent() && v > (Double) constant(clip.max().get(), 'f')) {
      return constant(clip.max().get(), 'f');
    }
    return v;
  }

  private static BigInteger bucket(Object value, Op.Bucketize op) {
    boolean exact =
        value instanceof BigInteger
            && op.bounds().stream().allMatch(IntegerScalar.class::isInstance);
    int count = 0;
    for (Scalar bound : op.bounds()) {
      boolean atMost;
      if (exact) {
        atMost = ((IntegerScalar) bound).value().compareTo((BigInteger) value) <= 0;
      } else {
        double v = nearest(value);
        atMost = Double.isNaN(v) || (Double) constant(bound, 'f') <= v;
      }
      count += atMost ? 1 : 0;
    }
    return BigInteger.valueOf(count);
  }

  private static byte[] eightBytes(BigInteger whole) {
    byte[] bytes = new byte[8];
    for (int i = 0; i < 8; i++) {
      bytes[i] = whole.shiftRight(8 * i).byteValue();
    }
    return bytes;
  }

  private static BigInteger hash(Object value, Op.HashOp op) {
    byte[] bytes = value instanceof BigInteger whole ? eightBytes(whole) : (byte[]) value;
    String hash = Long.toUnsignedString(XxHash64.hash(bytes, 0, bytes.length, op.seed()));
    return new BigInteger(hash).mod(BigInteger.valueOf(op.buckets()));
  }

  private static BigInteger place(Object value, Op.Vocabulary op) {
    for (int i = 0; i < op.values().size(); i++) {
      Scalar entry = op.values().get(i);
      boolean equal =
          entry instanceof StringScalar text
              ? Arrays.equals(text.value().getBytes(StandardCharsets.UTF_8), (byte[]) value)
              : ((IntegerScalar) entry).value().equals(value);
      if (equal) {
        return BigInteger.valueOf(i + 1);
      }
    }
    return BigInteger.valueOf(op.unknown());
  }

  private void flatten(Object value, int level, List<Leaf> cells) throws Broken {
    if (level == shape.size()) {
      cells.add((Leaf) value);
      return;
    }
    if (value == null) {
      if (!masked) {
        throw new Broken("null list");
      }
      int count = 1;
      for (int axis : shape.subList(level, shape.size())) {
        count *= axis;
      }
      for (int i = 0; i < count; i++) {
        cells.add(new Leaf(null, false));
      }
      return;
    }
    List<?> list = (List<?>) value;
    if (list.size() != shape.get(level)) {
      throw new Broken("shape");
    }
    for (Object item : list) {
      flatten(item, level + 1, cells);
    }
  }

  private Row cast(List<Leaf> cells) throws Broken {
    boolean[] mask = new boolean[cells.size()];
    byte[] bytes = new byte[cells.size() * dtype.bytes()];
    for (int i = 0; i < mask.length; i++) {
      Leaf cell = cells.get(i);
      if (cell.value == null && !masked) {
        throw new Broken("null");
      }
      mask[i] = cell.original && cell.value != null;
      long bits = cell.value == null ? 0 : bits(cell.value);
      for (int k = 0; k < dtype.bytes(); k++) {
        bytes[i * dtype.bytes() + k] = (byte) (bits >> 8 * k);
      }
    }
    return new Row(bytes, mask);
  }

  private static final Map<DType, String[]> RANGES =
      Map.of(
          DType.BOOL, new String[] {"0", "1"},
          DType.UINT8, new String[] {"0", "255"},
          DType.INT8, new String[] {"-128", "127"},
          DType.INT16, new String[] {"-32768", "32767"},
          DType.INT32, new String[] {"-2147483648", "2147483647"},
          DType.INT64, new String[] {"-9223372036854775808", "9223372036854775807"});

  private long bits(Object value) throws Broken {
    if (!dtype.isFloat()) {
      BigInteger whole;
      try {
        whole =
            value instanceof BigInteger v ? v : new BigDecimal((Double) value).toBigIntegerExact();
      } catch (ArithmeticException | NumberFormatException e) {
        throw new Broken("not whole");
      }
      String[] range = RANGES.get(dtype);
      if (whole.compareTo(new BigInteger(range[0])) < 0
          || whole.compareTo(new BigInteger(range[1])) > 0) {
        throw new Broken("range");
      }
      return whole.longValue();
    }
    return switch (dtype) {
      case FLOAT16 -> ieee(value, 5, 10);
      case FLOAT32 -> ieee(value, 8, 23);
      default -> ieee(value, 11, 52);
    };
  }

  /** The bits of the nearest number with so many bits of exponent and of fraction. */
  private static long ieee(Object value, int exponentBits, int fractionBits) throws Broken {
    long infinity = ((1L << exponentBits) - 1) << fractionBits;
    long sign = 0;
    BigDecimal exact;
    if (value instanceof Double number) {
      if (number.isNaN()) {
        return infinity | 1L << (fractionBits - 1);
      }
      sign = Double.doubleToRawLongBits(number) < 0 ? 1L << (exponentBits + fractionBits) : 0;
      if (number.isInfinite()) {
        return sign | infinity;
      }
      exact = new BigDecimal(number).abs();
    } else {
      BigInteger whole = (BigInteger) value;
      sign = whole.signum() < 0 ? 1L << (exponentBits + fractionBits) : 0;
      exact = new BigDecimal(whole.abs());
    }
    int bias = (1 << (exponentBits - 1)) - 1;
    int least = 1 - bias - fractionBits;
    int wholeBits = exact.toBigInteger().bitLength();
    int unit = wholeBits == 0 ? least : Math.max(least, wholeBits - fractionBits - 1);
    BigInteger limit = BigInteger.TWO.pow(fractionBits + 1);
    BigInteger significand = scaled(exact, unit);
    while (significand.compareTo(limit) >= 0) {
      unit++;
      significand = scaled(exact, unit);
    }
    long magnitude = significand.longValueExact();
    long field = unit - least;
    // Adding the significand with its leading bit counts the exponent up by one where there is one.
    long bits = (field << fractionBits) + magnitude;
    if (bits >= infinity) {
      throw new Broken("infinite");
    }
    return sign | bits;
  }

  /** {@code exact / 2^unit}, rounded to the even of the nearest whole numbers. */
  private static BigInteger scaled(BigDecimal exact, int unit) {
    BigDecimal power = new BigDecimal(BigInteger.TWO.pow(Math.abs(unit)));
    BigDecimal quotient =
        unit < 0
            ? exact.multiply(power)
            : exact.divide(power, Math.max(exact.scale(), 0) + unit, RoundingMode.UNNECESSARY);
    return quotient.setScale(0, RoundingMode.HALF_EVEN).toBigIntegerExact();
  }
}
