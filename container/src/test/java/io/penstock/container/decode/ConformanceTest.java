package io.penstock.container.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.catalog.Footer;
import io.penstock.container.tensors.Column;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The files of the public suite parquet-testing: what PyArrow reads is read with equal values, and
 * whatever else there is ends in a data error or in values. {@code conformance.py} beside {@code
 * conformance.json} finds what PyArrow reads. The suite is no part of this repository: {@code
 * -Dpenstock.parquet-testing=FOLDER} says where it lies.
 */
@EnabledIfSystemProperty(named = "penstock.parquet-testing", matches = ".+")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ConformanceTest {
  private static final String BEYOND_NANOSECONDS = "data/int96_from_spark.parquet, a";

  /** The suite's own words for it, of which PyArrow's nanoseconds do not hold the last. */
  private static final List<String> TIMES =
      List.of(
          "1704141296123456",
          "1704070800000000",
          "253402225200000000",
          "1735599600000000",
          "null",
          "9089380393200000000");

  private static String digest(List<String> rows) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(String.join("\n", rows).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String text(Object value, Kind kind) {
    if (value == null) {
      return "null";
    }
    if (value instanceof List<?> items) {
      return items.stream()
          .map(item -> text(item, kind))
          .collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Double number) {
      return String.format("%016x", Double.doubleToLongBits(number));
    }
    return kind == Kind.UNSIGNED ? Long.toUnsignedString((Long) value) : value.toString();
  }

  private static List<String> rows(MemoryFile file, Footer footer, String column) {
    List<String> rows = new ArrayList<>();
    for (Footer.RowGroup rowGroup : footer.rowGroups()) {
      if (rowGroup.rows() > 0) {
        Column read =
            Reading.columns(
                    file, rowGroup.ordinal(), Math.toIntExact(rowGroup.rows()), List.of(column))
                .get(0);
        Reading.objects(read).forEach(value -> rows.add(text(value, read.type().kind())));
      }
    }
    return rows;
  }

  @Test
  void whatPyArrowReadsIsReadWithEqualValuesAndTheRestEndsInADataErrorOrInValues()
      throws IOException {
    Path suite = Path.of(System.getProperty("penstock.parquet-testing"));
    JsonNode expected =
        new ObjectMapper().readTree(ConformanceTest.class.getResourceAsStream("conformance.json"));
    List<String> differences = new ArrayList<>();
    int equal = 0;
    int refusedTypes = 0;
    int refusedFiles = 0;
    for (Map.Entry<String, JsonNode> one : expected.properties()) {
      String name = one.getKey();
      MemoryFile file = new MemoryFile(name, Files.readAllBytes(suite.resolve(name)));
      boolean pyArrowReads = !one.getValue().has("");
      try {
        Footer footer = Footer.read(name, file.length(), file::readFully);
        for (var leaf : footer.schema().getColumns()) {
          String column = String.join(".", leaf.getPath());
          if (footer.columns().leaf(column).isEmpty()) {
            refusedTypes++;
            continue;
          }
          String found = digest(rows(file, footer, column));
          String place = name + ", " + column;
          if (pyArrowReads
              && !found.equals(
                  place.equals(BEYOND_NANOSECONDS)
                      ? digest(TIMES)
                      : one.getValue().get(column).textValue())) {
            differences.add(place);
          } else if (pyArrowReads) {
            equal++;
          }
        }
      } catch (DataException e) {
        refusedFiles++;
        assertEquals(name, e.place().file());
        if (pyArrowReads) {
          differences.add(e.getMessage());
        }
      }
    }
    assertEquals(List.of(), differences);
    assertTrue(equal > 300, "columns that are equal: " + equal);
    assertTrue(refusedTypes > 0 && refusedFiles > 5, refusedTypes + ", " + refusedFiles);
  }
}
