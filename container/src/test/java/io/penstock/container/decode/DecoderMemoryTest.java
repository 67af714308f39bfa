package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.catalog.Footer;
import io.penstock.catalog.LeafColumn;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.decode.TestingParquet.Field;
import io.penstock.container.decode.TestingParquet.Form;
import io.penstock.container.decode.TestingParquet.Written;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a decoder keeps, beside what is planned for it, and what it allocates once it has it. */
class DecoderMemoryTest {
  private static final int ROWS = 20_000;

  /** A column, and whether the writer begins, keeps or gives up its dictionary. */
  record Case(Form form, String leaf, int dictionaryBytes) {}

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Form form : List.of(Form.REQUIRED, Form.OPTIONAL, Form.LIST, Form.REPEATED, Form.NESTED)) {
      for (String leaf :
          List.of("int32few", "int64", "float", "string", "half", "uint32", "decimalLong")) {
        for (int dictionaryBytes : new int[] {0, 100, 1 << 20}) {
          cases.add(new Case(form, leaf, dictionaryBytes));
        }
      }
    }
    return cases;
  }

  private static Written written(List<Field> fields, int dictionaryBytes) throws IOException {
    return TestingParquet.write(
        fields,
        ROWS,
        31,
        builder ->
            builder
                .withWriterVersion(WriterVersion.PARQUET_2_0)
                .withCompressionCodec(CompressionCodecName.SNAPPY)
                .withDictionaryEncoding(dictionaryBytes > 0)
                .withDictionaryPageSize(Math.max(1, dictionaryBytes))
                .withPageRowCountLimit(2_000));
  }

  private static Field field(Form form, String leaf) {
    return new Field(
            "x",
            form,
            TestingParquet.LEAVES.stream()
                .filter(one -> one.name().equals(leaf))
                .findFirst()
                .orElseThrow())
        .repetitive();
  }

  private static long planned(MemoryFile file) throws IOException {
    Footer footer = Footer.read(file.path(), file.length(), file::readFully);
    long planned = 0;
    for (LeafColumn leaf : footer.columns().readable()) {
      Footer.Chunk chunk = footer.rowGroups().get(0).chunks().get(leaf.index());
      planned += leaf.decodedBytes(ROWS, chunk.values(), chunk.uncompressedBytes());
    }
    return planned;
  }

  /** Bytes of all arrays of numbers that are reached from an object of the decoder. */
  private static long held(Object root) throws IllegalAccessException {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>(List.of(root));
    long bytes = 0;
    while (!open.isEmpty()) {
      Object object = open.pop();
      if (!seen.add(object)) {
        continue;
      }
      Class<?> type = object.getClass();
      if (type.isArray() && type.getComponentType().isPrimitive()) {
        bytes += (long) Array.getLength(object) * width(type.getComponentType());
      } else if (object instanceof Object[] array) {
        add(open, List.of(array));
      } else if (object instanceof Collection<?> collection) {
        add(open, collection);
      } else {
        for (Class<?> c = type; isOurs(c); c = c.getSuperclass()) {
          for (java.lang.reflect.Field field : c.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
              field.setAccessible(true);
              Object value = field.get(object);
              if (value != null) {
                open.push(value);
              }
            }
          }
        }
      }
    }
    return bytes;
  }

  private static boolean isOurs(Class<?> type) {
    return type.getPackage() == RowGroupDecoder.class.getPackage();
  }

  private static void add(Deque<Object> open, Collection<?> objects) {
    objects.forEach(open::push);
  }

  private static int width(Class<?> primitive) {
    if (primitive == long.class || primitive == double.class) {
      return 8;
    }
    if (primitive == int.class || primitive == float.class) {
      return 4;
    }
    return primitive == short.class || primitive == char.class ? 2 : 1;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aDecoderKeepsAtMostTwiceWhatIsPlanned(Case one) throws Exception {
    Written written = written(List.of(field(one.form(), one.leaf())), one.dictionaryBytes());
    long planned = planned(written.file());
    try (RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY)) {
      decoder.decode(Reading.fetch(written.file(), 0, ROWS, written.columns()));
      long held = held(decoder);
      assertTrue(held <= 2 * planned, "held " + held + ", planned " + planned);
      assertTrue(planned <= 4 * held, "held " + held + ", planned " + planned);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Form.class,
      names = {"REQUIRED", "OPTIONAL", "LIST", "NESTED"})
  void aSteadyStateAllocatesNextToNothing(Form form) throws IOException {
    Written written =
        written(
            List.of(
                field(form, "float"),
                new Field("y", form, field(form, "int64").leaf()),
                new Field("z", form, field(form, "string").leaf())),
            1 << 20);
    var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (RowGroupDecoder decoder = new RowGroupDecoder(Checksums.VERIFY)) {
      List<Long> allocated = new ArrayList<>();
      for (int pass = 0; pass < 4; pass++) {
        RowGroupChunks chunks = Reading.fetch(written.file(), 0, ROWS, written.columns());
        long before = thread.getCurrentThreadAllocatedBytes();
        decoder.decode(chunks);
        allocated.add(thread.getCurrentThreadAllocatedBytes() - before);
      }
      assertTrue(allocated.get(3) < 64 << 10, "bytes allocated by pass: " + allocated);
      assertTrue(allocated.get(0) > 10 * allocated.get(3), "bytes by pass: " + allocated);
    }
  }
}
