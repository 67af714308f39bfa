package io.penstock.container.decode;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Seeded rows of every type in every form, written by parquet-java; what must be read is worked out
 * beside each value when it is drawn.
 */
final class TestingParquet {
  /** A stored value, and what it must become. */
  record Cell(Object stored, Object expected) {}

  /**
   * A primitive type.
   *
   * @param text its type in a schema's text
   * @param annotation its logical type in parentheses, or nothing
   */
  record Leaf(String name, String text, String annotation, Function<SplittableRandom, Cell> draw) {}

  /** How a leaf is wrapped in a schema. */
  enum Form {
    REQUIRED("required %s %s %s;"),
    OPTIONAL("optional %s %s %s;"),
    STRUCT("optional group %2$s { optional %1$s leaf %3$s; }"),
    LIST("optional group %2$s (LIST) { repeated group list { optional %1$s element %3$s; } }"),
    FULL_LIST("required group %2$s (LIST) { repeated group list { required %1$s element %3$s; } }"),
    TWO_LEVEL("optional group %2$s (LIST) { repeated %1$s array %3$s; }"),
    REPEATED("repeated %s %s %s;"),
    NESTED(
        "optional group %2$s (LIST) { repeated group list { optional group element (LIST) {"
            + " repeated group list { optional %1$s element %3$s; } } } }");

    private final String text;

    Form(String text) {
      this.text = text;
    }
  }

  /** A column of a generated file. */
  record Field(String name, Form form, Leaf leaf) {
    /** The column with mostly values that repeat, so that a writer keeps a dictionary. */
    Field repetitive() {
      List<Cell> pool = new ArrayList<>();
      Function<SplittableRandom, Cell> draw =
          random -> {
            if (pool.size() < 6 || random.nextInt(8) == 0) {
              pool.add(leaf.draw().apply(random));
              return pool.get(pool.size() - 1);
            }
            return pool.get(random.nextInt(6));
          };
      return new Field(name, form, new Leaf(leaf.name(), leaf.text(), leaf.annotation(), draw));
    }

    String schema() {
      return String.format(form.text, leaf.text(), name, leaf.annotation());
    }

    /** The name that a feed asks by. */
    String column() {
      return form == Form.STRUCT ? name + ".leaf" : name;
    }
  }

  /** A file and, by column, what its rows must become. */
  record Written(MemoryFile file, int rows, Map<String, List<Object>> expected) {
    List<String> columns() {
      return List.copyOf(expected.keySet());
    }
  }

  private TestingParquet() {}

  private static Cell whole(long stored, long expected) {
    return new Cell(stored, expected);
  }

  private static Cell int32(int stored, long expected) {
    return new Cell(stored, expected);
  }

  private static Cell bytes(byte[] stored) {
    return new Cell(Binary.fromConstantByteArray(stored), HexFormat.of().formatHex(stored));
  }

  private static Cell decimal(SplittableRandom random, int bits, int width) {
    byte[] magnitude = new byte[bits / 8 + 1];
    random.nextBytes(magnitude);
    BigInteger value = new BigInteger(magnitude).shiftRight(magnitude.length * 8 - bits);
    byte[] shortest = value.toByteArray();
    byte[] stored = shortest;
    if (width > 0) {
      stored = new byte[width];
      Arrays.fill(stored, (byte) (value.signum() < 0 ? -1 : 0));
      System.arraycopy(shortest, 0, stored, width - shortest.length, shortest.length);
    }
    return new Cell(Binary.fromConstantByteArray(stored), value);
  }

  private static Cell int96(SplittableRandom random) {
    int day = random.nextInt(2_400_000, 2_500_000);
    long nanos = random.nextLong(86_400_000_000_000L);
    byte[] stored =
        ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(nanos).putInt(day).array();
    long micros = (day - 2_440_588L) * 86_400_000_000L + nanos / 1000;
    return new Cell(Binary.fromConstantByteArray(stored), micros);
  }

  private static Cell half(SplittableRandom random) {
    int exponent = random.nextInt(-14, 16);
    int fraction = random.nextInt(1024);
    int sign = random.nextInt(2);
    int bits = sign << 15 | (exponent + 15) << 10 | fraction;
    double value = Math.scalb(1 + fraction / 1024.0, exponent) * (sign == 0 ? 1 : -1);
    return new Cell(
        Binary.fromConstantByteArray(new byte[] {(byte) bits, (byte) (bits >> 8)}), value);
  }

  private static byte[] word(SplittableRandom random, int kinds) {
    int n = random.nextInt(kinds);
    return ("w" + n + "é".repeat(n % 5) + "-".repeat(n % 23)).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] random(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Leaf leaf(
      String name, String text, String annotation, Function<SplittableRandom, Cell> draw) {
    return new Leaf(name, text, annotation, draw);
  }

  /** Every type of FEED.md. */
  static final List<Leaf> LEAVES =
      List.of(
          leaf(
              "boolean",
              "boolean",
              "",
              r -> {
                boolean value = r.nextInt(3) == 0;
                return new Cell(value, value ? 1L : 0L);
              }),
          leaf("int32", "int32", "", r -> drawInt(r.nextInt())),
          leaf("int32few", "int32", "", r -> drawInt(r.nextInt(7) - 3)),
          leaf("int8", "int32", "(INTEGER(8,true))", r -> drawInt(r.nextInt(-128, 128))),
          leaf("uint8", "int32", "(INTEGER(8,false))", r -> drawInt(r.nextInt(256))),
          leaf("int16", "int32", "(INTEGER(16,true))", r -> drawInt(r.nextInt(-32768, 32768))),
          leaf("uint16", "int32", "(INTEGER(16,false))", r -> drawInt(r.nextInt(65536))),
          leaf(
              "uint32",
              "int32",
              "(INTEGER(32,false))",
              r -> {
                int bits = r.nextInt();
                return int32(bits, Integer.toUnsignedLong(bits));
              }),
          leaf("int64", "int64", "", r -> drawLong(r.nextLong())),
          leaf("int64steps", "int64", "", r -> drawLong(1_000_000_000_000L + r.nextInt(100_000))),
          leaf("uint64", "int64", "(INTEGER(64,false))", r -> drawLong(r.nextLong())),
          leaf("date", "int32", "(DATE)", r -> drawInt(r.nextInt(-30_000, 30_000))),
          leaf(
              "timeMillis",
              "int32",
              "(TIME(MILLIS,true))",
              r -> {
                int millis = r.nextInt(86_400_000);
                return int32(millis, millis * 1000L);
              }),
          leaf(
              "timeMicros",
              "int64",
              "(TIME(MICROS,true))",
              r -> drawLong(r.nextLong(86_400_000_000L))),
          leaf(
              "timeNanos",
              "int64",
              "(TIME(NANOS,false))",
              r -> {
                long nanos = r.nextLong(86_400_000_000_000L);
                return whole(nanos, nanos / 1000);
              }),
          leaf(
              "millis",
              "int64",
              "(TIMESTAMP(MILLIS,true))",
              r -> {
                long millis = r.nextLong(-(1L << 45), 1L << 45);
                return whole(millis, millis * 1000);
              }),
          leaf("micros", "int64", "(TIMESTAMP(MICROS,false))", r -> drawLong(r.nextLong())),
          leaf(
              "nanos",
              "int64",
              "(TIMESTAMP(NANOS,true))",
              r -> {
                long nanos = r.nextLong();
                BigInteger[] parts =
                    BigInteger.valueOf(nanos).divideAndRemainder(BigInteger.valueOf(1000));
                long floored = parts[0].longValue() - (parts[1].signum() < 0 ? 1 : 0);
                return whole(nanos, floored);
              }),
          leaf("int96", "int96", "", TestingParquet::int96),
          leaf(
              "float",
              "float",
              "",
              r -> {
                float value = (float) (r.nextDouble() * 2000 - 1000);
                return new Cell(value, (double) value);
              }),
          leaf(
              "double",
              "double",
              "",
              r -> {
                double value = r.nextInt(20) == 0 ? Double.NaN : r.nextDouble() - 0.5;
                return new Cell(value, value);
              }),
          leaf("half", "fixed_len_byte_array(2)", "(FLOAT16)", TestingParquet::half),
          leaf(
              "decimal9",
              "int32",
              "(DECIMAL(9,2))",
              r -> {
                int value = r.nextInt(-999_999_999, 1_000_000_000);
                return new Cell(value, BigInteger.valueOf(value));
              }),
          leaf(
              "decimal18",
              "int64",
              "(DECIMAL(18,3))",
              r -> {
                long value = r.nextLong(-(1L << 58), 1L << 58);
                return new Cell(value, BigInteger.valueOf(value));
              }),
          leaf(
              "decimalFixed5",
              "fixed_len_byte_array(5)",
              "(DECIMAL(10,2))",
              r -> decimal(r, 33, 5)),
          leaf(
              "decimalFixed11",
              "fixed_len_byte_array(11)",
              "(DECIMAL(18,4))",
              r -> decimal(r, 59, 11)),
          leaf(
              "decimalFixed16",
              "fixed_len_byte_array(16)",
              "(DECIMAL(38,5))",
              r -> decimal(r, 120, 16)),
          leaf("decimalBinary", "binary", "(DECIMAL(12,1))", r -> decimal(r, 39, 0)),
          leaf("decimalLong", "binary", "(DECIMAL(30,2))", r -> decimal(r, 98, 0)),
          leaf("string", "binary", "(STRING)", r -> bytes(word(r, 1000))),
          leaf("enum", "binary", "(ENUM)", r -> bytes(word(r, 5))),
          leaf("binary", "binary", "", r -> bytes(random(r, r.nextInt(40)))),
          leaf("json", "binary", "(JSON)", r -> bytes(word(r, 50))),
          leaf("uuid", "fixed_len_byte_array(16)", "(UUID)", r -> bytes(random(r, 16))),
          leaf("fixed7", "fixed_len_byte_array(7)", "", r -> bytes(random(r, 7))));

  private static Cell drawInt(int value) {
    return int32(value, value);
  }

  private static Cell drawLong(long value) {
    return whole(value, value);
  }

  /** Every type, required and optional. */
  static List<Field> scalars() {
    List<Field> fields = new ArrayList<>();
    for (Leaf leaf : LEAVES) {
      fields.add(new Field("r_" + leaf.name(), Form.REQUIRED, leaf));
      fields.add(new Field("o_" + leaf.name(), Form.OPTIONAL, leaf));
    }
    return fields;
  }

  /** Some types in every form. */
  static List<Field> lists() {
    List<Field> fields = new ArrayList<>();
    for (Leaf leaf : LEAVES) {
      if (!List.of("boolean", "int32few", "int64", "float", "half", "int96", "string")
          .contains(leaf.name())) {
        continue;
      }
      for (Form form : Form.values()) {
        if (form != Form.REQUIRED && form != Form.OPTIONAL) {
          fields.add(new Field(form + "_" + leaf.name(), form, leaf));
        }
      }
    }
    return fields;
  }

  /** Writes rows of those columns. */
  static Written write(
      List<Field> fields, int rows, long seed, UnaryOperator<ExampleParquetWriter.Builder> settings)
      throws IOException {
    StringBuilder text = new StringBuilder("message m {\n");
    fields.forEach(field -> text.append(field.schema()).append('\n'));
    MessageType schema = MessageTypeParser.parseMessageType(text.append('}').toString());
    MemoryFile file = new MemoryFile("mem:/seed-" + seed + ".parquet", new byte[0]);
    Map<String, List<Object>> expected = new LinkedHashMap<>();
    fields.forEach(field -> expected.put(field.column(), new ArrayList<>()));
    SplittableRandom random = new SplittableRandom(seed);
    try (ParquetWriter<Group> writer =
        settings.apply(ExampleParquetWriter.builder(file).withType(schema)).build()) {
      for (int row = 0; row < rows; row++) {
        SimpleGroup group = new SimpleGroup(schema);
        for (Field field : fields) {
          expected.get(field.column()).add(add(group, field, random));
        }
        writer.write(group);
      }
    }
    return new Written(file, rows, expected);
  }

  private static Object add(Group row, Field field, SplittableRandom random) {
    String name = field.name();
    Leaf leaf = field.leaf();
    return switch (field.form()) {
      case REQUIRED -> put(row, name, leaf.draw().apply(random));
      case OPTIONAL -> random.nextInt(5) == 0 ? null : put(row, name, leaf.draw().apply(random));
      case STRUCT -> {
        if (random.nextInt(6) == 0) {
          yield null;
        }
        Group struct = row.addGroup(name);
        yield random.nextInt(6) == 0 ? null : put(struct, "leaf", leaf.draw().apply(random));
      }
      case LIST -> random.nextInt(7) == 0 ? null : list(row.addGroup(name), leaf, random, 5);
      case FULL_LIST -> list(row.addGroup(name), leaf, random, 0);
      case TWO_LEVEL ->
          random.nextInt(7) == 0 ? null : bare(row.addGroup(name), "array", leaf, random);
      case REPEATED -> bare(row, name, leaf, random);
      case NESTED -> random.nextInt(7) == 0 ? null : nested(row.addGroup(name), leaf, random);
    };
  }

  private static Object put(Group group, String name, Cell cell) {
    Object value = cell.stored();
    if (value instanceof Boolean flag) {
      group.add(name, flag);
    } else if (value instanceof Integer number) {
      group.add(name, number);
    } else if (value instanceof Long number) {
      group.add(name, number);
    } else if (value instanceof Float number) {
      group.add(name, number);
    } else if (value instanceof Double number) {
      group.add(name, number);
    } else {
      GroupType type = group.getType();
      boolean int96 =
          type.getType(name).asPrimitiveType().getPrimitiveTypeName().name().equals("INT96");
      if (int96) {
        group.add(
            name,
            new org.apache.parquet.example.data.simple.NanoTime(
                ByteBuffer.wrap(((Binary) value).getBytes())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getInt(8),
                ByteBuffer.wrap(((Binary) value).getBytes())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getLong(0)));
      } else {
        group.add(name, (Binary) value);
      }
    }
    return cell.expected();
  }

  private static List<Object> list(Group list, Leaf leaf, SplittableRandom random, int nulls) {
    List<Object> items = new ArrayList<>();
    for (int left = random.nextInt(6); left > 0; left--) {
      Group element = list.addGroup("list");
      boolean isNull = nulls > 0 && random.nextInt(nulls) == 0;
      items.add(isNull ? null : put(element, "element", leaf.draw().apply(random)));
    }
    return items;
  }

  private static List<Object> bare(Group group, String name, Leaf leaf, SplittableRandom random) {
    List<Object> items = new ArrayList<>();
    for (int left = random.nextInt(6); left > 0; left--) {
      items.add(put(group, name, leaf.draw().apply(random)));
    }
    return items;
  }

  private static List<Object> nested(Group list, Leaf leaf, SplittableRandom random) {
    List<Object> items = new ArrayList<>();
    for (int left = random.nextInt(4); left > 0; left--) {
      Group outer = list.addGroup("list");
      items.add(random.nextInt(5) == 0 ? null : list(outer.addGroup("element"), leaf, random, 6));
    }
    return items;
  }
}
