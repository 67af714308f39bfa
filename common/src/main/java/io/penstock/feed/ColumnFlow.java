package io.penstock.feed;

import io.penstock.feed.Scalar.BoolScalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What one column's values are before, between and after its ops, without any value: a state of
 * kind and axes that each op changes or refuses.
 *
 * <h2>Kinds</h2>
 *
 * A DECIMAL that is not made {@code unscaled} first is a float from the start. What {@code decode:
 * npy} and user code make is known only when they run. A whole number of the feed that signed 64
 * bits do not hold makes its column unsigned, and a negative one makes an unsigned column signed.
 *
 * <h2>Axes</h2>
 *
 * Each list axis has no known length until {@code pad} or the tensor's {@code shape} gives one.
 */
final class ColumnFlow {
  /** What is wrong, in which line of the feed; the same for many columns at times. */
  record Problem(int line, String message) {}

  /** The column can't go through its ops. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Problem problem;

    Refused(int line, String message) {
      super(message);
      this.problem = new Problem(line, message);
    }

    Problem problem() {
      return problem;
    }
  }

  private enum Kind {
    BOOLEAN,
    WHOLE,
    UNSIGNED,
    FLOAT,
    DECIMAL,
    BYTES,
    NUMBER
  }

  private static final int UNKNOWN = -1;
  private static final Pattern DECIMAL_NUMBER = Pattern.compile("-?[0-9]{1,20}");
  private static final BigInteger INT64_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger INT64_MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger UINT64_MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

  private final TensorFeed tensor;
  private Kind kind;
  private List<Integer> axes;
  private int line;

  private ColumnFlow(TensorFeed tensor, ColumnType type) {
    this.tensor = tensor;
    this.kind =
        switch (type.kind()) {
          case BOOLEAN -> Kind.BOOLEAN;
          case INTEGER, DATE, TIME, TIMESTAMP -> Kind.WHOLE;
          case UNSIGNED -> Kind.UNSIGNED;
          case FLOAT -> Kind.FLOAT;
          case DECIMAL -> Kind.DECIMAL;
          case BYTES -> Kind.BYTES;
        };
    this.axes = new ArrayList<>(Collections.nCopies(type.listDepth(), UNKNOWN));
    this.line = tensor.line();
  }

  /**
   * The axes of one row of a column, after its ops.
   *
   * @throws Refused if an op can't take what it gets, or what comes out is no number or has no
   *     shape
   */
  static List<Integer> itemAxes(TensorFeed tensor, BoundColumn column) throws Refused {
    ColumnFlow flow = new ColumnFlow(tensor, column.type());
    boolean first = true;
    for (Op op : column.ops()) {
      flow.line = flow.lineOf(op);
      if (flow.kind == Kind.DECIMAL && !(op instanceof Op.Unscaled)) {
        flow.kind = Kind.FLOAT;
      }
      if (op instanceof Op.Unscaled) {
        flow.unscale(column.type(), first);
      } else {
        flow.apply(op);
      }
      first = false;
    }
    flow.line = tensor.line();
    return flow.end();
  }

  private int lineOf(Op op) {
    for (int i = 0; i < tensor.ops().size(); i++) {
      if (tensor.ops().get(i) == op) {
        return tensor.opLines().get(i);
      }
    }
    return tensor.line();
  }

  private Refused refuse(String message) {
    return new Refused(line, message);
  }

  private void apply(Op op) throws Refused {
    if (op instanceof Op.Fill fill) {
      put(fill.value(), "fill");
    } else if (op instanceof Op.Clip clip) {
      clip(clip);
    } else if (op instanceof Op.Log1p || op instanceof Op.Standardize) {
      needNumbers(op.name());
      kind = Kind.FLOAT;
    } else if (op instanceof Op.Bucketize) {
      needNumbers(op.name());
      kind = Kind.WHOLE;
    } else if (op instanceof Op.HashOp) {
      refuseFloats("hash");
      kind = Kind.WHOLE;
    } else if (op instanceof Op.Vocabulary vocabulary) {
      vocabulary(vocabulary);
    } else if (op instanceof Op.Pad pad) {
      pad(pad);
    } else if (op instanceof Op.DecodeImage image) {
      decode();
      kind = Kind.WHOLE;
      axes = new ArrayList<>(List.of(image.height(), image.width(), image.channels()));
    } else if (op instanceof Op.DecodeNpy) {
      decode();
      kind = Kind.NUMBER;
      forgetAxes();
    } else if (op instanceof Op.UserClass) {
      kind = Kind.NUMBER;
      forgetAxes();
    }
  }

  /** After this the rank is that of the tensor's shape, if it has one. */
  private void forgetAxes() {
    int rank = tensor.shape().map(List::size).orElse(axes.size());
    axes = new ArrayList<>(Collections.nCopies(rank, UNKNOWN));
  }

  private void unscale(ColumnType type, boolean first) throws Refused {
    if (type.kind() != ColumnType.Kind.DECIMAL) {
      throw refuse("unscaled takes only DECIMAL columns");
    }
    if (!first) {
      throw refuse("unscaled must be the first op on a column");
    }
    kind = Kind.WHOLE;
  }

  private void needNumbers(String op) throws Refused {
    if (kind == Kind.BYTES) {
      throw refuse(op + " takes numbers, not bytes");
    }
  }

  private void refuseFloats(String op) throws Refused {
    if (kind == Kind.FLOAT) {
      throw refuse(op + " takes bytes or whole numbers, not floats");
    }
  }

  /** A value of the feed goes in among the column's values. */
  private void put(Scalar value, String op) throws Refused {
    boolean text = value instanceof StringScalar;
    if (kind == Kind.BYTES) {
      if (!text) {
        throw refuse(op + " of bytes needs a string: value=" + CanonicalJson.write(value));
      }
      return;
    }
    if (text) {
      throw refuse(op + " of numbers needs a number: value=" + CanonicalJson.write(value));
    }
    if (value instanceof BoolScalar) {
      if (kind != Kind.BOOLEAN) {
        throw refuse(op + " with true or false takes only BOOLEAN columns");
      }
      return;
    }
    number(value, op);
  }

  /** A number of the feed goes in among numbers, whose kind can change by it. */
  private void number(Scalar value, String op) throws Refused {
    if (value instanceof FloatScalar) {
      kind = kind == Kind.NUMBER ? Kind.NUMBER : Kind.FLOAT;
      return;
    }
    BigInteger whole = ((IntegerScalar) value).value();
    switch (kind) {
      case BOOLEAN, WHOLE -> kind = wholeKind(whole, Kind.WHOLE, op);
      case UNSIGNED -> kind = wholeKind(whole, Kind.UNSIGNED, op);
      case FLOAT -> {
        double rounded = whole.doubleValue();
        if (Double.isInfinite(rounded)
            || new BigDecimal(rounded).compareTo(new BigDecimal(whole)) != 0) {
          throw refuse(op + " of floats needs a value that float64 holds exactly: value=" + whole);
        }
      }
      case DECIMAL, BYTES, NUMBER -> {}
    }
  }

  /** The kind of whole numbers that holds a value: the given one, or else the other. */
  private Kind wholeKind(BigInteger value, Kind now, String op) throws Refused {
    boolean signed = value.compareTo(INT64_MIN) >= 0 && value.compareTo(INT64_MAX) <= 0;
    boolean unsigned = value.signum() >= 0 && value.compareTo(UINT64_MAX) <= 0;
    if (!signed && !unsigned) {
      throw refuse(op + " of whole numbers needs a value of 64 bits: value=" + value);
    }
    if (now == Kind.UNSIGNED) {
      return unsigned ? Kind.UNSIGNED : Kind.WHOLE;
    }
    return signed ? Kind.WHOLE : Kind.UNSIGNED;
  }

  private void clip(Op.Clip clip) throws Refused {
    needNumbers("clip");
    boolean floats =
        clip.min().filter(FloatScalar.class::isInstance).isPresent()
            || clip.max().filter(FloatScalar.class::isInstance).isPresent();
    if (floats && kind != Kind.NUMBER) {
      kind = Kind.FLOAT;
    } else if (kind == Kind.BOOLEAN) {
      kind = Kind.WHOLE;
    }
  }

  private void vocabulary(Op.Vocabulary vocabulary) throws Refused {
    refuseFloats("vocabulary");
    boolean strings = vocabulary.values().get(0) instanceof StringScalar;
    if (kind == Kind.BYTES) {
      if (!strings) {
        throw refuse("vocabulary of bytes needs strings as values");
      }
    } else if (strings) {
      if (vocabulary.file().isEmpty()) {
        throw refuse("vocabulary of whole numbers needs whole numbers as values");
      }
      checkNumbers(vocabulary);
    }
    kind = Kind.WHOLE;
  }

  private void checkNumbers(Op.Vocabulary vocabulary) throws Refused {
    Set<BigInteger> seen = new HashSet<>();
    String file = vocabulary.file().orElseThrow();
    for (Scalar value : vocabulary.values()) {
      String text = ((StringScalar) value).value();
      if (!DECIMAL_NUMBER.matcher(text).matches()) {
        throw refuse(
            "vocabulary of whole numbers needs whole numbers as values: "
                + file
                + " has "
                + CanonicalJson.write(text));
      }
      if (!seen.add(new BigInteger(text))) {
        throw refuse("vocabulary has a value twice: " + file + " has " + text);
      }
    }
  }

  private void pad(Op.Pad pad) throws Refused {
    if (axes.isEmpty()) {
      throw refuse("pad takes lists");
    }
    if (pad.lengths().size() != axes.size()) {
      throw refuse(
          "pad needs one length for each of the "
              + axes.size()
              + " list axes: length="
              + pad.lengths());
    }
    put(pad.value(), "pad");
    axes = new ArrayList<>(pad.lengths());
  }

  private void decode() throws Refused {
    if (kind != Kind.BYTES) {
      throw refuse("decode takes bytes");
    }
    if (!axes.isEmpty()) {
      throw refuse("decode takes columns without lists");
    }
  }

  private List<Integer> end() throws Refused {
    if (kind == Kind.BYTES) {
      throw refuse("bytes need an op that makes numbers of them (hash, vocabulary, decode)");
    }
    if (tensor.shape().isPresent()) {
      List<Integer> shape = tensor.shape().get();
      if (shape.size() != axes.size()) {
        throw refuse(
            "shape is of one column's row, which has " + axes.size() + " axes: shape=" + shape);
      }
      for (int i = 0; i < axes.size(); i++) {
        if (axes.get(i) != UNKNOWN && !axes.get(i).equals(shape.get(i))) {
          throw refuse("the ops make a row of shape " + axes + ": shape=" + shape);
        }
      }
      return shape;
    }
    if (axes.contains(UNKNOWN)) {
      throw refuse("lists need pad or shape");
    }
    return List.copyOf(axes);
  }
}
