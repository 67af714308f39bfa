package io.penstock.cli.starter;

import io.penstock.cli.console.Amounts;
import io.penstock.cli.starter.ColumnSample.Axis;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Proposes tensors for columns.
 *
 * <h2>What becomes what</h2>
 *
 * Scalar columns are gathered by what they are: floats and decimals, booleans, whole numbers,
 * times, and everything whose value is a name rather than an amount, which is hashed. Each list,
 * array, image and label column is a tensor of its own.
 *
 * <h2>Nulls</h2>
 *
 * Where the schema lets a value be null, it is filled, because a null of a later row group would
 * else be an error; not so labels and arrays, where that would be a lie: there only nulls that were
 * seen are dealt with.
 */
final class TensorText {
  private static final Pattern LABEL = Pattern.compile("(?i)label|target|y");
  private static final Pattern ID =
      Pattern.compile("(?i:(.*[_\\-. ])?(id|ids|key|uuid|guid|hash|uid))|.*[a-z0-9](Id|ID|Key)");
  private static final String INDENT = "  ";
  private static final String INNER = "    ";
  private static final long MOST_BUCKETS = 1L << 26;

  private final TensorNames names = new TensorNames();
  private final List<String> lines = new ArrayList<>();
  private final Map<String, String> unused = new LinkedHashMap<>();
  private final long totalRows;
  private final boolean whole;

  /**
   * @param totalRows of the dataset
   * @param whole whether the samples are of all rows
   */
  TensorText(long totalRows, boolean whole) {
    this.totalRows = totalRows;
    this.whole = whole;
  }

  /** The tensors' lines, below the key {@code tensors}; empty if no column can be used. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Columns that no tensor has, and why. */
  Map<String, String> unused() {
    return unused;
  }

  void propose(List<ColumnSample> samples) {
    List<ColumnSample> labels = new ArrayList<>();
    List<ColumnSample> single = new ArrayList<>();
    Map<Group, List<ColumnSample>> groups = new LinkedHashMap<>();
    for (Group group : Group.values()) {
      groups.put(group, new ArrayList<>());
      names.of(group.tensor);
    }
    for (ColumnSample sample : samples) {
      if (sample.payload().orElse(null) instanceof Payload.Unknown unknown) {
        unused.put(sample.path(), unknown.reason());
      } else if (LABEL.matcher(sample.path()).matches()) {
        labels.add(sample);
      } else if (sample.isList() || isArray(sample)) {
        single.add(sample);
      } else {
        groups.get(group(sample)).add(sample);
      }
    }
    groups.forEach(this::group);
    single.forEach(this::single);
    labels.forEach(this::label);
  }

  private static boolean isArray(ColumnSample sample) {
    return sample.payload().filter(payload -> !(payload instanceof Payload.Text)).isPresent();
  }

  /** What scalar columns are gathered into. */
  private enum Group {
    FEATURES("features", "Floats and decimals.", "float32"),
    WIDE_FEATURES("features_float64", "Floats too large for float32.", "float64"),
    FLAGS("flags", "Booleans.", "bool"),
    NUMBERS("numbers", "Whole numbers that are amounts; move what is a name to ids.", "int64"),
    TIMES("times", "Dates in days, times and timestamps in microseconds.", "int64"),
    IDS("ids", "Names and keys, hashed; buckets from the distinct values that were seen.", "int64");

    private final String tensor;
    private final String meaning;
    private final String dtype;

    Group(String tensor, String meaning, String dtype) {
      this.tensor = tensor;
      this.meaning = meaning;
      this.dtype = dtype;
    }
  }

  private static Group group(ColumnSample sample) {
    return switch (sample.type().kind()) {
      case FLOAT -> sample.largest() > Float.MAX_VALUE ? Group.WIDE_FEATURES : Group.FEATURES;
      case DECIMAL -> Group.FEATURES;
      case BOOLEAN -> Group.FLAGS;
      case DATE, TIME, TIMESTAMP -> Group.TIMES;
      case UNSIGNED, BYTES -> Group.IDS;
      case INTEGER -> ID.matcher(sample.path()).matches() ? Group.IDS : Group.NUMBERS;
    };
  }

  private void group(Group group, List<ColumnSample> columns) {
    if (columns.isEmpty()) {
      return;
    }
    comment(group.meaning);
    nullComment(columns);
    begin(group.tensor);
    line("columns: " + Yaml.list(paths(columns), INNER));
    line("dtype: " + group.dtype);
    List<String> ops = new ArrayList<>();
    if (group == Group.IDS) {
      hashes(columns, ops);
    }
    fill(columns, group == Group.FLAGS ? "false" : "0", ops);
    ops(ops);
  }

  private static List<String> paths(List<ColumnSample> columns) {
    return columns.stream().map(ColumnSample::path).toList();
  }

  private void hashes(List<ColumnSample> columns, List<String> ops) {
    Map<Long, List<ColumnSample>> byBuckets =
        columns.stream()
            .collect(Collectors.groupingBy(this::buckets, LinkedHashMap::new, Collectors.toList()));
    byBuckets.forEach(
        (buckets, some) ->
            ops.add(
                "hash: {"
                    + (some.size() == columns.size()
                        ? ""
                        : "columns: " + Yaml.list(paths(some), INNER + INDENT) + ", ")
                    + "buckets: "
                    + buckets
                    + "}"));
  }

  private static void fill(List<ColumnSample> columns, String value, List<String> ops) {
    List<ColumnSample> nullable = columns.stream().filter(ColumnSample::nullable).toList();
    if (nullable.size() == columns.size()) {
      ops.add("fill: " + value);
    } else if (!nullable.isEmpty()) {
      ops.add(
          "fill: {value: "
              + value
              + ", columns: "
              + Yaml.list(paths(nullable), INNER + INDENT)
              + "}");
    }
  }

  /** A power of two with room for twice as many values as there may be in the whole dataset. */
  private long buckets(ColumnSample sample) {
    long seen = Math.max(1, sample.distinct());
    boolean growing = !whole && seen > sample.rows() / 10;
    double expected = growing ? (double) seen * totalRows / sample.rows() : seen;
    long wanted = (long) Math.min(2 * expected, MOST_BUCKETS);
    long buckets = 64;
    while (buckets < wanted) {
      buckets *= 2;
    }
    return buckets;
  }

  private void single(ColumnSample sample) {
    nullComment(List.of(sample));
    single(names.of(sample.path()), sample);
  }

  private void single(String name, ColumnSample sample) {
    Payload payload = sample.payload().orElse(new Payload.Text());
    if (payload instanceof Payload.Arrays arrays) {
      array(name, sample, arrays);
    } else if (payload instanceof Payload.Images images) {
      image(name, sample, images);
    } else {
      list(name, sample);
    }
  }

  private void array(String name, ColumnSample sample, Payload.Arrays arrays) {
    comment("NumPy arrays of " + arrays.descr() + " " + arrays.shape() + ".");
    if (arrays.descr().endsWith("u8")) {
      comment("A number of 2^63 or more does not fit int64 and is an error.");
    }
    begin(name);
    line("column: " + Yaml.text(sample.path()));
    line("dtype: " + arrays.dtype().text());
    line("shape: " + arrays.shape());
    ops(List.of("decode: npy"));
    mask(sample);
  }

  private void image(String name, ColumnSample sample, Payload.Images images) {
    boolean resize = images.sizes() > 1;
    comment(
        resize
            ? "JPEG or PNG of different sizes; this is the most frequent one, the others are resized."
            : "JPEG or PNG.");
    begin(name);
    line("column: " + Yaml.text(sample.path()));
    line("dtype: " + DType.UINT8.text());
    ImageHeader header = images.header();
    ops(
        List.of(
            "decode: {image: {height: %d, width: %d, channels: %d%s}}"
                .formatted(
                    header.height(),
                    header.width(),
                    header.channels(),
                    resize ? ", resize: bilinear" : "")));
    mask(sample);
  }

  private void mask(ColumnSample sample) {
    if (sample.nulls() > 0) {
      line("mask: true    # a null becomes zeros, and false in the tensor's mask");
    }
  }

  private void list(String name, ColumnSample sample) {
    Kind kind = sample.type().kind();
    boolean fixed = sample.isFixed() && sample.nulls() == 0;
    comment(
        fixed
            ? "Every list that was seen has exactly this shape."
            : "Lists; this length covers 99 % of the rows that were seen.");
    begin(name);
    line("column: " + Yaml.text(sample.path()));
    line("dtype: " + itemType(sample));
    List<Integer> lengths = sample.axes().stream().map(Axis::length).toList();
    List<String> ops = new ArrayList<>();
    if (kind == Kind.BYTES || kind == Kind.UNSIGNED) {
      ops.add("hash: {buckets: " + buckets(sample) + "}");
    }
    if (fixed) {
      line("shape: " + lengths);
    }
    if (sample.nullable()) {
      ops.add("fill: 0");
    }
    if (!fixed) {
      ops.add("pad: {length: " + (lengths.size() == 1 ? lengths.get(0).toString() : lengths) + "}");
    }
    ops(ops);
  }

  private static String itemType(ColumnSample sample) {
    return switch (sample.type().kind()) {
      case FLOAT -> sample.largest() > Float.MAX_VALUE ? "float64" : "float32";
      case DECIMAL -> "float32";
      case BOOLEAN -> "bool";
      case INTEGER, UNSIGNED, DATE, TIME, TIMESTAMP, BYTES -> "int64";
    };
  }

  private void label(ColumnSample sample) {
    nullComment(List.of(sample));
    String name = names.of(sample.path());
    if (sample.isList() || isArray(sample)) {
      single(name, sample);
      return;
    }
    Kind kind = sample.type().kind();
    List<String> ops = new ArrayList<>();
    if (kind == Kind.BYTES && sample.words().filter(words -> !words.isEmpty()).isPresent()) {
      comment("The values that were seen, from 1 on; any other is 0.");
      String words =
          sample.words().get().stream().map(Yaml::quoted).collect(Collectors.joining(", "));
      ops.add("vocabulary: {values: [" + words + "]}");
    } else if (kind == Kind.BYTES || kind == Kind.UNSIGNED) {
      ops.add("hash: {buckets: " + buckets(sample) + "}");
    }
    if (sample.nulls() > 0) {
      ops.add("fill: 0    # a null label; is it one?");
    }
    begin(name);
    line("column: " + Yaml.text(sample.path()));
    line("dtype: " + (kind == Kind.BOOLEAN ? "float32" : itemType(sample)));
    ops(ops);
  }

  private void nullComment(List<ColumnSample> columns) {
    List<String> shares =
        columns.stream()
            .filter(column -> column.nulls() > 0)
            .limit(20)
            .map(column -> Yaml.text(column.path()) + " " + Amounts.share(column.nullShare()))
            .toList();
    if (!shares.isEmpty()) {
      long more = columns.stream().filter(c -> c.nulls() > 0).count() - shares.size();
      comment(
          "Rows with nulls: "
              + String.join(", ", shares)
              + (more > 0 ? " and " + more + " more" : "")
              + ".");
    }
  }

  private void comment(String text) {
    lines.add(INDENT + "# " + text);
  }

  private void begin(String name) {
    lines.add(INDENT + Yaml.text(name) + ":");
  }

  private void line(String text) {
    lines.add(INNER + text);
  }

  private void ops(List<String> ops) {
    if (!ops.isEmpty()) {
      line("ops:");
      ops.forEach(op -> line(INDENT + "- " + op));
    }
  }
}
