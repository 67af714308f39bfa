package io.penstock.feed;

import io.penstock.feed.Op.NaN;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.Suggestions;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the ops of a tensor, each with its canonical form. A wrong setting is reported and a
 * stand-in goes on in its place, so that all that is wrong with an op comes out at once; the op
 * itself is then given up.
 */
final class OpParser {
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

  private final FeedErrors errors;
  private final LearnedOps learned;
  private final CodeOps code;

  OpParser(FileShelf shelf, FeedErrors errors) {
    this.errors = errors;
    this.learned = new LearnedOps(shelf);
    this.code = new CodeOps(shelf, errors);
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
      return Fields.of(mapping, place, line, List.of("class", "jar", "args"), errors)
          .flatMap(code::userClass);
    }
    if (mapping.entries().size() != 1) {
      errors.add(line, "must be one op: " + place + " has keys " + mapping.entries().keySet());
      return Optional.empty();
    }
    String name = mapping.entries().keySet().iterator().next();
    YamlNode.Mapping.Entry entry = mapping.entries().get(name);
    return named(name, entry.value(), place, Math.max(entry.line(), listLine));
  }

  private Optional<ParsedOp> bare(String name, String place, int line) {
    return switch (name) {
      case "log1p" -> Optional.of(ParsedOp.of(new Op.Log1p(Optional.empty()), Map.of(), line));
      case "unscaled" ->
          Optional.of(ParsedOp.of(new Op.Unscaled(Optional.empty()), Map.of(), line));
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

  private Optional<ParsedOp> named(String name, YamlNode node, String list, int line) {
    String place = list + "." + name;
    return switch (name) {
      case "fill" -> fill(node, place, line);
      case "clip" -> settings(node, place, line, "min", "max").flatMap(OpParser::clip);
      case "log1p" -> settings(node, place, line).flatMap(OpParser::log1p);
      case "unscaled" -> settings(node, place, line).flatMap(OpParser::unscaled);
      case "standardize" ->
          settings(node, place, line, "mean", "std", "file").flatMap(learned::standardize);
      case "bucketize" -> settings(node, place, line, "bounds").flatMap(OpParser::bucketize);
      case "hash" -> settings(node, place, line, "buckets", "seed").flatMap(OpParser::hash);
      case "vocabulary" ->
          settings(node, place, line, "file", "values", "unknown").flatMap(learned::vocabulary);
      case "pad" -> settings(node, place, line, "length", "value").flatMap(OpParser::pad);
      case "decode" -> decode(node, place, line);
      default -> {
        errors.add(line, unknown(name, list));
        yield Optional.empty();
      }
    };
  }

  private Optional<Fields> settings(YamlNode node, String place, int line, String... keys) {
    List<String> known = new ArrayList<>(List.of(keys));
    known.add("columns");
    return Fields.of(node, place, line, known, errors);
  }

  private Optional<ParsedOp> fill(YamlNode node, String place, int line) {
    if (node instanceof YamlNode.Value value) {
      Op op = new Op.Fill(value.scalar(), NaN.KEEP, Optional.empty());
      return Optional.of(ParsedOp.of(op, Map.of("value", value.scalar()), line));
    }
    return settings(node, place, line, "value", "nan").flatMap(OpParser::fill);
  }

  private static Optional<ParsedOp> fill(Fields fields) {
    fields.required("value");
    Optional<Scalar> value = fields.value("value");
    boolean nan = fields.bool("nan").orElse(false);
    Optional<List<String>> columns = fields.someStrings("columns");
    if (fields.failed()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("value", value.orElseThrow());
    if (nan) {
      settings.put("nan", true);
    }
    Op op = new Op.Fill(value.orElseThrow(), nan ? NaN.FILL : NaN.KEEP, columns);
    return Optional.of(ParsedOp.of(op, settings, fields.line()));
  }

  private static Optional<ParsedOp> clip(Fields fields) {
    Optional<Scalar> min = fields.number("min");
    Optional<Scalar> max = fields.number("max");
    Optional<List<String>> columns = fields.someStrings("columns");
    if (!fields.has("min") && !fields.has("max")) {
      fields.error("needs min or max: " + fields.place());
    }
    if (min.isPresent() && max.isPresent() && Fields.compare(min.get(), max.get()) > 0) {
      fields.error(
          "min must be <= max: "
              + fields.place()
              + " min="
              + CanonicalJson.write(min.get())
              + " max="
              + CanonicalJson.write(max.get()));
    }
    if (fields.failed()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    min.ifPresent(v -> settings.put("min", v));
    max.ifPresent(v -> settings.put("max", v));
    return Optional.of(ParsedOp.of(new Op.Clip(min, max, columns), settings, fields.line()));
  }

  private static Optional<ParsedOp> log1p(Fields fields) {
    Op op = new Op.Log1p(fields.someStrings("columns"));
    return fields.failed()
        ? Optional.empty()
        : Optional.of(ParsedOp.of(op, Map.of(), fields.line()));
  }

  private static Optional<ParsedOp> unscaled(Fields fields) {
    Op op = new Op.Unscaled(fields.someStrings("columns"));
    return fields.failed()
        ? Optional.empty()
        : Optional.of(ParsedOp.of(op, Map.of(), fields.line()));
  }

  private static Optional<ParsedOp> bucketize(Fields fields) {
    fields.required("bounds");
    List<Scalar> bounds = fields.numbers("bounds").orElse(List.of());
    Optional<List<String>> columns = fields.someStrings("columns");
    for (int i = 1; i < bounds.size(); i++) {
      if (Fields.compare(bounds.get(i - 1), bounds.get(i)) >= 0) {
        fields.error(
            "bounds",
            "bounds must rise: "
                + fields.place()
                + ".bounds["
                + i
                + "]="
                + CanonicalJson.write(bounds.get(i))
                + " after "
                + CanonicalJson.write(bounds.get(i - 1)));
      }
    }
    return fields.failed()
        ? Optional.empty()
        : Optional.of(
            ParsedOp.of(
                new Op.Bucketize(bounds, columns), Map.of("bounds", bounds), fields.line()));
  }

  private static Optional<ParsedOp> hash(Fields fields) {
    fields.required("buckets");
    BigInteger buckets =
        fields
            .whole("buckets", BigInteger.ONE, Fields.TWO_63, ">= 1 and < 2^63")
            .orElse(BigInteger.ONE);
    BigInteger seed =
        fields
            .whole("seed", BigInteger.ZERO, Fields.TWO_64, ">= 0 and < 2^64")
            .orElse(BigInteger.ZERO);
    Optional<List<String>> columns = fields.someStrings("columns");
    if (fields.failed()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("buckets", buckets);
    if (seed.signum() != 0) {
      settings.put("seed", seed);
    }
    Op op = new Op.HashOp(buckets.longValue(), seed.longValue(), columns);
    return Optional.of(ParsedOp.of(op, settings, fields.line()));
  }

  private static Optional<ParsedOp> pad(Fields fields) {
    boolean nested = fields.required("length").orElse(null) instanceof YamlNode.Sequence;
    List<Integer> lengths =
        nested
            ? fields.positiveInts("length").orElse(List.of(1))
            : fields.positiveInt("length").map(List::of).orElse(List.of(1));
    if (lengths.isEmpty()) {
      fields.error("length", "must not be empty: " + fields.place() + ".length");
    }
    Scalar value = fields.value("value").orElse(Op.Pad.DEFAULT_VALUE);
    Optional<List<String>> columns = fields.someStrings("columns");
    if (fields.failed()) {
      return Optional.empty();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("length", nested ? lengths : lengths.get(0));
    if (!value.equals(Op.Pad.DEFAULT_VALUE)) {
      settings.put("value", value);
    }
    return Optional.of(ParsedOp.of(new Op.Pad(lengths, value, columns), settings, fields.line()));
  }

  private Optional<ParsedOp> decode(YamlNode node, String place, int line) {
    if (node instanceof YamlNode.Value value) {
      if (value.scalar().equals(new StringScalar("npy"))) {
        Op op = new Op.DecodeNpy(Optional.empty());
        return Optional.of(ParsedOp.of(op, Map.of("npy", Map.of()), line));
      }
      errors.add(
          line,
          "must be npy or {image: {height: .., width: .., channels: ..}}: "
              + place
              + "="
              + node.describe());
      return Optional.empty();
    }
    return settings(node, place, line, "image", "npy").flatMap(code::decode);
  }
}
