package io.penstock.feed;

import io.penstock.feed.Scalar.IntegerScalar;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** One op of a tensor (FEED.md, "Ops"): a pure function of one row's values. */
public sealed interface Op {
  /** The key that names the op in the feed file. */
  String name();

  /**
   * Names or globs that restrict the op to some of its tensor's columns; empty for all of them. Use
   * {@link BoundColumn#ops()} for the outcome.
   */
  Optional<List<String>> columns();

  /** What {@code fill} does about NaN. */
  enum NaN {
    /** It stays. */
    KEEP,
    /** It is replaced like a null. */
    FILL
  }

  /** Null becomes {@code value}; a null list an empty one. */
  record Fill(Scalar value, NaN nan, Optional<List<String>> columns) implements Op {
    public Fill {
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(nan, "nan");
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "fill";
    }
  }

  /**
   * {@code v < min ? min : v > max ? max : v}; NaN stays.
   *
   * @param min a number that is not NaN; at least one of both is there
   * @param max a number that is not NaN, &gt;= {@code min}
   */
  record Clip(Optional<Scalar> min, Optional<Scalar> max, Optional<List<String>> columns)
      implements Op {
    public Clip {
      Objects.requireNonNull(min, "min");
      Objects.requireNonNull(max, "max");
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "clip";
    }
  }

  /** {@code StrictMath.log1p}, in float64. */
  record Log1p(Optional<List<String>> columns) implements Op {
    public Log1p {
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "log1p";
    }
  }

  /**
   * {@code (v - mean) / std}, in float64.
   *
   * <p>A statistics file is a JSON object {@code {"columns": {"fare": {"mean": 1.2, "std": 0.7},
   * ...}}}; other keys, at either level, are ignored, so that the file can carry more than this op
   * reads.
   *
   * @param mean by column path; with {@code file}, what the file says of all its columns
   * @param std by column path, the same keys; finite and not 0
   * @param file the statistics file that both were read from, as written
   */
  record Standardize(
      Map<String, Double> mean,
      Map<String, Double> std,
      Optional<String> file,
      Optional<List<String>> columns)
      implements Op {
    public Standardize {
      mean = Collections.unmodifiableMap(new LinkedHashMap<>(mean));
      std = Collections.unmodifiableMap(new LinkedHashMap<>(std));
      Objects.requireNonNull(file, "file");
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "standardize";
    }
  }

  /**
   * NumPy's {@code searchsorted(bounds, v, side="right")}.
   *
   * @param bounds numbers, strictly rising, at least one
   */
  record Bucketize(List<Scalar> bounds, Optional<List<String>> columns) implements Op {
    public Bucketize {
      bounds = List.copyOf(bounds);
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "bucketize";
    }
  }

  /**
   * XXH64 of the bytes, or of a whole number's 8 little-endian bytes, unsigned, modulo {@code
   * buckets}.
   *
   * @param buckets 1 to 2^63 - 1
   * @param seed the bits of an unsigned 64-bit number
   */
  record HashOp(long buckets, long seed, Optional<List<String>> columns) implements Op {
    public HashOp {
      if (buckets < 1) {
        throw new IllegalArgumentException("must be >= 1: buckets=" + buckets);
      }
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "hash";
    }
  }

  /**
   * The place of a value in a list, plus 1; {@code unknown} for others. A vocabulary file is UTF-8
   * text with one value a line; a last line without a line feed counts, and nothing is trimmed but
   * the line ends themselves ({@code \n} or {@code \r\n}).
   *
   * @param file the file that {@code values} were read from, as written
   * @param values all strings or all whole numbers, none twice; strings if read from a file, which
   *     a column of whole numbers takes as decimal numbers
   */
  record Vocabulary(
      Optional<String> file, List<Scalar> values, long unknown, Optional<List<String>> columns)
      implements Op {
    public Vocabulary {
      Objects.requireNonNull(file, "file");
      values = List.copyOf(values);
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "vocabulary";
    }
  }

  /** DECIMAL to the whole number of its last digit; the first op on its columns. */
  record Unscaled(Optional<List<String>> columns) implements Op {
    public Unscaled {
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "unscaled";
    }
  }

  /**
   * Lists cut or filled at the end.
   *
   * @param lengths items by list axis, outermost first, each &gt;= 1
   * @param value what fills
   */
  record Pad(List<Integer> lengths, Scalar value, Optional<List<String>> columns) implements Op {
    /** The value where the feed gives none. */
    public static final Scalar DEFAULT_VALUE = IntegerScalar.of(0);

    public Pad {
      lengths = List.copyOf(lengths);
      Objects.requireNonNull(value, "value");
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "pad";
    }
  }

  /** JPEG or PNG bytes to uint8 {@code [height, width, channels]}. */
  record DecodeImage(
      int height, int width, int channels, Resize resize, Optional<List<String>> columns)
      implements Op {
    /**
     * Name and version of the decoder, part of the feed's digest: another decoder can give other
     * bytes.
     */
    public static final String DECODER = "imageio 1";

    /** What happens to an image of another size. */
    public enum Resize {
      /** It is an error. */
      NONE("none"),
      /** Bilinear with half-pixel centres, no antialias. */
      BILINEAR("bilinear");

      private final String text;

      Resize(String text) {
        this.text = text;
      }

      /** The word that the feed file uses. */
      public String text() {
        return text;
      }
    }

    public DecodeImage {
      Objects.requireNonNull(resize, "resize");
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "decode";
    }
  }

  /** The bytes of a {@code .npy} or one-array {@code .npz} file; the tensor's shape is given. */
  record DecodeNpy(Optional<List<String>> columns) implements Op {
    public DecodeNpy {
      columns = columns.map(List::copyOf);
    }

    @Override
    public String name() {
      return "decode";
    }
  }

  /**
   * User code: a row group's columns in, the same number of rows out. It sees all of the tensor's
   * columns.
   *
   * @param className fully qualified
   * @param jar where the class is, as written; absent if it is on the class path
   * @param args the values are {@code String}, {@code Boolean}, {@code Long} ({@code BigInteger}
   *     where that is too small), {@code Double}, {@code null}, or a {@code List} or {@code Map} of
   *     these; unmodifiable
   */
  record UserClass(String className, Optional<String> jar, Map<String, Object> args) implements Op {
    public UserClass {
      Objects.requireNonNull(className, "className");
      Objects.requireNonNull(jar, "jar");
      args = Collections.unmodifiableMap(new LinkedHashMap<>(args));
    }

    @Override
    public String name() {
      return "class";
    }

    @Override
    public Optional<List<String>> columns() {
      return Optional.empty();
    }
  }
}
