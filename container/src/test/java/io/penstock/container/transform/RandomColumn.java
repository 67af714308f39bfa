package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.Values;
import io.penstock.container.transform.FeedOracle.Leaf;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A column of random rows, in all layouts that decoding can give it. */
final class RandomColumn {
  private static final long[] WHOLES = {
    0,
    1,
    2,
    3,
    -1,
    7,
    20,
    127,
    128,
    255,
    256,
    -129,
    65519,
    65520,
    1L << 31,
    1L << 53,
    (1L << 53) + 1,
    -(1L << 53) - 1,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    (1L << 62) + (1L << 38) + 1
  };
  private static final double[] FLOATS = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    2,
    3.25,
    1.0 / 3,
    Double.NaN,
    100,
    1e-8,
    65504,
    65520,
    1e10,
    1e39,
    4e-46,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    1.0004882812500002,
    0x1p63,
    6e-8
  };
  private static final String[] WORDS = {
    "", "a", "b", "New York", "país", "a much longer word that has more than thirty-two bytes", "7"
  };

  /** As {@link FeedOracle} calls it. */
  final char kind;

  final ColumnType type;

  /** By row, as {@link FeedOracle} takes it. */
  final List<Object> rows = new ArrayList<>();

  private final Random random;
  private final int tame;
  private final List<Object> leaves = new ArrayList<>();

  /**
   * @param tame how many of the first, small values are used; all if large
   */
  RandomColumn(Random random, char kind, int depth, List<Integer> axes, int count, int tame) {
    this.random = random;
    this.kind = kind;
    this.tame = tame;
    Kind modelKind =
        switch (kind) {
          case 'w' -> random.nextBoolean() ? Kind.INTEGER : Kind.TIMESTAMP;
          case 'u' -> Kind.UNSIGNED;
          case 'f' -> Kind.FLOAT;
          case 'd' -> Kind.DECIMAL;
          default -> Kind.BYTES;
        };
    type = new ColumnType(modelKind, kind == 'd' ? random.nextInt(25) : 0, depth);
    double nulls = random.nextInt(3) == 0 ? 0.15 : 0;
    boolean exact = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      rows.add(make(0, depth, axes, nulls, exact));
    }
    rows.forEach(this::collect);
  }

  private Object make(int level, int depth, List<Integer> axes, double nulls, boolean exact) {
    if (level == depth) {
      return random.nextDouble() < nulls ? new Leaf(null, false) : new Leaf(value(), true);
    }
    if (random.nextDouble() < nulls) {
      return null;
    }
    int length = exact ? axes.get(level) : random.nextInt(axes.get(level) + 2);
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      list.add(make(level + 1, depth, axes, nulls, exact));
    }
    return list;
  }

  private Object value() {
    switch (kind) {
      case 'w':
        return BigInteger.valueOf(WHOLES[random.nextInt(Math.min(tame, WHOLES.length))]);
      case 'u':
        return new BigInteger(
            Long.toUnsignedString(WHOLES[random.nextInt(Math.min(tame, WHOLES.length))]));
      case 'f':
        return FLOATS[random.nextInt(Math.min(tame, FLOATS.length))];
      case 'd':
        BigInteger unscaled =
            BigInteger.valueOf(WHOLES[random.nextInt(Math.min(tame, WHOLES.length))]);
        boolean wide = tame > 10 && random.nextInt(4) == 0;
        return new BigDecimal(
            wide ? unscaled.multiply(BigInteger.valueOf(1_000_003)) : unscaled, type.scale());
      default:
        return WORDS[random.nextInt(WORDS.length)].getBytes(
            java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  private void collect(Object value) {
    if (value instanceof List<?> list) {
      list.forEach(this::collect);
    } else if (value != null) {
      leaves.add(((Leaf) value).value());
    }
  }

  /** One value an item. */
  Column plain() {
    return column(values(leaves, false));
  }

  /** The same in the narrowest arrays that hold the values. */
  Column narrow() {
    return column(values(leaves, true));
  }

  /** The same by a dictionary, some of whose entries no item uses. */
  Column dictionary() {
    List<Object> entries = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      entries.add(value());
    }
    int[] indices = new int[leaves.size() + 2];
    for (int i = 0; i < leaves.size(); i++) {
      Object leaf = leaves.get(i);
      if (leaf == null) {
        indices[i] = -12345;
        continue;
      }
      int place = 3;
      while (place < entries.size() && !same(entries.get(place), leaf)) {
        place++;
      }
      if (place == entries.size()) {
        entries.add(leaf);
      }
      indices[i] = place;
    }
    return column(new Values.Dictionary(values(entries, false), entries.size(), indices));
  }

  private static boolean same(Object a, Object b) {
    return a instanceof byte[] x ? java.util.Arrays.equals(x, (byte[]) b) : a.equals(b);
  }

  private Values values(List<Object> of, boolean narrow) {
    int spare = 3;
    switch (kind) {
      case 'w', 'u':
        return wholes(of.stream().map(v -> (BigInteger) v).toList(), narrow, spare);
      case 'f':
        return floats(of, narrow, spare);
      case 'd':
        List<BigInteger> unscaled = new ArrayList<>();
        for (Object v : of) {
          unscaled.add(v == null ? null : ((BigDecimal) v).unscaledValue());
        }
        boolean wide = unscaled.stream().anyMatch(v -> v != null && v.bitLength() > 63);
        if (!wide) {
          return wholes(unscaled, narrow, spare);
        }
        return bytes(unscaled.stream().map(v -> v == null ? null : v.toByteArray()).toList());
      default:
        return bytes(of.stream().map(v -> (byte[]) v).toList());
    }
  }

  private static Values wholes(List<BigInteger> of, boolean narrow, int spare) {
    long[] longs = new long[of.size() + spare];
    boolean fits = true;
    for (int i = 0; i < of.size(); i++) {
      longs[i] = of.get(i) == null ? 0x5555555555555555L : of.get(i).longValue();
      fits &= of.get(i) == null || of.get(i).bitLength() < 32;
    }
    if (!narrow || !fits) {
      return new Values.Longs(longs);
    }
    int[] ints = new int[longs.length];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = (int) longs[i];
    }
    return new Values.Ints(ints);
  }

  private static Values floats(List<Object> of, boolean narrow, int spare) {
    double[] doubles = new double[of.size() + spare];
    float[] floats = new float[of.size() + spare];
    boolean fits = true;
    for (int i = 0; i < of.size(); i++) {
      doubles[i] = of.get(i) == null ? 1e300 : (Double) of.get(i);
      floats[i] = (float) doubles[i];
      fits &= of.get(i) == null || Double.compare(floats[i], doubles[i]) == 0;
    }
    return narrow && fits ? new Values.Floats(floats) : new Values.Doubles(doubles);
  }

  private static Values bytes(List<byte[]> of) {
    int[] offsets = new int[of.size() + 1];
    for (int i = 0; i < of.size(); i++) {
      offsets[i + 1] = offsets[i] + (of.get(i) == null ? 0 : of.get(i).length);
    }
    byte[] data = new byte[offsets[of.size()]];
    for (int i = 0; i < of.size(); i++) {
      if (of.get(i) != null) {
        System.arraycopy(of.get(i), 0, data, offsets[i], of.get(i).length);
      }
    }
    return new Values.Bytes(data, offsets);
  }

  private Column column(Values values) {
    boolean[] valid = null;
    if (leaves.contains(null)) {
      valid = new boolean[leaves.size()];
      for (int i = 0; i < valid.length; i++) {
        valid[i] = leaves.get(i) != null;
      }
    }
    List<ListLevel> levels = new ArrayList<>();
    List<?> below = rows;
    for (int level = 0; level < type.listDepth(); level++) {
      int count = below.size();
      int[] offsets = new int[count + 1];
      boolean[] listValid = new boolean[count];
      List<Object> next = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        listValid[i] = below.get(i) != null;
        if (listValid[i]) {
          next.addAll((List<?>) below.get(i));
        }
        offsets[i + 1] = next.size();
      }
      levels.add(new ListLevel(count, offsets, below.contains(null) ? listValid : null));
      below = next;
    }
    return new Column(type, rows.size(), leaves.size(), values, valid, levels);
  }
}
