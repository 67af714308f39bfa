package io.penstock.container.fetch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A file that one try has open; checks between reads whether the try is over. */
final class HadoopFile implements FileBytes, AutoCloseable {
  /** A local read goes through a native buffer of its own size. */
  private static final int LONGEST_LOCAL_READ = 4 << 20;

  /** A hedged read of HDFS goes through a buffer of its own size, which no budget counts. */
  private static final int LONGEST_READ = 8 << 20;

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
    FileSystem fileSystem = withoutDetour(fileSystems.of(hadoopPath), hadoopPath);
    FileStatus status = fileSystem.getFileStatus(hadoopPath);
    if (over.getAsBoolean()) {
      throw new InterruptedIOException("given up");
    }
    int longest = fileSystem instanceof RawLocalFileSystem ? LONGEST_LOCAL_READ : LONGEST_READ;
    return new HadoopFile(
        path, status.getLen(), fileSystem.open(hadoopPath), Math.min(maxRead, longest), over);
  }

  /**
   * Hadoop's local file system opens a file anew for every positioned read, to check it against the
   * checksums beside it. Where there are none, the file system below is asked directly.
   */
  private static FileSystem withoutDetour(FileSystem fileSystem, Path path) throws IOException {
    if (fileSystem instanceof ChecksumFileSystem checking) {
      FileSystem raw = checking.getRawFileSystem();
      if (!raw.exists(checking.getChecksumFile(path))) {
        return raw;
      }
    }
    return fileSystem;
  }

  /** The same open file for another try; both may read at the same time. */
  HadoopFile until(BooleanSupplier otherOver) {
    return new HadoopFile(path, length, in, maxRead, otherOver);
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
