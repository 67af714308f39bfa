package io.penstock.catalog;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Small Parquet files in memory, written by parquet-java. */
final class TestingParquet {
  private TestingParquet() {}

  static MessageType schema(String fields) {
    return MessageTypeParser.parseMessageType("message m { " + fields + " }");
  }

  /** A file of one required int64 column {@code id} with rows 0, 1, 2 ..., ten a row group. */
  static byte[] ids(int rows) {
    return file("required int64 id;", rows, row -> row.group().append("id", row.number()));
  }

  /** A file whose every field is optional and null. */
  static byte[] nulls(String fields, int rows) {
    return file(fields, rows, row -> {});
  }

  record Row(Group group, long number) {}

  static byte[] file(String fields, int rows, Consumer<Row> fill) {
    MessageType schema = schema(fields);
    Bytes bytes = new Bytes();
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(bytes)
            .withType(schema)
            .withRowGroupRowCountLimit(10)
            .build()) {
      SimpleGroupFactory groups = new SimpleGroupFactory(schema);
      for (int i = 0; i < rows; i++) {
        Group group = groups.newGroup();
        fill.accept(new Row(group, i));
        writer.write(group);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.out.toByteArray();
  }

  /** The file with its footer changed. */
  static byte[] changed(byte[] file, Consumer<FileMetaData> change) {
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    int start = file.length - 8 - length;
    try {
      FileMetaData meta =
          Util.readFileMetaData(new java.io.ByteArrayInputStream(file, start, length));
      change.accept(meta);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(file, 0, start);
      Util.writeFileMetaData(meta, out);
      int footer = out.size() - start;
      out.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(footer).array());
      out.write(file, file.length - 4, 4);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] cut(byte[] file, int length) {
    return Arrays.copyOf(file, length);
  }

  private static final class Bytes implements OutputFile {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Override
    public PositionOutputStream create(long blockSizeHint) {
      return new PositionOutputStream() {
        @Override
        public long getPos() {
          return out.size();
        }

        @Override
        public void write(int b) {
          out.write(b);
        }

        @Override
        public void write(byte[] b, int offset, int length) {
          out.write(b, offset, length);
        }
      };
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
      return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
      return false;
    }

    @Override
    public long defaultBlockSize() {
      return 0;
    }
  }
}
