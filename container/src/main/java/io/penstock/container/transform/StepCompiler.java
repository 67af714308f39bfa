package io.penstock.container.transform;

import io.penstock.feed.Op;
import io.penstock.feed.Scalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.UsageException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns value-by-value ops into steps, following the form that the values have at each.
 *
 * <p>What an op does not take ({@code hash} of floats, {@code fill} of bytes with a number, ...) is
 * a {@link UsageException} that names column and op.
 */
final class StepCompiler {
  private static final BigInteger TOP = BigInteger.ONE.shiftLeft(63);

  private final String path;
  private final Vocabularies vocabularies;
  private final List<byte[]> constants;
  private final List<Step> steps = new ArrayList<>();
  private Form form;

  private StepCompiler(String path, Form form, Vocabularies vocabularies, List<byte[]> constants) {
    this.path = path;
    this.form = form;
    this.vocabularies = vocabularies;
    this.constants = new ArrayList<>(constants);
  }

  /**
   * @param form of the values before the ops
   * @param constants that earlier steps refer to
   */
  static Steps compile(
      List<Op> ops, String path, Form form, Vocabularies vocabularies, List<byte[]> constants) {
    StepCompiler compiler = new StepCompiler(path, form, vocabularies, constants);
    ops.forEach(compiler::add);
    return new Steps(compiler.steps, compiler.form, compiler.constants);
  }

  private void add(Op op) {
    if (op instanceof Op.Fill fill) {
      addFill(fill);
    } else if (op instanceof Op.Clip clip) {
      addClip(clip);
    } else if (op instanceof Op.Log1p) {
      toFloat(op, Conversion.NEAREST);
      steps.add(new Arithmetic.Log1p());
    } else if (op instanceof Op.Standardize standardize) {
      addStandardize(standardize);
    } else if (op instanceof Op.Bucketize bucketize) {
      addBucketize(bucketize);
    } else if (op instanceof Op.HashOp hash) {
      if (form == Form.FLOAT) {
        throw refused(op);
      }
      steps.add(new Hash(hash.buckets(), hash.seed()));
      form = Form.WHOLE;
    } else if (op instanceof Op.Vocabulary vocabulary) {
      addVocabulary(vocabulary);
    } else {
      throw refused(op);
    }
  }

  private void addFill(Op.Fill fill) {
    Constant constant = constant(fill, fill.value(), path, form, constants);
    constant.conversion().ifPresent(steps::add);
    form = constant.form();
    steps.add(constant.fill());
    if (fill.nan() == Op.NaN.FILL && form == Form.FLOAT) {
      steps.add(new Fill.NotANumber(constant.number()));
    }
  }

  /** What {@code value} is among values of a form; adds to {@code constants} if it is text. */
  static Constant constant(Op op, Scalar value, String path, Form form, List<byte[]> constants) {
    if (form == Form.BYTES) {
      if (!(value instanceof StringScalar text)) {
        throw refused(op, path, form);
      }
      constants.add(text.value().getBytes(StandardCharsets.UTF_8));
      return new Constant(Optional.empty(), form, 0, 0, constants.size() - 1);
    }
    FeedNumber number = FeedNumber.of(value).orElseThrow(() -> refused(op, path, form));
    if (form == Form.FLOAT) {
      return new Constant(Optional.empty(), form, 0, number.nearest(), 0);
    }
    if (number.isFloat()) {
      return new Constant(Optional.of(Conversion.EXACT), Form.FLOAT, 0, number.nearest(), 0);
    }
    if (form == Form.WHOLE ? number.fitsSigned() : number.fitsUnsigned()) {
      return new Constant(Optional.empty(), form, number.bits(), 0, 0);
    }
    if (number.fitsSigned()) {
      return new Constant(Optional.of(Conversion.SIGNED), Form.WHOLE, number.bits(), 0, 0);
    }
    if (number.fitsUnsigned()) {
      return new Constant(Optional.of(Conversion.UNSIGNED), Form.UNSIGNED, number.bits(), 0, 0);
    }
    throw new UsageException("must fit 64 bits: " + op.name() + "=" + number + " column=" + path);
  }

  private void addClip(Op.Clip clip) {
    if (form == Form.BYTES) {
      throw refused(clip);
    }
    Optional<FeedNumber> min = clip.min().map(value -> number(clip, value));
    Optional<FeedNumber> max = clip.max().map(value -> number(clip, value));
    boolean floats =
        min.filter(FeedNumber::isFloat).isPresent() || max.filter(FeedNumber::isFloat).isPresent();
    if (floats || form == Form.FLOAT) {
      toFloat(clip, Conversion.EXACT);
      steps.add(
          new Clip.Floats(
              min.map(FeedNumber::nearest).orElse(Double.NEGATIVE_INFINITY),
              max.map(FeedNumber::nearest).orElse(Double.POSITIVE_INFINITY)));
      return;
    }
    BigInteger least = form == Form.WHOLE ? TOP.negate() : BigInteger.ZERO;
    BigInteger greatest =
        form == Form.WHOLE
            ? TOP.subtract(BigInteger.ONE)
            : TOP.shiftLeft(1).subtract(BigInteger.ONE);
    BigInteger low = min.flatMap(FeedNumber::exact).orElse(least);
    BigInteger high = max.flatMap(FeedNumber::exact).orElse(greatest);
    if (low.compareTo(greatest) > 0) {
      addConstantClip(clip, min.orElseThrow());
    } else if (high.compareTo(least) < 0) {
      addConstantClip(clip, max.orElseThrow());
    } else if (form == Form.WHOLE) {
      steps.add(new Clip.Signed(low.max(least).longValue(), high.min(greatest).longValue()));
    } else {
      steps.add(new Clip.Unsigned(low.max(least).longValue(), high.min(greatest).longValue()));
    }
  }

  private void addConstantClip(Op.Clip clip, FeedNumber bound) {
    if (!bound.fitsSigned() && !bound.fitsUnsigned()) {
      throw new UsageException(
          "must fit 64 bits: " + clip.name() + "=" + bound + " column=" + path);
    }
    form = bound.fitsSigned() ? Form.WHOLE : Form.UNSIGNED;
    steps.add(new Clip.Constant(form, bound.bits()));
  }

  private void addStandardize(Op.Standardize op) {
    Double mean = op.mean().get(path);
    Double std = op.std().get(path);
    if (mean == null || std == null) {
      throw new UsageException("standardize has no mean or std for column " + path);
    }
    toFloat(op, Conversion.NEAREST);
    steps.add(new Arithmetic.Standardize(mean, std));
  }

  private void addBucketize(Op.Bucketize op) {
    if (form == Form.BYTES) {
      throw refused(op);
    }
    List<FeedNumber> bounds = op.bounds().stream().map(bound -> number(op, bound)).toList();
    boolean floats = bounds.stream().anyMatch(FeedNumber::isFloat);
    if (floats || form == Form.FLOAT) {
      toFloat(op, Conversion.NEAREST);
      steps.add(new Bucketize.Floats(bounds.stream().mapToDouble(FeedNumber::nearest).toArray()));
    } else {
      addWholeBucketize(bounds.stream().map(bound -> bound.exact().orElseThrow()).toList());
    }
    form = Form.WHOLE;
  }

  /** Bounds under the form's range count for every value, and those above it for none. */
  private void addWholeBucketize(List<BigInteger> bounds) {
    BigInteger least = form == Form.WHOLE ? TOP.negate() : BigInteger.ZERO;
    BigInteger end = form == Form.WHOLE ? TOP : TOP.shiftLeft(1);
    int below = (int) bounds.stream().filter(bound -> bound.compareTo(least) < 0).count();
    List<BigInteger> within =
        bounds.stream()
            .filter(bound -> bound.compareTo(least) >= 0 && bound.compareTo(end) < 0)
            .toList();
    if (form == Form.WHOLE) {
      steps.add(
          new Bucketize.Signed(below, within.stream().mapToLong(BigInteger::longValue).toArray()));
    } else {
      steps.add(
          new Bucketize.Unsigned(
              below,
              within.stream().mapToLong(bound -> bound.longValue() + Long.MIN_VALUE).toArray()));
    }
  }

  private void addVocabulary(Op.Vocabulary op) {
    if (form == Form.FLOAT) {
      throw refused(op);
    }
    steps.add(vocabularies.of(op, form, path));
    form = Form.WHOLE;
  }

  private void toFloat(Op op, Conversion conversion) {
    if (form == Form.BYTES) {
      throw refused(op);
    }
    if (form.isWhole()) {
      steps.add(conversion);
    }
    form = Form.FLOAT;
  }

  private FeedNumber number(Op op, Scalar value) {
    return FeedNumber.of(value).orElseThrow(() -> refused(op));
  }

  private UsageException refused(Op op) {
    return refused(op, path, form);
  }

  private static UsageException refused(Op op, String path, Form form) {
    return new UsageException(
        "op " + op.name() + " does not take " + form.text() + " this way: column " + path);
  }
}
