package io.penstock.container.decode;

import io.penstock.container.fetch.FileBytes;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A file in memory that parquet-java can write and Penstock can read. */
final class MemoryFile implements OutputFile, FileBytes {
  private final String path;
  private byte[] bytes;

  MemoryFile(String path, byte[] bytes) {
    this.path = path;
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return bytes.length;
  }

  @Override
  public void readFully(long position, byte[] into, int offset, int length) throws IOException {
    if (position + length > bytes.length) {
      throw new EOFException();
    }
    System.arraycopy(bytes, (int) position, into, offset, length);
  }

  @Override
  public PositionOutputStream create(long blockSize) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    return new PositionOutputStream() {
      @Override
      public long getPos() {
        return out.size();
      }

      @Override
      public void write(int value) {
        out.write(value);
      }

      @Override
      public void write(byte[] more, int offset, int length) {
        out.write(more, offset, length);
      }

      @Override
      public void close() {
        bytes = out.toByteArray();
      }
    };
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSize) {
    return create(blockSize);
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }

  @Override
  public String getPath() {
    return path;
  }
}
