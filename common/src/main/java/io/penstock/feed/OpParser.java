package io.penstock.feed;

import io.penstock.feed.Op.NaN;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.Suggestions;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the ops of a tensor, each with its canonical form. */
final class OpParser {
  /**
   * An op and what the canonical text says of it: an object of an object.
   *
   * @param canonical by the op's name its settings, defaults left out
   */
  record ParsedOp(Op op, Map<String, Object> canonical, int line) {}

  private static final List<String> NAMES =
      List.of(
          "fill",
          "clip",
          "log1p",
          "standardize",
          "bucketize",
          "hash",
          "vocabulary",
          "unscaled",
          "pad",
          "decode",
          "class");
  private static final Pattern CLASS_NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");
  private static final BigInteger ZERO = BigInteger.ZERO;
  private static final BigInteger ONE = BigInteger.ONE;

  private final FileShelf shelf;
  private final FeedErrors errors;

  OpParser(FileShelf shelf, FeedErrors errors) {
    this.shelf = shelf;
    this.errors = errors;
  }

  /**
   * Reads one item of {@code ops}; empty if it is wrong, which is then reported.
   *
   * @param place dotted path of the item
   * @param listLine of the key {@code ops}
   */
  Optional<ParsedOp> parse(YamlNode node, String place, int listLine) {
    int line = Math.max(node.line(), listLine);
    if (node instanceof YamlNode.Value value && value.scalar() instanceof StringScalar name) {
      return bare(name.value(), place, line);
    }
    if (!(node instanceof YamlNode.Mapping mapping)) {
      errors.add(line, "must be the name of an op or a mapping: " + place + "=" + node.describe());
      return Optional.empty();
    }
    if (mapping.entries().containsKey("class")) {
      return userClass(mapping, place, line);
    }
    if (mapping.entries().size() != 1) {
      errors.add(line, "must be one op: " + place + " has keys " + mapping.entries().keySet());
      return Optional.empty();
    }
    String name = mapping.entries().keySet().iterator().next();
    YamlNode.Mapping.Entry entry = mapping.entries().get(name);
    return named(name, entry.value(), place + "." + name, Math.max(entry.line(), listLine));
  }

  private Optional<ParsedOp> bare(String name, String place, int line) {
    return switch (name) {
      case "log1p" -> Optional.of(parsed(new Op.Log1p(Optional.empty()), Map.of(), line));
      case "unscaled" -> Optional.of(parsed(new Op.Unscaled(Optional.empty()), Map.of(), line));
      default -> {
        errors.add(
            line,
            NAMES.contains(name)
                ? "needs settings: " + place + "=" + name + "; write " + name + ": .."
                : unknown(name, place));
        yield Optional.empty();
      }
    };
  }

  private static String unknown(String name, String place) {
    return "unknown op '" + name + "' in " + place + Suggestions.didYouMean(name, NAMES);
  }

  private static ParsedOp parsed(Op op, Map<String, ?> settings, int line) {
    Map<String, Object> canonical = new TreeMap<>(settings);
    op.columns().ifPresent(columns -> canonical.put("columns", columns));
    return new ParsedOp(op, Map.of(op.name(), canonical), line);
  }

  private Optional<ParsedOp> named(String name, YamlNode node, String place, int line) {
    return switch (name) {
      case "fill" -> fill(node, place, line);
      case "clip" -> settings(node, place, line, "min", "max").flatMap(f -> clip(f, place, line));
      case "log1p" ->
          settings(node, place, line)
              .flatMap(f -> columns(f).map(c -> parsed(new Op.Log1p(c), Map.of(), line)));
      case "unscaled" ->
          settings(node, place, line)
              .flatMap(f -> columns(f).map(c -> parsed(new Op.Unscaled(c), Map.of(), line)));
      case "standardize" ->
          settings(node, place, line, "mean", "std", "file")
              .flatMap(f -> standardize(f, place, line));
      case "bucketize" ->
          settings(node, place, line, "bounds").flatMap(f -> bucketize(f, place, line));
      case "hash" -> settings(node, place, line, "buckets", "seed").flatMap(f -> hash(f, line));
      case "vocabulary" ->
          settings(node, place, line, "file", "values", "unknown")
              .flatMap(f -> vocabulary(f, place, line));
      case "pad" ->
          settings(node, place, line, "length", "value").flatMap(f -> pad(f, place, line));
      case "decode" -> decode(node, place, line);
      default -> {
        errors.add(line, unknown(name, place.substring(0, place.length() - name.length() - 1)));
        yield Optional.empty();
      }
    };
  }

  private Optional<Fields> settings(YamlNode node, String place, int line, String... keys) {
    List<String> known = new ArrayList<>(List.of(keys));
    known.add("columns");
    return Fields.of(node, place, line, known, errors);
  }

  /** The op's columns, if given; the outer is empty if they are wrong. */
  private Optional<Optional<List<String>>> columns(Fields fields) {
    if (!fields.has("columns")) {
      return Optional.of(Optional.empty());
    }
    return fields.someStrings("columns").map(Optional::of);
  }

  private Optional<ParsedOp> fill(YamlNode node, String place, int line) {
    if (node instanceof YamlNode.Value value) {
      Op op = new Op.Fill(value.scalar(), NaN.KEEP, Optional.empty());
      return Optional.of(parsed(op, Map.of("value", value.scalar()), line));
    }
    Optional<Fields> fields = settings(node, place, line, "value", "nan");
    if (fields.isEmpty()) {
      return Optional.empty();
    }
    fields.get().required("value");
    Optional<Scalar> value = fields.get().value("value");
    Optional<NaN> nan = nan(fields.get());
    Optional<Optional<List<String>>> columns = columns(fields.get());
    if (value.isEmpty() || nan.isEmpty() || columns.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("value", value.get());
    if (nan.get() == NaN.FILL) {
      settings.put("nan", true);
    }
    return Optional.of(parsed(new Op.Fill(value.get(), nan.get(), columns.get()), settings, line));
  }

  private static Optional<NaN> nan(Fields fields) {
    return fields.has("nan")
        ? fields.bool("nan").map(given -> given ? NaN.FILL : NaN.KEEP)
        : Optional.of(NaN.KEEP);
  }

  private Optional<ParsedOp> clip(Fields fields, String place, int line) {
    if (!fields.has("min") && !fields.has("max")) {
      errors.add(line, "needs min or max: " + place);
      return Optional.empty();
    }
    Optional<Scalar> min = fields.number("min");
    Optional<Scalar> max = fields.number("max");
    Optional<Optional<List<String>>> columns = columns(fields);
    if (fields.has("min") != min.isPresent()
        || fields.has("max") != max.isPresent()
        || columns.isEmpty()) {
      return Optional.empty();
    }
    if (min.isPresent() && max.isPresent() && compare(min.get(), max.get()) > 0) {
      errors.add(
          line,
          "min must be <= max: "
              + place
              + " min="
              + CanonicalJson.write(min.get())
              + " max="
              + CanonicalJson.write(max.get()));
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    min.ifPresent(v -> settings.put("min", v));
    max.ifPresent(v -> settings.put("max", v));
    return Optional.of(parsed(new Op.Clip(min, max, columns.get()), settings, line));
  }

  /** Exact order of two numbers that are not NaN. */
  private static int compare(Scalar a, Scalar b) {
    double left = Fields.toDouble(a);
    double right = Fields.toDouble(b);
    if (a instanceof FloatScalar && Double.isInfinite(left)
        || b instanceof FloatScalar && Double.isInfinite(right)) {
      return Double.compare(left, right);
    }
    return exact(a).compareTo(exact(b));
  }

  private static BigDecimal exact(Scalar number) {
    return number instanceof IntegerScalar whole
        ? new BigDecimal(whole.value())
        : new BigDecimal(((FloatScalar) number).value());
  }

  private Optional<ParsedOp> standardize(Fields fields, String place, int line) {
    boolean inline = fields.has("mean") || fields.has("std");
    if (inline == fields.has("file")) {
      errors.add(line, "needs either mean and std, or file: " + place);
      return Optional.empty();
    }
    Optional<Optional<List<String>>> columns = columns(fields);
    return inline
        ? inlineStatistics(fields, columns, line)
        : statisticsFile(fields, place, columns, line);
  }

  private Optional<ParsedOp> inlineStatistics(
      Fields fields, Optional<Optional<List<String>>> columns, int line) {
    fields.required("mean");
    fields.required("std");
    Optional<Map<String, Scalar>> mean = fields.numbersByName("mean");
    Optional<Map<String, Scalar>> std = fields.numbersByName("std");
    boolean good = columns.isPresent() && mean.isPresent() && std.isPresent();
    if (mean.isPresent() && std.isPresent() && !mean.get().keySet().equals(std.get().keySet())) {
      fields.error(
          "std",
          "mean and std must name the same columns: mean="
              + mean.get().keySet()
              + " std="
              + std.get().keySet());
      good = false;
    }
    for (Map.Entry<String, Scalar> entry : std.orElse(Map.of()).entrySet()) {
      if (Fields.toDouble(entry.getValue()) == 0) {
        fields.error(
            "std",
            "std must not be 0: " + entry.getKey() + "=" + CanonicalJson.write(entry.getValue()));
        good = false;
      }
    }
    if (!good) {
      return Optional.empty();
    }
    Op op =
        new Op.Standardize(
            toDoubles(mean.get()), toDoubles(std.get()), Optional.empty(), columns.get());
    return Optional.of(parsed(op, Map.of("mean", mean.get(), "std", std.get()), line));
  }

  private static Map<String, Double> toDoubles(Map<String, Scalar> numbers) {
    Map<String, Double> doubles = new LinkedHashMap<>();
    numbers.forEach((name, number) -> doubles.put(name, Fields.toDouble(number)));
    return doubles;
  }

  private Optional<ParsedOp> statisticsFile(
      Fields fields, String place, Optional<Optional<List<String>>> columns, int line) {
    int fileLine = fields.line("file");
    String filePlace = place + ".file";
    Optional<NamedFile> file =
        fields.string("file").flatMap(path -> shelf.file(path, filePlace, fileLine));
    Optional<FileShelf.Statistics> statistics =
        file.flatMap(f -> shelf.statistics(f, filePlace, fileLine));
    if (columns.isEmpty() || statistics.isEmpty()) {
      return Optional.empty();
    }
    Op op =
        new Op.Standardize(
            statistics.get().mean(),
            statistics.get().std(),
            file.map(NamedFile::path),
            columns.get());
    return Optional.of(parsed(op, Map.of("file", FileShelf.canonical(file.get())), line));
  }

  private Optional<ParsedOp> bucketize(Fields fields, String place, int line) {
    fields.required("bounds");
    Optional<List<Scalar>> bounds = fields.numbers("bounds");
    Optional<Optional<List<String>>> columns = columns(fields);
    if (bounds.isEmpty() || columns.isEmpty()) {
      return Optional.empty();
    }
    for (int i = 1; i < bounds.get().size(); i++) {
      if (compare(bounds.get().get(i - 1), bounds.get().get(i)) >= 0) {
        fields.error(
            "bounds",
            "bounds must rise: "
                + place
                + ".bounds["
                + i
                + "]="
                + CanonicalJson.write(bounds.get().get(i))
                + " after "
                + CanonicalJson.write(bounds.get().get(i - 1)));
        return Optional.empty();
      }
    }
    return Optional.of(
        parsed(
            new Op.Bucketize(bounds.get(), columns.get()), Map.of("bounds", bounds.get()), line));
  }

  private Optional<ParsedOp> hash(Fields fields, int line) {
    fields.required("buckets");
    Optional<BigInteger> buckets = fields.whole("buckets", ONE, Fields.TWO_63, ">= 1 and < 2^63");
    Optional<BigInteger> seed =
        fields.has("seed")
            ? fields.whole("seed", ZERO, Fields.TWO_64, ">= 0 and < 2^64")
            : Optional.of(ZERO);
    Optional<Optional<List<String>>> columns = columns(fields);
    if (buckets.isEmpty() || seed.isEmpty() || columns.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("buckets", buckets.get());
    if (seed.get().signum() != 0) {
      settings.put("seed", seed.get());
    }
    return Optional.of(
        parsed(
            new Op.HashOp(buckets.get().longValue(), seed.get().longValue(), columns.get()),
            settings,
            line));
  }

  private Optional<ParsedOp> vocabulary(Fields fields, String place, int line) {
    if (fields.has("file") == fields.has("values")) {
      errors.add(line, "needs either file or values: " + place);
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    Optional<String> path = fields.string("file");
    Optional<List<Scalar>> values =
        fields.has("values") ? values(fields, place) : fileValues(fields, path, place, settings);
    Optional<BigInteger> unknown =
        fields.has("unknown")
            ? fields.whole("unknown", Fields.TWO_63.negate(), Fields.TWO_63, "of 64 bits")
            : Optional.of(ZERO);
    Optional<Optional<List<String>>> columns = columns(fields);
    if (values.isEmpty() || unknown.isEmpty() || columns.isEmpty()) {
      return Optional.empty();
    }
    if (fields.has("values")) {
      settings.put("values", values.get());
    }
    if (unknown.get().signum() != 0) {
      settings.put("unknown", unknown.get());
    }
    Op op = new Op.Vocabulary(path, values.get(), unknown.get().longValue(), columns.get());
    return Optional.of(parsed(op, settings, line));
  }

  private Optional<List<Scalar>> fileValues(
      Fields fields, Optional<String> path, String place, Map<String, Object> settings) {
    int line = fields.line("file");
    Optional<NamedFile> file = path.flatMap(p -> shelf.file(p, place + ".file", line));
    file.ifPresent(f -> settings.put("file", FileShelf.canonical(f)));
    return file.flatMap(f -> shelf.vocabulary(f, place + ".file", line));
  }

  private Optional<List<Scalar>> values(Fields fields, String place) {
    Optional<List<YamlNode>> nodes = fields.nodes("values");
    if (nodes.isEmpty()) {
      return Optional.empty();
    }
    List<Scalar> values = new ArrayList<>();
    Set<Scalar> seen = new HashSet<>();
    for (YamlNode node : nodes.get()) {
      Scalar scalar = node instanceof YamlNode.Value value ? value.scalar() : null;
      if (!(scalar instanceof StringScalar || scalar instanceof IntegerScalar)
          || !values.isEmpty() && values.get(0).getClass() != scalar.getClass()) {
        fields.error(
            "values",
            "must be all strings or all whole numbers: "
                + place
                + ".values["
                + values.size()
                + "]="
                + node.describe());
        return Optional.empty();
      }
      if (!seen.add(scalar)) {
        fields.error(
            "values",
            "a value is there twice: "
                + place
                + ".values["
                + values.size()
                + "]="
                + node.describe());
        return Optional.empty();
      }
      values.add(scalar);
    }
    if (values.isEmpty()) {
      fields.error("values", "must not be empty: " + place + ".values");
      return Optional.empty();
    }
    return Optional.of(values);
  }

  private Optional<ParsedOp> pad(Fields fields, String place, int line) {
    Optional<YamlNode> length = fields.required("length");
    boolean nested = length.orElse(null) instanceof YamlNode.Sequence;
    Optional<List<Integer>> lengths =
        nested ? fields.positiveInts("length") : fields.positiveInt("length").map(List::of);
    if (nested && lengths.isPresent() && lengths.get().isEmpty()) {
      fields.error("length", "must not be empty: " + place + ".length");
      lengths = Optional.empty();
    }
    Optional<Scalar> value =
        fields.has("value") ? fields.value("value") : Optional.of(Op.Pad.DEFAULT_VALUE);
    Optional<Optional<List<String>>> columns = columns(fields);
    if (lengths.isEmpty() || value.isEmpty() || columns.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("length", nested ? lengths.get() : lengths.get().get(0));
    if (!value.get().equals(Op.Pad.DEFAULT_VALUE)) {
      settings.put("value", value.get());
    }
    return Optional.of(
        parsed(new Op.Pad(lengths.get(), value.get(), columns.get()), settings, line));
  }

  private Optional<ParsedOp> decode(YamlNode node, String place, int line) {
    if (node instanceof YamlNode.Value value && value.scalar().equals(new StringScalar("npy"))) {
      return Optional.of(parsed(new Op.DecodeNpy(Optional.empty()), Map.of("npy", Map.of()), line));
    }
    if (node instanceof YamlNode.Value) {
      errors.add(
          line,
          "must be npy or {image: {height: .., width: .., channels: ..}}: "
              + place
              + "="
              + node.describe());
      return Optional.empty();
    }
    Optional<Fields> fields = settings(node, place, line, "image", "npy");
    if (fields.isEmpty()) {
      return Optional.empty();
    }
    if (fields.get().has("image") == fields.get().has("npy")) {
      errors.add(line, "needs either image or npy: " + place);
      return Optional.empty();
    }
    Optional<Optional<List<String>>> columns = columns(fields.get());
    if (fields.get().has("image")) {
      return image(fields.get(), place + ".image", columns, line);
    }
    Optional<Fields> npy =
        Fields.of(
            fields.get().node("npy").orElseThrow(),
            place + ".npy",
            fields.get().line("npy"),
            List.of(),
            errors);
    return columns
        .filter(c -> npy.isPresent())
        .map(c -> parsed(new Op.DecodeNpy(c), Map.of("npy", Map.of()), line));
  }

  private Optional<ParsedOp> image(
      Fields decode, String place, Optional<Optional<List<String>>> columns, int line) {
    Optional<Fields> given =
        Fields.of(
            decode.node("image").orElseThrow(),
            place,
            decode.line("image"),
            List.of("height", "width", "channels", "resize"),
            errors);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = given.get();
    List.of("height", "width", "channels").forEach(fields::required);
    Optional<Integer> height = fields.positiveInt("height");
    Optional<Integer> width = fields.positiveInt("width");
    Optional<Integer> channels = channels(fields);
    Optional<Op.DecodeImage.Resize> resize =
        fields.has("resize")
            ? fields.word(
                "resize", List.of(Op.DecodeImage.Resize.values()), Op.DecodeImage.Resize::text)
            : Optional.of(Op.DecodeImage.Resize.NONE);
    if (height.isEmpty()
        || width.isEmpty()
        || channels.isEmpty()
        || resize.isEmpty()
        || columns.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> image = new LinkedHashMap<>();
    image.put("height", height.get());
    image.put("width", width.get());
    image.put("channels", channels.get());
    image.put("decoder", Op.DecodeImage.DECODER);
    if (resize.get() != Op.DecodeImage.Resize.NONE) {
      image.put("resize", resize.get().text());
    }
    Op op =
        new Op.DecodeImage(height.get(), width.get(), channels.get(), resize.get(), columns.get());
    return Optional.of(parsed(op, Map.of("image", image), line));
  }

  private static Optional<Integer> channels(Fields fields) {
    Optional<Integer> channels = fields.positiveInt("channels");
    if (channels.isPresent() && channels.get() != 1 && channels.get() != 3) {
      fields.error("channels", "must be 1 or 3: channels=" + channels.get());
      return Optional.empty();
    }
    return channels;
  }

  private Optional<ParsedOp> userClass(YamlNode.Mapping mapping, String place, int line) {
    Optional<Fields> given =
        Fields.of(mapping, place, line, List.of("class", "jar", "args"), errors);
    Fields fields = given.orElseThrow();
    Optional<String> name = fields.string("class");
    if (name.isPresent() && !CLASS_NAME.matcher(name.get()).matches()) {
      fields.error("class", "must be the full name of a class: " + place + ".class=" + name.get());
      name = Optional.empty();
    }
    Optional<NamedFile> jar =
        fields.string("jar").flatMap(path -> shelf.file(path, place + ".jar", fields.line("jar")));
    Optional<YamlNode.Mapping> args =
        fields
            .node("args")
            .flatMap(n -> Fields.mapping(n, place + ".args", fields.line("args"), errors));
    if (name.isEmpty()
        || fields.has("jar") != jar.isPresent()
        || fields.has("args") != args.isPresent()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("name", name.get());
    jar.ifPresent(file -> settings.put("jar", FileShelf.canonical(file)));
    Map<String, Object> values = args.map(OpParser::tree).orElse(Map.of());
    if (!values.isEmpty()) {
      settings.put("args", values);
    }
    return Optional.of(
        parsed(new Op.UserClass(name.get(), jar.map(NamedFile::path), values), settings, line));
  }

  private static Map<String, Object> tree(YamlNode.Mapping mapping) {
    Map<String, Object> tree = new LinkedHashMap<>();
    mapping.entries().forEach((key, entry) -> tree.put(key, tree(entry.value())));
    return Collections.unmodifiableMap(tree);
  }

  private static Object tree(YamlNode node) {
    if (node instanceof YamlNode.Mapping mapping) {
      return tree(mapping);
    } else if (node instanceof YamlNode.Sequence sequence) {
      List<Object> items = new ArrayList<>();
      sequence.items().forEach(item -> items.add(tree(item)));
      return Collections.unmodifiableList(items);
    } else if (node instanceof YamlNode.Value value) {
      return leaf(value.scalar());
    }
    return null;
  }

  private static Object leaf(Scalar scalar) {
    if (scalar instanceof IntegerScalar whole) {
      if (whole.value().bitLength() < Long.SIZE) {
        return whole.value().longValue();
      }
      return whole.value();
    } else if (scalar instanceof FloatScalar number) {
      return number.value();
    } else if (scalar instanceof StringScalar text) {
      return text.value();
    }
    return ((Scalar.BoolScalar) scalar).value();
  }
}
