package io.penstock.cli.submit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.UUID;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The folder that distributions lie in, each uploaded once.
 *
 * <p>An archive gets its name by a rename when it is whole, so whoever sees it may use it; two that
 * upload at the same time are no harm. Everybody may read it: whether others can reach it is up to
 * the folders above.
 */
final class DistributionStore {
  private static final FsPermission FOLDER = new FsPermission((short) 0755);
  private static final FsPermission ARCHIVE = new FsPermission((short) 0644);

  private final FileSystem fileSystem;
  private final Path folder;

  DistributionStore(FileSystem fileSystem, Path folder) {
    this.fileSystem = fileSystem;
    this.folder = folder;
  }

  /** What there is after {@link #provide}, and whether it had to be uploaded. */
  record Provided(Path archive, boolean uploaded) {}

  /** Uploads the distribution unless it is there. */
  Provided provide(Distribution distribution) throws IOException {
    Path archive = fileSystem.makeQualified(new Path(folder, distribution.archiveName()));
    if (isThere(archive)) {
      return new Provided(archive, false);
    }
    makeFolder();
    Path partial = new Path(folder, "." + distribution.archiveName() + "." + UUID.randomUUID());
    try {
      long written;
      try (CountedStream out = new CountedStream(fileSystem.create(partial, false))) {
        distribution.write(out);
        written = out.count();
      }
      fileSystem.setPermission(partial, ARCHIVE);
      long stored = fileSystem.getFileStatus(partial).getLen();
      if (stored != written) {
        throw new IOException(
            "the archive was cut short: " + partial + " written=" + written + " stored=" + stored);
      }
      if (!fileSystem.rename(partial, archive) && !isThere(archive)) {
        throw new IOException("can't be renamed: " + partial + " to " + archive);
      }
      return new Provided(archive, true);
    } finally {
      fileSystem.delete(partial, false);
    }
  }

  private void makeFolder() throws IOException {
    if (!fileSystem.exists(folder)) {
      fileSystem.mkdirs(folder);
      fileSystem.setPermission(folder, FOLDER);
    }
  }

  private boolean isThere(Path archive) throws IOException {
    try {
      FileStatus status = fileSystem.getFileStatus(archive);
      return status.isFile() && status.getLen() > 0;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** Counts what goes through. */
  private static final class CountedStream extends java.io.FilterOutputStream {
    private long count;

    CountedStream(OutputStream out) {
      super(out);
    }

    long count() {
      return count;
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      count += length;
    }
  }
}
