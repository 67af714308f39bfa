package io.penstock.feed;

import io.penstock.feed.Scalar.BoolScalar;
import io.penstock.feed.Scalar.FloatScalar;
import io.penstock.feed.Scalar.IntegerScalar;
import io.penstock.feed.Scalar.StringScalar;
import io.penstock.model.Suggestions;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One mapping of the feed file, read key by key. Whatever is wrong goes into the errors and comes
 * back as empty, so that reading goes on and finds the rest.
 */
final class Fields {
  static final BigInteger TWO_31 = BigInteger.ONE.shiftLeft(31);
  static final BigInteger TWO_32 = BigInteger.ONE.shiftLeft(32);
  static final BigInteger TWO_63 = BigInteger.ONE.shiftLeft(63);
  static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

  private final YamlNode.Mapping mapping;
  private final String place;
  private final int line;
  private final FeedErrors errors;
  private final int errorsBefore;

  private Fields(
      YamlNode.Mapping mapping, String place, int line, FeedErrors errors, int errorsBefore) {
    this.mapping = mapping;
    this.place = place;
    this.line = line;
    this.errors = errors;
    this.errorsBefore = errorsBefore;
  }

  /**
   * The fields of a node, unknown keys reported; empty if it is not a mapping.
   *
   * @param place dotted path of the node, empty for the root
   * @param line of the key that holds it
   */
  static Optional<Fields> of(
      YamlNode node, String place, int line, Collection<String> known, FeedErrors errors) {
    int before = errors.count();
    Optional<YamlNode.Mapping> mapping = mapping(node, place, line, errors);
    mapping.ifPresent(m -> checkKeys(m, place, known, errors));
    return mapping.map(m -> new Fields(m, place, line, errors, before));
  }

  /** The fields of a mapping in this one, which must be there. */
  Optional<Fields> inner(String key, Collection<String> known) {
    return required(key).flatMap(node -> of(node, path(key), line(key), known, errors));
  }

  /** The fields of a mapping in this one with any keys. */
  private Optional<Fields> innerByName(String key) {
    return node(key)
        .flatMap(node -> mapping(node, path(key), line(key), errors))
        .map(m -> new Fields(m, path(key), line(key), errors, errors.count()));
  }

  /** Whether any error has been found since this mapping was looked at. */
  boolean failed() {
    return errors.count() > errorsBefore;
  }

  /** Dotted path of this mapping. */
  String place() {
    return place;
  }

  /** Line of the key that holds this mapping. */
  int line() {
    return line;
  }

  /** The node as a mapping with any keys. */
  static Optional<YamlNode.Mapping> mapping(
      YamlNode node, String place, int line, FeedErrors errors) {
    if (node instanceof YamlNode.Mapping mapping) {
      return Optional.of(mapping);
    }
    errors.add(
        line,
        "must be a mapping: " + (place.isEmpty() ? "the file" : place) + "=" + node.describe());
    return Optional.empty();
  }

  private static void checkKeys(
      YamlNode.Mapping mapping, String place, Collection<String> known, FeedErrors errors) {
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              if (!known.contains(key)) {
                errors.add(
                    entry.line(),
                    "unknown key '"
                        + key
                        + "'"
                        + (place.isEmpty() ? "" : " in " + place)
                        + Suggestions.didYouMean(key, known));
              }
            });
  }

  private String path(String key) {
    return place.isEmpty() ? key : place + "." + key;
  }

  boolean has(String key) {
    return mapping.entries().containsKey(key);
  }

  /** Line of a key that is there, else of this mapping's own key. */
  int line(String key) {
    return has(key) ? mapping.entries().get(key).line() : line;
  }

  Optional<YamlNode> node(String key) {
    return Optional.ofNullable(mapping.entries().get(key)).map(YamlNode.Mapping.Entry::value);
  }

  /** Reports a key that is not there. */
  Optional<YamlNode> required(String key) {
    if (!has(key)) {
      errors.add(line, "missing: " + path(key));
    }
    return node(key);
  }

  /** Reports an error of the mapping as a whole. */
  void error(String message) {
    errors.add(line, message);
  }

  void error(String key, String message) {
    errors.add(line(key), message);
  }

  private <T> Optional<T> refuse(String key, String constraint, YamlNode node) {
    errors.add(
        valueLine(key, node), "must be " + constraint + ": " + path(key) + "=" + node.describe());
    return Optional.empty();
  }

  private int valueLine(String key, YamlNode node) {
    return Math.max(line(key), node.line());
  }

  private <T extends Scalar> Optional<T> scalar(YamlNode node, Class<T> kind) {
    return node instanceof YamlNode.Value value && kind.isInstance(value.scalar())
        ? Optional.of(kind.cast(value.scalar()))
        : Optional.empty();
  }

  Optional<String> string(String key) {
    return node(key).flatMap(node -> nonEmptyString(key, node));
  }

  private Optional<String> nonEmptyString(String key, YamlNode node) {
    Optional<String> text =
        scalar(node, StringScalar.class).map(StringScalar::value).filter(s -> !s.isEmpty());
    if (text.isEmpty()) {
      boolean unquoted =
          node instanceof YamlNode.Value value && !(value.scalar() instanceof StringScalar);
      return refuse(
          key, "a string that is not empty" + (unquoted ? " (put it in quotes)" : ""), node);
    }
    return text;
  }

  /** A list of strings that are not empty. */
  Optional<List<String>> strings(String key) {
    return items(key, this::nonEmptyString);
  }

  /** As {@link #strings}, with at least one of them. */
  Optional<List<String>> someStrings(String key) {
    return strings(key).flatMap(list -> notEmpty(key, list));
  }

  private <T> Optional<List<T>> notEmpty(String key, List<T> list) {
    if (list.isEmpty()) {
      errors.add(line(key), "must not be empty: " + path(key));
      return Optional.empty();
    }
    return Optional.of(list);
  }

  private interface ItemReader<T> {
    Optional<T> read(String key, YamlNode node);
  }

  private <T> Optional<List<T>> items(String key, ItemReader<T> reader) {
    return node(key)
        .flatMap(
            node -> {
              if (!(node instanceof YamlNode.Sequence sequence)) {
                return refuse(key, "a list", node);
              }
              List<T> list = new ArrayList<>();
              for (YamlNode item : sequence.items()) {
                reader.read(key, item).ifPresent(list::add);
              }
              return list.size() == sequence.items().size() ? Optional.of(list) : Optional.empty();
            });
  }

  /** The items of a list; empty if the key is not there or no list. */
  Optional<List<YamlNode>> nodes(String key) {
    return items(key, (k, node) -> Optional.of(node));
  }

  Optional<Boolean> bool(String key) {
    return node(key)
        .flatMap(
            node -> {
              Optional<Boolean> value = scalar(node, BoolScalar.class).map(BoolScalar::value);
              return value.isPresent() ? value : refuse(key, "true or false", node);
            });
  }

  /** A whole number in {@code [from, to)}; {@code range} says so in words. */
  Optional<BigInteger> whole(String key, BigInteger from, BigInteger to, String range) {
    return node(key).flatMap(node -> whole(key, node, from, to, range));
  }

  private Optional<BigInteger> whole(
      String key, YamlNode node, BigInteger from, BigInteger to, String range) {
    Optional<BigInteger> value =
        scalar(node, IntegerScalar.class)
            .map(IntegerScalar::value)
            .filter(v -> v.compareTo(from) >= 0 && v.compareTo(to) < 0);
    return value.isPresent() ? value : refuse(key, "a whole number " + range, node);
  }

  /** A whole number from 1 to 2^31 - 1. */
  Optional<Integer> positiveInt(String key) {
    return node(key).flatMap(node -> positiveInt(key, node));
  }

  private Optional<Integer> positiveInt(String key, YamlNode node) {
    return whole(key, node, BigInteger.ONE, TWO_31, ">= 1 and < 2^31").map(BigInteger::intValue);
  }

  /** A list of whole numbers from 1 to 2^31 - 1, perhaps with none. */
  Optional<List<Integer>> positiveInts(String key) {
    return items(key, this::positiveInt);
  }

  /** An integer or a float that is not NaN. */
  Optional<Scalar> number(String key) {
    return node(key).flatMap(node -> number(key, node));
  }

  private Optional<Scalar> number(String key, YamlNode node) {
    if (node instanceof YamlNode.Value value
        && (value.scalar() instanceof IntegerScalar
            || (value.scalar() instanceof FloatScalar f && !Double.isNaN(f.value())))) {
      return Optional.of(value.scalar());
    }
    return refuse(key, "a number", node);
  }

  /** A list of numbers, at least one. */
  Optional<List<Scalar>> numbers(String key) {
    return items(key, this::number).flatMap(list -> notEmpty(key, list));
  }

  /** Any scalar but null. */
  Optional<Scalar> value(String key) {
    return node(key)
        .flatMap(
            node ->
                node instanceof YamlNode.Value value
                    ? Optional.of(value.scalar())
                    : refuse(key, "a number, a string, true or false", node));
  }

  /** One of several words. */
  <E> Optional<E> word(String key, Collection<E> all, Function<E, String> text) {
    return node(key).flatMap(node -> word(key, node, all, text));
  }

  private <E> Optional<E> word(
      String key, YamlNode node, Collection<E> all, Function<E, String> text) {
    Map<String, E> words = new LinkedHashMap<>();
    all.forEach(e -> words.put(text.apply(e), e));
    Optional<String> given = scalar(node, StringScalar.class).map(StringScalar::value);
    if (given.isPresent() && words.containsKey(given.get())) {
      return Optional.of(words.get(given.get()));
    }
    errors.add(
        valueLine(key, node),
        "must be one of "
            + String.join(", ", words.keySet())
            + ": "
            + path(key)
            + "="
            + node.describe()
            + given.map(g -> Suggestions.didYouMean(g, words.keySet())).orElse(""));
    return Optional.empty();
  }

  /** A mapping from any keys to one of several words. */
  <E> Optional<Map<String, E>> words(String key, Collection<E> all, Function<E, String> text) {
    return byName(key, (inner, name) -> inner.word(name, all, text));
  }

  /** A mapping from any keys, at least one, to finite numbers. */
  Optional<Map<String, Scalar>> numbersByName(String key) {
    Optional<Map<String, Scalar>> numbers = byName(key, Fields::finite);
    if (numbers.isPresent() && numbers.get().isEmpty()) {
      error(key, "must not be empty: " + path(key));
      return Optional.empty();
    }
    return numbers;
  }

  private <T> Optional<Map<String, T>> byName(
      String key, BiFunction<Fields, String, Optional<T>> reader) {
    Optional<Fields> inner = innerByName(key);
    if (inner.isEmpty()) {
      return Optional.empty();
    }
    Map<String, T> result = new LinkedHashMap<>();
    for (String name : inner.get().mapping.entries().keySet()) {
      reader.apply(inner.get(), name).ifPresent(value -> result.put(name, value));
    }
    return inner.get().failed() ? Optional.empty() : Optional.of(result);
  }

  /** A number that is finite in float64. */
  Optional<Scalar> finite(String key) {
    return number(key)
        .flatMap(
            v ->
                Double.isFinite(toDouble(v))
                    ? Optional.of(v)
                    : refuse(key, "finite", mapping.entries().get(key).value()));
  }

  /** The float64 nearest to a number. */
  static double toDouble(Scalar number) {
    return number instanceof IntegerScalar whole
        ? whole.value().doubleValue()
        : ((FloatScalar) number).value();
  }

  /** Exact order of two numbers that are not NaN. */
  static int compare(Scalar a, Scalar b) {
    double left = toDouble(a);
    double right = toDouble(b);
    boolean infinite =
        a instanceof FloatScalar && Double.isInfinite(left)
            || b instanceof FloatScalar && Double.isInfinite(right);
    return infinite ? Double.compare(left, right) : exact(a).compareTo(exact(b));
  }

  private static BigDecimal exact(Scalar number) {
    return number instanceof IntegerScalar whole
        ? new BigDecimal(whole.value())
        : new BigDecimal(((FloatScalar) number).value());
  }
}
