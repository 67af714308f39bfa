package io.penstock.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Writes Parquet files of a handful of rows. */
final class SmallParquet {
  /** What most of the tests ask for: {@code x} = row number, {@code label} = 0.5. */
  static final String SCHEMA = "message m { optional int64 x; required double label; }";

  private SmallParquet() {}

  /** A folder with one good file. */
  static BadFeed.Data good(int rows) {
    return folder -> write(folder.resolve("a.parquet"), SCHEMA, rows, SmallParquet::goodRow);
  }

  static void goodRow(Group group, int row) {
    group.add("x", (long) row);
    group.add("label", 0.5);
  }

  /**
   * Writes a file, and its folder if need be.
   *
   * @param row fills a row, given its number
   */
  static void write(Path file, String schema, int rows, BiConsumer<Group, Integer> row)
      throws IOException {
    Files.createDirectories(file.getParent());
    MessageType type = MessageTypeParser.parseMessageType(schema);
    SimpleGroupFactory groups = new SimpleGroupFactory(type);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(
                HadoopOutputFile.fromPath(
                    new org.apache.hadoop.fs.Path(file.toUri()), new Configuration()))
            .withType(type)
            .build()) {
      for (int i = 0; i < rows; i++) {
        Group group = groups.newGroup();
        row.accept(group, i);
        writer.write(group);
      }
    }
  }
}
