package io.penstock.cli.commands;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import io.penstock.model.Suggestions;
import io.penstock.model.UsageException;
import io.penstock.plan.Plan;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads plans without a dataset, from options or from a file of many. All errors of all cases are
 * reported at once, each with its case and field.
 */
final class PlanCases {
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final List<String> FIELDS =
      List.of(
          "rows",
          "seed",
          "lanes",
          "batch",
          "window",
          "shuffle",
          "deal",
          "remainder",
          "want_epochs",
          "epochs");
  private static final BigInteger INT_END = BigInteger.ONE.shiftLeft(31);
  private static final BigInteger EPOCH_END = BigInteger.ONE.shiftLeft(32);
  private static final BigInteger SEED_END = BigInteger.ONE.shiftLeft(63);
  private static final int STANDARD_WINDOW = 8;

  private final String place;
  private final Function<String, String> nameOf;
  private final List<String> errors;

  /**
   * @param place what errors begin with
   * @param nameOf what a field is called where it was given
   */
  private PlanCases(String place, Function<String, String> nameOf, List<String> errors) {
    this.place = place;
    this.nameOf = nameOf;
    this.errors = errors;
  }

  /** The option that gives a field. */
  static String option(String field) {
    return switch (field) {
      case "rows" -> "row-groups";
      case "want_epochs" -> "epochs";
      default -> field;
    };
  }

  /**
   * The case that options give.
   *
   * @param given by field name; lists with commas
   * @throws UsageException with all errors
   */
  static PlanCase ofOptions(Map<String, String> given) {
    ObjectNode node = JSON.createObjectNode();
    given.forEach((field, text) -> node.set(field, valueOf(field, text)));
    List<String> errors = new ArrayList<>();
    Optional<PlanCase> one =
        new PlanCases("", field -> "--" + option(field), errors).read((JsonNode) node);
    throwAny(errors);
    return one.orElseThrow();
  }

  private static JsonNode valueOf(String field, String text) {
    return switch (field) {
      case "rows", "want_epochs" -> {
        ArrayNode list = JSON.createArrayNode();
        Arrays.stream(text.split(",", -1)).forEach(item -> list.add(number(item.strip())));
        yield list;
      }
      case "shuffle", "deal", "remainder" -> JSON.getNodeFactory().textNode(text);
      default -> number(text.strip());
    };
  }

  private static JsonNode number(String text) {
    if (!text.matches("-?[0-9]{1,30}")) {
      return JSON.getNodeFactory().textNode(text);
    }
    BigInteger value = new BigInteger(text);
    return value.bitLength() < Long.SIZE
        ? JSON.getNodeFactory().numberNode(value.longValueExact())
        : JSON.getNodeFactory().numberNode(value);
  }

  /**
   * The cases of a file.
   *
   * @throws UsageException with the errors of all cases
   */
  static List<PlanCase> read(Path file) throws IOException {
    JsonNode root;
    try {
      root = JSON.readTree(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw new UsageException("there is no such file: --cases " + file, e);
    } catch (JsonProcessingException e) {
      throw new UsageException(
          file
              + ": not JSON: "
              + e.getOriginalMessage()
              + (e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")"),
          e);
    }
    if (!root.isArray()) {
      throw new UsageException(file + ": must be an array of cases");
    }
    List<String> errors = new ArrayList<>();
    List<PlanCase> cases = new ArrayList<>();
    for (int i = 0; i < root.size(); i++) {
      String place = file + ": case " + i + ": ";
      new PlanCases(place, field -> field, errors).read(root.get(i)).ifPresent(cases::add);
    }
    throwAny(errors);
    return cases;
  }

  private static void throwAny(List<String> errors) {
    if (!errors.isEmpty()) {
      throw new UsageException(errors);
    }
  }

  private Optional<PlanCase> read(JsonNode node) {
    if (!(node instanceof ObjectNode given)) {
      errors.add(place + "must be an object");
      return Optional.empty();
    }
    int before = errors.size();
    given
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!FIELDS.contains(name)) {
                errors.add(place + "unknown field: " + name + Suggestions.didYouMean(name, FIELDS));
              }
            });
    int[] rows =
        list(given, "rows", BigInteger.ONE, INT_END).stream().mapToInt(Long::intValue).toArray();
    long seed = whole(given, "seed", BigInteger.ZERO, SEED_END, Optional.empty());
    long lanes = whole(given, "lanes", BigInteger.ONE, INT_END, Optional.empty());
    long batch = whole(given, "batch", BigInteger.ONE, INT_END, Optional.empty());
    long window =
        whole(given, "window", BigInteger.ONE, INT_END, Optional.of((long) STANDARD_WINDOW));
    Shuffle shuffle = word(given, "shuffle", Shuffle.values(), Shuffle::text, Shuffle.ROWS);
    Deal deal = word(given, "deal", Deal.values(), Deal::text, Deal.FIXED);
    Remainder remainder =
        word(given, "remainder", Remainder.values(), Remainder::text, Remainder.DROP);
    List<Long> epochs =
        given.has("want_epochs")
            ? list(given, "want_epochs", BigInteger.ZERO, EPOCH_END)
            : List.of(0L);
    if (errors.size() > before) {
      return Optional.empty();
    }
    try {
      OrderSpec order =
          new OrderSpec(seed, (int) lanes, (int) batch, (int) window, shuffle, deal, remainder);
      return Optional.of(new PlanCase(given, new Plan(order, rows), epochs));
    } catch (UsageException e) {
      errors.add(place + e.getMessage());
      return Optional.empty();
    }
  }

  private List<Long> list(ObjectNode given, String field, BigInteger least, BigInteger end) {
    JsonNode node = given.get(field);
    if (node == null || !node.isArray() || node.isEmpty()) {
      error(field, "must be a list of whole numbers, at least one", node);
      return List.of();
    }
    List<Long> values = new ArrayList<>(node.size());
    for (int i = 0; i < node.size(); i++) {
      values.add(inRange(field, node.get(i), least, end));
    }
    return values;
  }

  private long whole(
      ObjectNode given, String field, BigInteger least, BigInteger end, Optional<Long> standard) {
    JsonNode node = given.get(field);
    if (node == null && standard.isPresent()) {
      return standard.get();
    }
    return inRange(field, node, least, end);
  }

  private long inRange(String field, JsonNode node, BigInteger least, BigInteger end) {
    if (node != null && node.isIntegralNumber()) {
      BigInteger value = node.bigIntegerValue();
      if (value.compareTo(least) >= 0 && value.compareTo(end) < 0) {
        return value.longValueExact();
      }
    }
    error(field, "must be a whole number >= " + least + " and < 2^" + (end.bitLength() - 1), node);
    return 0;
  }

  private <E> E word(
      ObjectNode given, String field, E[] known, Function<E, String> text, E standard) {
    JsonNode node = given.get(field);
    if (node == null) {
      return standard;
    }
    List<String> words = Arrays.stream(known).map(text).toList();
    int found = node.isTextual() ? words.indexOf(node.textValue()) : -1;
    if (found < 0) {
      String guess = node.isTextual() ? Suggestions.didYouMean(node.textValue(), words) : "";
      error(field, "must be one of " + String.join(", ", words), node, guess);
      return standard;
    }
    return known[found];
  }

  private void error(String field, String constraint, JsonNode value) {
    error(field, constraint, value, "");
  }

  private void error(String field, String constraint, JsonNode value, String guess) {
    String name = nameOf.apply(field);
    String shown = value == null ? " is missing" : "=" + shortened(value);
    errors.add(place + constraint + ": " + name + shown + guess);
  }

  private static String shortened(JsonNode value) {
    String text = value.isTextual() ? value.textValue() : value.toString();
    return text.length() > 80 ? text.substring(0, 77) + "..." : text;
  }
}
