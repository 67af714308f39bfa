package io.penstock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Small Parquet files on local disk, written by parquet-java, ten rows a row group. */
public final class Datasets {
  private Datasets() {}

  /** A file of {@code rows} rows; the filler gets each row with its number. */
  public static Path write(Path file, String fields, int rows, BiConsumer<Group, Integer> filler)
      throws IOException {
    Files.createDirectories(file.getParent());
    MessageType schema = MessageTypeParser.parseMessageType("message m { " + fields + " }");
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(schema)
            .withRowGroupRowCountLimit(10)
            .build()) {
      for (int row = 0; row < rows; row++) {
        Group group = groups.newGroup();
        filler.accept(group, row);
        writer.write(group);
      }
    }
    return file;
  }

  /**
   * Two files with 25 and 15 rows, so row groups of 10, 10, 5, 10 and 5: column {@code id} counts
   * from 0 over both, {@code half} is half of it.
   */
  public static Path numbers(Path folder) throws IOException {
    String fields = "required int64 id; required double half;";
    write(folder.resolve("a.parquet"), fields, 25, (group, row) -> number(group, row));
    write(folder.resolve("b.parquet"), fields, 15, (group, row) -> number(group, 25 + row));
    return folder;
  }

  private static void number(Group group, long id) {
    group.append("id", id).append("half", id / 2.0);
  }

  /** A feed file over {@link #numbers}. */
  public static Path feed(Path file, Path dataset, String order) throws IOException {
    return Files.writeString(
        file,
        """
        penstock: 1
        dataset:
          paths: ["%s"]
        order: {%s}
        tensors:
          id: {column: id, dtype: int64}
          pair: {columns: [half, id], dtype: float32}
        """
            .formatted(dataset.toUri(), order));
  }
}
