package io.penstock.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ObjIntConsumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Parquet files on this machine, written by parquet-java. */
public final class TestingParquet {
  private TestingParquet() {}

  /**
   * Writes a file.
   *
   * @param fields of the schema, in its text form
   * @param rowGroup rows of a row group
   * @param fill puts values into row i
   */
  public static Path write(
      Path file, String fields, int rows, int rowGroup, ObjIntConsumer<Group> fill) {
    String schema = "message m { " + fields + " }";
    return write(file, MessageTypeParser.parseMessageType(schema), rows, rowGroup, fill);
  }

  /** Writes a file whose schema has names that its text form can't have. */
  public static Path write(
      Path file, MessageType schema, int rows, int rowGroup, ObjIntConsumer<Group> fill) {
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    try {
      Files.createDirectories(file.getParent());
      try (ParquetWriter<Group> writer =
          ExampleParquetWriter.builder(new LocalOutputFile(file))
              .withType(schema)
              .withRowGroupRowCountLimit(rowGroup)
              .build()) {
        for (int row = 0; row < rows; row++) {
          Group group = groups.newGroup();
          fill.accept(group, row);
          writer.write(group);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  /** Adds a list of the standard three-level form with an element for each value. */
  public static void list(Group row, String field, Object... values) {
    Group list = row.addGroup(field);
    for (Object value : values) {
      Group element = list.addGroup("list");
      if (value instanceof Long whole) {
        element.append("element", whole);
      } else if (value instanceof Float real) {
        element.append("element", real);
      } else if (value instanceof String text) {
        element.append("element", text);
      }
    }
  }

  /** Adds a list of lists of int64. */
  public static void nested(Group row, String field, long[]... lists) {
    Group outer = row.addGroup(field);
    for (long[] values : lists) {
      Group inner = outer.addGroup("list").addGroup("element");
      for (long value : values) {
        inner.addGroup("list").append("element", value);
      }
    }
  }

  /** The schema of a list that may be null, of elements that may be null. */
  public static String list(String name, String element) {
    return "optional group "
        + name
        + " (LIST) { repeated group list { optional "
        + element
        + "; } } ";
  }
}
