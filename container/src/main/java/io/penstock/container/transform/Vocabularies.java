package io.penstock.container.transform;

import io.penstock.feed.Op;
import io.penstock.feed.Scalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.UsageException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The tables of all {@code vocabulary} ops of a feed: one for each op and form, shared by all
 * columns and workers, since they can be large. Thread-safe.
 */
final class Vocabularies {
  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");

  /** Guarded by this. */
  private final Map<Op.Vocabulary, Map<Form, Vocabulary>> tables = new IdentityHashMap<>();

  /**
   * The table of an op for values of a form.
   *
   * @throws UsageException if its values are not of that form
   */
  synchronized Vocabulary of(Op.Vocabulary op, Form form, String path) {
    try {
      return tables
          .computeIfAbsent(op, o -> new HashMap<>())
          .computeIfAbsent(form, f -> f == Form.BYTES ? ofBytes(op) : ofWholes(op, f));
    } catch (IllegalArgumentException e) {
      throw new UsageException("vocabulary of column " + path + ": " + e.getMessage(), e);
    }
  }

  private static Vocabulary ofBytes(Op.Vocabulary op) {
    List<byte[]> values = new ArrayList<>();
    for (Scalar value : op.values()) {
      if (!(value instanceof StringScalar text)) {
        throw new IllegalArgumentException("must be strings for bytes: " + value);
      }
      values.add(text.value().getBytes(StandardCharsets.UTF_8));
    }
    return new Vocabulary.OfBytes(values, op.unknown());
  }

  private static Vocabulary ofWholes(Op.Vocabulary op, Form form) {
    BigInteger end = BigInteger.TWO.pow(form == Form.WHOLE ? 63 : 64);
    BigInteger least = form == Form.WHOLE ? end.negate() : BigInteger.ZERO;
    int count = op.values().size();
    long[] values = new long[count];
    boolean[] possible = new boolean[count];
    for (int i = 0; i < count; i++) {
      BigInteger whole = whole(op.values().get(i));
      possible[i] = whole.compareTo(least) >= 0 && whole.compareTo(end) < 0;
      values[i] = whole.longValue();
    }
    return new Vocabulary.OfWholes(values, possible, op.unknown());
  }

  private static BigInteger whole(Scalar value) {
    if (value instanceof IntegerScalar integer) {
      return integer.value();
    }
    if (value instanceof StringScalar text && WHOLE.matcher(text.value()).matches()) {
      return new BigInteger(text.value());
    }
    throw new IllegalArgumentException("must be whole numbers: " + value);
  }
}
