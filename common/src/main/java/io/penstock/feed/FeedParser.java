package io.penstock.feed;

import io.penstock.feed.DatasetSpec.BadRowGroup;
import io.penstock.feed.DatasetSpec.Partitions;
import io.penstock.model.DType;
import io.penstock.model.Deal;
import io.penstock.model.OrderSpec;
import io.penstock.model.Remainder;
import io.penstock.model.Shuffle;
import io.penstock.model.UsageException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads a feed file (FEED.md): checks all that needs no data, puts the defaults in, and works out
 * the canonical text and its digest.
 *
 * <h2>How</h2>
 *
 * Every part is read on its own and leaves its errors in one list, so that one reading finds them
 * all. Beside each value its canonical form is built from what the file says, because the values
 * themselves no longer know how a number was written. What equals its default is left out there.
 *
 * <h2>Names of tensors</h2>
 *
 * They become file names and record keys, so they are ASCII letters, digits, {@code _}, {@code .}
 * and {@code -}, begin with a letter, a digit or {@code _}, and have at most 128 characters.
 */
public final class FeedParser {
  private static final int MAX_NAME = 128;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");
  private static final Set<String> TAKEN = Set.of("valid", "row", "position");
  private static final int DEFAULT_WINDOW = 8;

  private static final List<String> DATASET_KEYS =
      List.of("paths", "exclude", "partitions", "partition_types", "bad_row_group", "max_bad_rows");
  private static final List<String> ORDER_KEYS =
      List.of("seed", "lanes", "batch", "shuffle", "window", "deal", "remainder", "epochs");
  private static final List<String> TENSOR_KEYS =
      List.of("column", "columns", "dtype", "ops", "shape", "mask");

  private final FeedErrors errors;
  private final FileShelf shelf;
  private final OpParser ops;
  private final Map<String, Object> canonical = new LinkedHashMap<>();

  private FeedParser(FeedErrors errors, NamedFiles files) {
    this.errors = errors;
    this.shelf = new FileShelf(files);
    this.ops = new OpParser(shelf, errors);
  }

  /**
   * Reads a feed.
   *
   * @param text the file's content
   * @param source its name, for messages
   * @param files where the files that it names are read from
   * @throws UsageException with all errors at once, a line each: {@code source:line: message}
   */
  public static Feed parse(String text, String source, NamedFiles files) {
    FeedErrors errors = new FeedErrors(source);
    Optional<YamlNode> root = YamlReader.read(text, errors);
    Optional<Feed> feed = root.flatMap(r -> new FeedParser(errors, files).feed(r, source));
    errors.throwIfAny();
    return feed.orElseThrow();
  }

  private record OrderPart(OrderSpec spec, long epochs) {}

  private Optional<Feed> feed(YamlNode root, String source) {
    Optional<Fields> given =
        Fields.of(
            root, "", root.line(), List.of("penstock", "dataset", "order", "tensors"), errors);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = given.get();
    if (fields.required("penstock").isPresent()) {
      fields
          .whole(
              "penstock",
              BigInteger.ONE,
              BigInteger.TWO,
              "= 1, the version that this Penstock reads")
          .ifPresent(version -> canonical.put("penstock", version));
    }
    Optional<DatasetSpec> dataset = fields.inner("dataset", DATASET_KEYS).flatMap(this::dataset);
    Optional<OrderPart> order = fields.inner("order", ORDER_KEYS).flatMap(this::order);
    Optional<List<TensorFeed>> tensors = tensors(fields);
    if (errors.count() > 0 || dataset.isEmpty() || order.isEmpty() || tensors.isEmpty()) {
      return Optional.empty();
    }
    String text = CanonicalJson.write(canonical);
    return Optional.of(
        new Feed(
            source,
            dataset.get(),
            order.get().spec(),
            order.get().epochs(),
            tensors.get(),
            shelf.read(),
            text,
            Sha256.hex(text.getBytes(StandardCharsets.UTF_8))));
  }

  private Optional<DatasetSpec> dataset(Fields fields) {
    Map<String, Object> out = new LinkedHashMap<>();
    fields.required("paths");
    Optional<List<String>> paths = fields.someStrings("paths");
    paths.ifPresent(list -> out.put("paths", list));
    List<String> exclude = fields.strings("exclude").orElse(List.of());
    if (!exclude.isEmpty()) {
      out.put("exclude", exclude);
    }
    Partitions partitions =
        word(fields, "partitions", Partitions.values(), Partitions::text, Partitions.NONE, out);
    BadRowGroup badRowGroup =
        word(
            fields,
            "bad_row_group",
            BadRowGroup.values(),
            BadRowGroup::text,
            BadRowGroup.FAIL,
            out);
    Map<String, PartitionType> types = partitionTypes(fields, partitions, out);
    double maxBadRows = maxBadRows(fields, badRowGroup, out);
    canonical.put("dataset", out);
    return paths.map(p -> new DatasetSpec(p, exclude, partitions, types, badRowGroup, maxBadRows));
  }

  private static <E> E word(
      Fields fields,
      String key,
      E[] all,
      Function<E, String> text,
      E normal,
      Map<String, Object> out) {
    E value = fields.word(key, List.of(all), text).orElse(normal);
    if (!value.equals(normal)) {
      out.put(key, text.apply(value));
    }
    return value;
  }

  private static Map<String, PartitionType> partitionTypes(
      Fields fields, Partitions partitions, Map<String, Object> out) {
    Map<String, PartitionType> types =
        fields
            .words("partition_types", List.of(PartitionType.values()), PartitionType::text)
            .orElse(Map.of());
    if (!types.isEmpty() && partitions == Partitions.NONE) {
      fields.error("partition_types", "needs partitions: hive: dataset.partition_types");
    }
    Map<String, Object> given = new LinkedHashMap<>();
    types.forEach(
        (name, type) -> {
          if (type != PartitionType.STRING) {
            given.put(name, type.text());
          }
        });
    if (!given.isEmpty()) {
      out.put("partition_types", given);
    }
    return types;
  }

  private static double maxBadRows(
      Fields fields, BadRowGroup badRowGroup, Map<String, Object> out) {
    Optional<Scalar> share = fields.number("max_bad_rows");
    if (share.isEmpty()) {
      return DatasetSpec.DEFAULT_MAX_BAD_ROWS;
    }
    double value = Fields.toDouble(share.get());
    if (value < 0 || value > 1) {
      fields.error(
          "max_bad_rows",
          "must be >= 0 and <= 1: dataset.max_bad_rows=" + CanonicalJson.write(share.get()));
    } else if (value != DatasetSpec.DEFAULT_MAX_BAD_ROWS) {
      if (badRowGroup == BadRowGroup.FAIL) {
        fields.error(
            "max_bad_rows",
            "needs bad_row_group: quarantine: dataset.max_bad_rows="
                + CanonicalJson.write(share.get()));
      }
      out.put("max_bad_rows", share.get());
    }
    return value;
  }

  private Optional<OrderPart> order(Fields fields) {
    Map<String, Object> out = new LinkedHashMap<>();
    List.of("seed", "lanes", "batch").forEach(fields::required);
    Optional<BigInteger> seed =
        fields.whole("seed", BigInteger.ZERO, Fields.TWO_63, ">= 0 and < 2^63");
    seed.ifPresent(v -> out.put("seed", v));
    Optional<Integer> lanes = fields.positiveInt("lanes");
    lanes.ifPresent(v -> out.put("lanes", v));
    Optional<Integer> batch = fields.positiveInt("batch");
    batch.ifPresent(v -> out.put("batch", v));
    boolean divides = lanes.isPresent() && batch.isPresent() && batch.get() % lanes.get() == 0;
    if (lanes.isPresent() && batch.isPresent() && !divides) {
      fields.error(
          "batch",
          "must be a multiple of lanes: order.batch=" + batch.get() + " lanes=" + lanes.get());
    }
    int window = fields.positiveInt("window").orElse(DEFAULT_WINDOW);
    if (window != DEFAULT_WINDOW) {
      out.put("window", window);
    }
    Shuffle shuffle = word(fields, "shuffle", Shuffle.values(), Shuffle::text, Shuffle.ROWS, out);
    Deal deal = word(fields, "deal", Deal.values(), Deal::text, Deal.FIXED, out);
    Remainder remainder =
        word(fields, "remainder", Remainder.values(), Remainder::text, Remainder.DROP, out);
    long epochs =
        fields
            .whole("epochs", BigInteger.ONE, Fields.TWO_32, ">= 1 and < 2^32")
            .map(BigInteger::longValue)
            .orElse(1L);
    canonical.put("order", out);
    return seed.filter(s -> divides)
        .map(
            s ->
                new OrderPart(
                    new OrderSpec(
                        s.longValue(), lanes.get(), batch.get(), window, shuffle, deal, remainder),
                    epochs));
  }

  private Optional<List<TensorFeed>> tensors(Fields fields) {
    Optional<YamlNode.Mapping> given =
        fields
            .required("tensors")
            .flatMap(node -> Fields.mapping(node, "tensors", fields.line("tensors"), errors));
    if (given.isEmpty()) {
      return Optional.empty();
    }
    if (given.get().entries().isEmpty()) {
      fields.error("tensors", "must not be empty: tensors");
    }
    List<TensorFeed> tensors = new ArrayList<>();
    List<Object> out = new ArrayList<>();
    given
        .get()
        .entries()
        .forEach(
            (name, entry) -> {
              checkName(name, entry.line(), given.get());
              tensor(name, entry, out).ifPresent(tensors::add);
            });
    canonical.put("tensors", out);
    return Optional.of(tensors);
  }

  private void checkName(String name, int line, YamlNode.Mapping all) {
    if (!NAME.matcher(name).matches() || name.length() > MAX_NAME) {
      errors.add(
          line,
          "a tensor's name must be ASCII letters, digits, '_', '.' and '-', not begin with '.' or"
              + " '-', and have at most "
              + MAX_NAME
              + " characters: "
              + CanonicalJson.write(name));
    }
    if (TAKEN.contains(name)) {
      errors.add(line, "a tensor's name must not be valid, row or position: " + name);
    }
    for (String other : all.entries().keySet()) {
      if (name.equals(other + "_mask") && hasMask(all.entries().get(other).value())) {
        errors.add(line, "the name is that of the mask of tensor '" + other + "': " + name);
      }
    }
  }

  private static boolean hasMask(YamlNode tensor) {
    return tensor instanceof YamlNode.Mapping mapping
        && mapping.entries().containsKey("mask")
        && mapping.entries().get("mask").value() instanceof YamlNode.Value value
        && value.scalar().equals(new Scalar.BoolScalar(true));
  }

  private Optional<TensorFeed> tensor(
      String name, YamlNode.Mapping.Entry entry, List<Object> tensors) {
    String place = "tensors." + name;
    Optional<Fields> given = Fields.of(entry.value(), place, entry.line(), TENSOR_KEYS, errors);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = given.get();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", name);
    Optional<List<String>> columns = columns(fields, place, entry.line(), out);
    fields.required("dtype");
    Optional<DType> dtype = fields.word("dtype", List.of(DType.values()), DType::text);
    dtype.ifPresent(d -> out.put("dtype", d.text()));
    List<ParsedOp> parsed = ops(fields, place);
    if (!parsed.isEmpty()) {
      out.put("ops", parsed.stream().map(ParsedOp::canonical).toList());
    }
    Optional<List<Integer>> shape = fields.positiveInts("shape");
    shape.ifPresent(s -> out.put("shape", s));
    for (ParsedOp op : parsed) {
      if (op.op() instanceof Op.DecodeNpy && !fields.has("shape")) {
        errors.add(op.line(), "decode: npy needs the tensor's shape: " + place);
      }
    }
    boolean mask = fields.bool("mask").orElse(false);
    if (mask) {
      out.put("mask", true);
    }
    tensors.add(out);
    if (columns.isEmpty() || dtype.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new TensorFeed(
            name,
            fields.has("column") ? TensorFeed.Axis.NONE : TensorFeed.Axis.COLUMNS,
            columns.get(),
            dtype.get(),
            parsed.stream().map(ParsedOp::op).toList(),
            shape,
            mask,
            entry.line(),
            parsed.stream().map(ParsedOp::line).toList()));
  }

  private Optional<List<String>> columns(
      Fields fields, String place, int line, Map<String, Object> out) {
    if (fields.has("column") == fields.has("columns")) {
      errors.add(line, "needs either column or columns: " + place);
      return Optional.empty();
    }
    if (fields.has("column")) {
      Optional<String> column = fields.string("column");
      column.ifPresent(c -> out.put("column", c));
      return column.map(List::of);
    }
    Optional<List<String>> columns = fields.someStrings("columns");
    columns.ifPresent(list -> out.put("columns", list));
    return columns;
  }

  private List<ParsedOp> ops(Fields fields, String place) {
    List<ParsedOp> parsed = new ArrayList<>();
    List<YamlNode> nodes = fields.nodes("ops").orElse(List.of());
    for (int i = 0; i < nodes.size(); i++) {
      ops.parse(nodes.get(i), place + ".ops[" + i + "]", fields.line("ops")).ifPresent(parsed::add);
    }
    return parsed;
  }
}
