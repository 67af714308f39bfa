package io.penstock.feed;

import io.penstock.feed.Scalar.BoolScalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.TreeMap;

/**
 * JSON as Python's {@code json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=False)}
 * prints it.
 *
 * <h2>Where Java's habits differ</h2>
 *
 * <ul>
 *   <li>Keys are sorted by code point; Java's string order puts U+10000 and above before U+E000.
 *   <li>A float has the fewest digits that read back as the same float, and of those the nearest to
 *       it; JDK 17's {@code Double.toString} has more at times.
 *   <li>An exponent is used below 1e-4 and from 1e16 on, with a sign and at least two digits.
 * </ul>
 */
final class CanonicalJson {
  private static final int MAX_DIGITS = 17;

  private static final Comparator<String> BY_CODE_POINT =
      (a, b) -> {
        PrimitiveIterator.OfInt left = a.codePoints().iterator();
        PrimitiveIterator.OfInt right = b.codePoints().iterator();
        while (left.hasNext() && right.hasNext()) {
          int order = Integer.compare(left.nextInt(), right.nextInt());
          if (order != 0) {
            return order;
          }
        }
        return Boolean.compare(left.hasNext(), right.hasNext());
      };

  private CanonicalJson() {}

  /**
   * The text of a value.
   *
   * @param value a {@link Scalar}, {@code String}, {@code Boolean}, {@code Integer}, {@code Long},
   *     {@code BigInteger}, {@code Double}, {@code null}, or a {@code List} or {@code Map} of these
   */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    append(value, out);
    return out.toString();
  }

  private static void append(Object value, StringBuilder out) {
    if (value == null) {
      out.append("null");
    } else if (value instanceof Scalar scalar) {
      append(plain(scalar), out);
    } else if (value instanceof String text) {
      string(text, out);
    } else if (value instanceof Double number) {
      out.append(number(number));
    } else if (value instanceof Boolean
        || value instanceof Integer
        || value instanceof Long
        || value instanceof BigInteger) {
      out.append(value);
    } else if (value instanceof List<?> items) {
      list(items, out);
    } else if (value instanceof Map<?, ?> map) {
      map(map, out);
    } else {
      throw new IllegalArgumentException("no JSON for " + value.getClass());
    }
  }

  private static Object plain(Scalar scalar) {
    if (scalar instanceof IntegerScalar whole) {
      return whole.value();
    } else if (scalar instanceof FloatScalar number) {
      return number.value();
    } else if (scalar instanceof StringScalar text) {
      return text.value();
    }
    return ((BoolScalar) scalar).value();
  }

  private static void list(List<?> items, StringBuilder out) {
    out.append('[');
    String separator = "";
    for (Object item : items) {
      out.append(separator);
      append(item, out);
      separator = ",";
    }
    out.append(']');
  }

  private static void map(Map<?, ?> map, StringBuilder out) {
    Map<String, Object> sorted = new TreeMap<>(BY_CODE_POINT);
    map.forEach((key, value) -> sorted.put((String) key, value));
    out.append('{');
    String separator = "";
    for (Map.Entry<String, Object> entry : sorted.entrySet()) {
      out.append(separator);
      string(entry.getKey(), out);
      out.append(':');
      append(entry.getValue(), out);
      separator = ",";
    }
    out.append('}');
  }

  private static void string(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\f' -> out.append("\\f");
        case '\b' -> out.append("\\b");
        default -> {
          if (c < 0x20) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  /** What Python's {@code repr} prints, but {@code NaN} and {@code Infinity} as JSON has them. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    if (value == 0) {
      return sign + "0.0";
    }
    BigDecimal shortest = shortest(Math.abs(value)).stripTrailingZeros();
    String digits = shortest.unscaledValue().toString();
    // The value is 0.digits times ten to the power of point.
    int point = digits.length() - shortest.scale();
    if (point > 16 || point < -3) {
      int exponent = point - 1;
      String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
      return sign
          + digits.charAt(0)
          + fraction
          + (exponent < 0 ? "e-" : "e+")
          + String.format("%02d", Math.abs(exponent));
    }
    if (point <= 0) {
      return sign + "0." + "0".repeat(-point) + digits;
    }
    if (digits.length() <= point) {
      return sign + digits + "0".repeat(point - digits.length()) + ".0";
    }
    return sign + digits.substring(0, point) + "." + digits.substring(point);
  }

  private static BigDecimal shortest(double value) {
    BigDecimal exact = new BigDecimal(value);
    for (int digits = 1; digits < MAX_DIGITS; digits++) {
      // Below a power of two floats lie closer than above it, so the nearer neighbour can miss
      // where the farther one reads back.
      BigDecimal down = exact.round(new MathContext(digits, RoundingMode.DOWN));
      BigDecimal up = exact.round(new MathContext(digits, RoundingMode.UP));
      boolean downFits = down.doubleValue() == value;
      boolean upFits = up.doubleValue() == value;
      if (downFits && upFits) {
        return exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      } else if (downFits) {
        return down;
      } else if (upFits) {
        return up;
      }
    }
    return exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN));
  }
}
