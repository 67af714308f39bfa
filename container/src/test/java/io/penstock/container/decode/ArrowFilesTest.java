package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.container.tensors.Column;
import io.penstock.model.ColumnType.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that PyArrow 26 wrote, with small pages that end inside lists, beside what PyArrow reads
 * from them: whole numbers, bytes in hex, floats as the bits of a float64 in hex.
 */
class ArrowFilesTest {
  static byte[] resource(String name) throws IOException {
    try (InputStream in = ArrowFilesTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  /** Two files of each kind hold the same: {@code arrow-flat}, {@code arrow-lists}. */
  static JsonNode expected(String name) throws IOException {
    try (InputStream in =
        new GZIPInputStream(ArrowFilesTest.class.getResourceAsStream(name + ".json.gz"))) {
      return new ObjectMapper().readTree(in);
    }
  }

  static Object object(JsonNode node, Kind kind) {
    if (node.isNull()) {
      return null;
    }
    if (node.isArray()) {
      List<Object> items = new ArrayList<>();
      node.forEach(item -> items.add(object(item, kind)));
      return items;
    }
    return switch (kind) {
      case FLOAT -> Double.longBitsToDouble(Long.parseUnsignedLong(node.asText(), 16));
      case DECIMAL -> node.bigIntegerValue();
      case BYTES -> node.asText();
      case UNSIGNED -> Long.parseUnsignedLong(node.asText());
      case BOOLEAN, INTEGER, DATE, TIME, TIMESTAMP -> node.longValue();
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "arrow-flat-delta-v2",
        "arrow-flat-split-v1",
        "arrow-lists-dictionary-v1",
        "arrow-lists-delta-v2"
      })
  void valuesAreThoseThatPyArrowReads(String name) throws IOException {
    MemoryFile file = new MemoryFile("mem:/" + name, resource(name + ".parquet"));
    JsonNode rowGroups = expected(name.substring(0, name.indexOf('-', 6)));
    assertEquals(2, rowGroups.size());
    int compared = 0;
    for (int ordinal = 0; ordinal < rowGroups.size(); ordinal++) {
      JsonNode wanted = rowGroups.get(ordinal);
      List<String> names = new ArrayList<>();
      wanted.fieldNames().forEachRemaining(names::add);
      int rows = wanted.get(names.get(0)).size();
      List<Column> columns = Reading.columns(file, ordinal, rows, names);
      for (int k = 0; k < names.size(); k++) {
        Column column = columns.get(k);
        assertEquals(
            object(wanted.get(names.get(k)), column.type().kind()),
            Reading.objects(column),
            names.get(k) + " of row group " + ordinal);
        compared++;
      }
    }
    assertTrue(compared >= 30, "columns compared: " + compared);
  }
}
