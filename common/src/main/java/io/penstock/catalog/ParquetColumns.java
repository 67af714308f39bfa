package io.penstock.catalog;

import io.penstock.catalog.LeafColumn.ListLevel;
import io.penstock.catalog.LeafColumn.Meaning;
import io.penstock.catalog.LeafColumn.Unit;
import io.penstock.model.ColumnSchema;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * The columns of a Parquet schema that a feed can ask for, and what FEED.md makes of each.
 *
 * <h2>Names</h2>
 *
 * A column is a top-level name, or the path of a leaf, or the path of a list inside a struct
 * ({@code s.tags}, the same column as its leaf {@code s.tags.list.element}). A top-level list goes
 * by its own name: {@code tags}. Every repeated group or field on the way to a leaf is a list axis,
 * so {@code orders.list.element.price} of a list of structs is a list column.
 *
 * <h2>Lists</h2>
 *
 * A group annotated LIST holds one repeated field. That field is itself the element if it is no
 * group, has several fields, has one field that is repeated, or is named {@code array} or by the
 * list's name and {@code _tuple} (the backward-compatibility rules of the Parquet format, which
 * older writers need); else its only field is the element. A repeated field outside of such a group
 * is a list of required elements.
 */
public final class ParquetColumns {
  private static final int LONGEST_WORDS = 60;

  private final List<ColumnSchema> schema = new ArrayList<>();
  private final List<LeafColumn> leaves = new ArrayList<>();
  private final Map<List<String>, Leaf> byLeafPath = new HashMap<>();
  private final Map<String, LeafColumn> readable = new HashMap<>();
  private final Set<String> ambiguous = new LinkedHashSet<>();
  private final Map<String, ColumnSchema> byName = new HashMap<>();
  private final MessageType message;
  private final Set<List<String>> encrypted;

  /** A leaf as found on the way through the schema. */
  private record Leaf(ColumnDescriptor descriptor, int index, List<ListLevel> lists) {}

  /** What a field of a struct is as a column: a leaf, or nothing that can be read. */
  private record Shape(String declared, Optional<List<String>> leafPath) {
    Shape inList() {
      return new Shape("list<" + declared + ">", leafPath);
    }

    static Shape refused(String declared) {
      return new Shape(declared, Optional.empty());
    }
  }

  private ParquetColumns(MessageType message, Set<List<String>> encrypted) {
    this.message = message;
    this.encrypted = encrypted;
    List<ColumnDescriptor> descriptors = message.getColumns();
    for (int index = 0; index < descriptors.size(); index++) {
      ColumnDescriptor descriptor = descriptors.get(index);
      byLeafPath.put(
          List.of(descriptor.getPath()), new Leaf(descriptor, index, lists(message, descriptor)));
    }
    for (Type field : message.getFields()) {
      addField(field, List.of());
    }
  }

  /** The columns of a schema none of whose columns is encrypted. */
  public static ParquetColumns of(MessageType message) {
    return of(message, Set.of());
  }

  /**
   * The columns of a schema.
   *
   * @param encrypted the paths of leaves that are encrypted, and so not readable
   */
  public static ParquetColumns of(MessageType message, Set<List<String>> encrypted) {
    return new ParquetColumns(message, Set.copyOf(encrypted));
  }

  /** Whether a leaf is encrypted. */
  boolean isEncrypted(List<String> leafPath) {
    return encrypted.contains(leafPath);
  }

  /**
   * Every column in schema order: each top-level name, followed by the paths below it. A column
   * that cannot be read has no type.
   */
  public List<ColumnSchema> schema() {
    return List.copyOf(schema);
  }

  /** As {@link #schema()}, without other names for what a readable top-level name already names. */
  public List<ColumnSchema> distinct() {
    List<ColumnSchema> result = new ArrayList<>();
    boolean covered = false;
    for (ColumnSchema column : schema) {
      if (column.topLevel()) {
        covered = column.type().isPresent();
        result.add(column);
      } else if (!covered) {
        result.add(column);
      }
    }
    return result;
  }

  /** Every column that can be read, in the order of {@link #schema()}. */
  public List<LeafColumn> readable() {
    return List.copyOf(leaves);
  }

  /** The column of that name if it exists, is the only one of that name, and can be read. */
  public Optional<LeafColumn> leaf(String name) {
    return ambiguous.contains(name) ? Optional.empty() : Optional.ofNullable(readable.get(name));
  }

  /** The column of that name if it exists and is the only one of that name. */
  public Optional<ColumnSchema> column(String name) {
    return ambiguous.contains(name) ? Optional.empty() : Optional.ofNullable(byName.get(name));
  }

  /** Why a column cannot be read; empty if it can. */
  public Optional<String> refusal(String name) {
    if (ambiguous.contains(name)) {
      return Optional.of("column '" + name + "' is the name of two columns");
    }
    if (!byName.containsKey(name)) {
      return Optional.of("there is no column '" + name + "'");
    }
    return column(name)
        .filter(column -> column.type().isEmpty())
        .map(
            column ->
                "column '"
                    + name
                    + "' has the type "
                    + column.declared()
                    + ", which is not supported");
  }

  private void addField(Type field, List<String> parents) {
    List<String> path = append(parents, field.getName());
    boolean topLevel = parents.isEmpty();
    Shape shape = shape(field, path);
    boolean listInStruct = !field.isPrimitive() && shape.leafPath().isPresent();
    if (topLevel || listInStruct) {
      add(path, topLevel, shape);
    }
    if (field.isPrimitive()) {
      if (!topLevel) {
        add(path, false, shape);
      }
      return;
    }
    addBelow(field.asGroupType(), path, shape.leafPath());
  }

  /**
   * Adds the paths below a group.
   *
   * @param known the leaf that the group as a whole already stands for
   */
  private void addBelow(GroupType group, List<String> path, Optional<List<String>> known) {
    if (known.isPresent()) {
      List<String> leafPath = known.get();
      add(leafPath, false, new Shape("", known));
      return;
    }
    for (Type child : group.getFields()) {
      addField(child, path);
    }
  }

  private void add(List<String> path, boolean topLevel, Shape shape) {
    String name = String.join(".", path);
    if (byName.containsKey(name)) {
      ambiguous.add(name);
    }
    Optional<LeafColumn> leaf = shape.leafPath().flatMap(leafPath -> leafColumn(name, leafPath));
    leaf.ifPresent(
        column -> {
          leaves.add(column);
          readable.put(name, column);
        });
    ColumnSchema column =
        new ColumnSchema(
            name,
            topLevel,
            leaf.map(LeafColumn::type),
            shape.leafPath().map(this::declared).orElse(shape.declared()),
            false);
    schema.add(column);
    byName.put(name, column);
  }

  private Optional<LeafColumn> leafColumn(String name, List<String> leafPath) {
    Leaf leaf = byLeafPath.get(leafPath);
    if (encrypted.contains(leafPath)) {
      return Optional.empty();
    }
    PrimitiveType primitive = leaf.descriptor().getPrimitiveType();
    return meaning(primitive)
        .map(
            meaning ->
                new LeafColumn(
                    name,
                    new ColumnType(
                        kind(primitive, meaning),
                        meaning instanceof Meaning.Decimal decimal ? decimal.scale() : 0,
                        leaf.lists().size()),
                    leaf.descriptor(),
                    leaf.index(),
                    meaning,
                    leaf.lists()));
  }

  /** The type of a leaf in words, all list axes around it included. */
  private String declared(List<String> leafPath) {
    Leaf leaf = byLeafPath.get(leafPath);
    int depth = leaf.lists().size();
    String scalar = scalar(leaf.descriptor().getPrimitiveType(), leafPath).declared();
    return "list<".repeat(depth)
        + scalar
        + ">".repeat(depth)
        + (encrypted.contains(leafPath) ? ", encrypted" : "");
  }

  /**
   * What a field is as a column, repetition of the field itself included, of lists around it not.
   */
  private Shape shape(Type field, List<String> path) {
    Shape element = element(field, path);
    return field.isRepetition(Type.Repetition.REPEATED) ? element.inList() : element;
  }

  /** What a field holds, its own repetition left out. */
  private Shape element(Type field, List<String> path) {
    if (field.isPrimitive()) {
      return scalar(field.asPrimitiveType(), path);
    }
    GroupType group = field.asGroupType();
    LogicalTypeAnnotation annotation = group.getLogicalTypeAnnotation();
    if (annotation instanceof ListLogicalTypeAnnotation) {
      return list(group, path);
    }
    if (annotation instanceof MapLogicalTypeAnnotation
        || annotation instanceof MapKeyValueTypeAnnotation) {
      return Shape.refused("MAP");
    }
    return Shape.refused(annotation == null ? "STRUCT" : "STRUCT (" + annotation + ")");
  }

  private Shape list(GroupType group, List<String> path) {
    if (group.getFieldCount() != 1 || !group.getType(0).isRepetition(Type.Repetition.REPEATED)) {
      return Shape.refused("LIST without a single repeated field");
    }
    Type repeated = group.getType(0);
    List<String> below = append(path, repeated.getName());
    if (isElement(repeated, group.getName())) {
      return element(repeated, below).inList();
    }
    Type only = repeated.asGroupType().getType(0);
    return element(only, append(below, only.getName())).inList();
  }

  private static boolean isElement(Type repeated, String listName) {
    if (repeated.isPrimitive()) {
      return true;
    }
    GroupType group = repeated.asGroupType();
    return group.getFieldCount() != 1
        || group.getType(0).isRepetition(Type.Repetition.REPEATED)
        || group.getName().equals("array")
        || group.getName().equals(listName + "_tuple");
  }

  private static Shape scalar(PrimitiveType primitive, List<String> path) {
    String physical = primitive.getPrimitiveTypeName().name().toLowerCase(java.util.Locale.ROOT);
    if (primitive.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY) {
      physical += "(" + primitive.getTypeLength() + ")";
    }
    LogicalTypeAnnotation annotation = primitive.getLogicalTypeAnnotation();
    String declared = annotation == null ? physical : physical + " (" + words(annotation) + ")";
    return new Shape(declared, Optional.of(path));
  }

  /** An annotation in words; a geometry's can be pages long. */
  private static String words(LogicalTypeAnnotation annotation) {
    String words = annotation.toString();
    return words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS) + "...";
  }

  /** The list axes on the way to a leaf. */
  private static List<ListLevel> lists(MessageType message, ColumnDescriptor leaf) {
    List<ListLevel> lists = new ArrayList<>();
    int definition = 0;
    int present = 0;
    GroupType group = message;
    for (String part : leaf.getPath()) {
      Type type = group.getType(part);
      if (!type.isRepetition(Type.Repetition.REQUIRED)) {
        definition++;
      }
      if (type.isRepetition(Type.Repetition.REPEATED)) {
        lists.add(new ListLevel(present, definition));
        present = definition;
      }
      if (!type.isPrimitive()) {
        group = type.asGroupType();
      }
    }
    return lists;
  }

  /** How to read a primitive type; empty if FEED.md has no place for it. */
  private static Optional<Meaning> meaning(PrimitiveType primitive) {
    LogicalTypeAnnotation annotation = primitive.getLogicalTypeAnnotation();
    PrimitiveTypeName physical = primitive.getPrimitiveTypeName();
    if (annotation == null) {
      return Optional.of(
          switch (physical) {
            case INT32 -> new Meaning.Whole(32, true);
            case INT64 -> new Meaning.Whole(64, true);
            case INT96 -> new Meaning.Int96Timestamp();
            case BOOLEAN, FLOAT, DOUBLE, BINARY, FIXED_LEN_BYTE_ARRAY -> new Meaning.Plain();
          });
    }
    if (annotation instanceof IntLogicalTypeAnnotation whole) {
      return Optional.of(new Meaning.Whole(whole.getBitWidth(), whole.isSigned()));
    }
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      return Optional.of(new Meaning.Decimal(decimal.getPrecision(), decimal.getScale()));
    }
    if (annotation instanceof DateLogicalTypeAnnotation) {
      return Optional.of(new Meaning.Date());
    }
    if (annotation instanceof TimeLogicalTypeAnnotation time) {
      return Optional.of(new Meaning.Time(unit(time.getUnit())));
    }
    if (annotation instanceof TimestampLogicalTypeAnnotation timestamp) {
      return Optional.of(new Meaning.Timestamp(unit(timestamp.getUnit())));
    }
    if (annotation instanceof Float16LogicalTypeAnnotation) {
      return Optional.of(new Meaning.Float16());
    }
    if (annotation instanceof StringLogicalTypeAnnotation
        || annotation instanceof EnumLogicalTypeAnnotation
        || annotation instanceof JsonLogicalTypeAnnotation
        || annotation instanceof UUIDLogicalTypeAnnotation) {
      return Optional.of(new Meaning.Plain());
    }
    return Optional.empty();
  }

  private static Kind kind(PrimitiveType primitive, Meaning meaning) {
    if (meaning instanceof Meaning.Whole whole) {
      return whole.bits() == 64 && !whole.signed() ? Kind.UNSIGNED : Kind.INTEGER;
    }
    if (meaning instanceof Meaning.Decimal) {
      return Kind.DECIMAL;
    }
    if (meaning instanceof Meaning.Date) {
      return Kind.DATE;
    }
    if (meaning instanceof Meaning.Time) {
      return Kind.TIME;
    }
    if (meaning instanceof Meaning.Timestamp || meaning instanceof Meaning.Int96Timestamp) {
      return Kind.TIMESTAMP;
    }
    if (meaning instanceof Meaning.Float16) {
      return Kind.FLOAT;
    }
    return switch (primitive.getPrimitiveTypeName()) {
      case BOOLEAN -> Kind.BOOLEAN;
      case FLOAT, DOUBLE -> Kind.FLOAT;
      case BINARY, FIXED_LEN_BYTE_ARRAY -> Kind.BYTES;
      case INT32, INT64, INT96 ->
          throw new IllegalStateException("a whole number without a meaning: " + primitive);
    };
  }

  private static Unit unit(TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> Unit.MILLIS;
      case MICROS -> Unit.MICROS;
      case NANOS -> Unit.NANOS;
    };
  }

  private static List<String> append(List<String> path, String name) {
    List<String> longer = new ArrayList<>(path);
    longer.add(name);
    return List.copyOf(longer);
  }
}
