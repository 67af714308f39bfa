package io.penstock.container.fetch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A file that one try has open; checks between reads whether the try is over. */
final class HadoopFile implements FileBytes, AutoCloseable {
  private final String path;
  private final long length;
  private final FSDataInputStream in;
  private final int maxRead;
  private final BooleanSupplier over;

  private HadoopFile(
      String path, long length, FSDataInputStream in, int maxRead, BooleanSupplier over) {
    this.path = path;
    this.length = length;
    this.in = in;
    this.maxRead = maxRead;
    this.over = over;
  }

  static HadoopFile open(FileSystems fileSystems, String path, int maxRead, BooleanSupplier over)
      throws IOException {
    Path hadoopPath = new Path(path);
    FileSystem fileSystem = fileSystems.of(hadoopPath);
    FileStatus status = fileSystem.getFileStatus(hadoopPath);
    if (over.getAsBoolean()) {
      throw new InterruptedIOException("given up");
    }
    return new HadoopFile(path, status.getLen(), fileSystem.open(hadoopPath), maxRead, over);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, byte[] into, int offset, int count) throws IOException {
    int done = 0;
    while (done < count) {
      if (over.getAsBoolean()) {
        throw new InterruptedIOException("given up");
      }
      int part = Math.min(maxRead, count - done);
      int got = in.read(position + done, into, offset + done, part);
      if (got <= 0) {
        throw new EOFException(
            "ended at byte " + (position + done) + " of " + (position + count) + " asked for");
      }
      done += got;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
