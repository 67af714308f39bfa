package io.penstock.catalog;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Progressable;

/**
 * A read-only file system in memory, {@code testing://<name>/...}: names of files do not depend on
 * the machine's locale, and faults come when asked for.
 */
public final class TestingFileSystem extends FileSystem {
  private static final Map<String, Disk> DISKS = new ConcurrentHashMap<>();

  private URI uri;
  private Disk disk;

  /** The content of one file system and the faults it has. */
  static final class Disk {
    private final String name;
    private final NavigableMap<String, byte[]> files = new TreeMap<>();
    private final Map<String, Fault> faults = new ConcurrentHashMap<>();
    private final Map<String, Integer> shownLengths = new ConcurrentHashMap<>();
    private final Map<String, Long> times = new ConcurrentHashMap<>();
    private final AtomicInteger opened = new AtomicInteger();
    final CountDownLatch interrupted = new CountDownLatch(1);

    private Disk(String name) {
      this.name = name;
    }

    /** A disk with a name of its own; the test's end need not remove it. */
    static Disk fresh() {
      Disk disk = new Disk("disk" + DISKS.size());
      return DISKS.putIfAbsent(disk.name, disk) == null ? disk : fresh();
    }

    Configuration configuration() {
      Configuration configuration = new Configuration(false);
      configuration.setClass("fs.testing.impl", TestingFileSystem.class, FileSystem.class);
      return configuration;
    }

    String uri(String path) {
      return "testing://" + name + path;
    }

    Disk put(String path, byte[] content) {
      files.put(path, content);
      return this;
    }

    /** An empty folder. */
    Disk folder(String path) {
      files.put(path + "/", new byte[0]);
      return this;
    }

    Disk fault(String path, Fault fault) {
      faults.put(path, fault);
      return this;
    }

    /** Makes the folder say another length than the file has. */
    Disk showLength(String path, int length) {
      shownLengths.put(path, length);
      return this;
    }

    /** Another time of last change than all others have. */
    Disk modified(String path, long millis) {
      times.put(path, millis);
      return this;
    }

    /** How often a file was opened since this was asked last. */
    int opened() {
      return opened.getAndSet(0);
    }

    private void check(String path) throws IOException {
      Fault fault = faults.get(path);
      if (fault == Fault.DENIED) {
        throw new AccessControlException("Permission denied: user=alice, inode=" + path);
      }
      if (fault == Fault.HANGS) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          interrupted.countDown();
          throw new InterruptedIOException("interrupted");
        }
      }
      if (fault == Fault.REFUSED) {
        throw new java.net.ConnectException("Connection refused");
      }
      if (fault == Fault.GONE) {
        throw new FileNotFoundException("File does not exist: " + path);
      }
    }

    private boolean isFolder(String path) {
      String prefix = path.endsWith("/") ? path : path + "/";
      String next = files.ceilingKey(prefix);
      return next != null && next.startsWith(prefix);
    }
  }

  enum Fault {
    DENIED,
    HANGS,
    REFUSED,
    GONE
  }

  @Override
  public void initialize(URI name, Configuration configuration) throws IOException {
    super.initialize(name, configuration);
    uri = URI.create("testing://" + name.getAuthority());
    disk = DISKS.get(name.getAuthority());
  }

  @Override
  public String getScheme() {
    return "testing";
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    String name = path.toUri().getPath();
    disk.check("stat:" + name);
    return status(name);
  }

  private FileStatus status(String name) throws IOException {
    Path path = new Path("testing", uri.getAuthority(), name);
    byte[] content = disk.files.get(name);
    if (content != null) {
      int length = disk.shownLengths.getOrDefault(name, content.length);
      return new FileStatus(
          length,
          false,
          1,
          1 << 20,
          disk.times.getOrDefault(name, 1700000000000L),
          0,
          FsPermission.getFileDefault(),
          "",
          "",
          path);
    }
    if (disk.isFolder(name)) {
      return new FileStatus(0, true, 0, 0, 0, 0, FsPermission.getDirDefault(), "", "", path);
    }
    throw new FileNotFoundException("File does not exist: " + name);
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    String folder = path.toUri().getPath();
    disk.check(folder);
    String prefix = folder.endsWith("/") ? folder : folder + "/";
    List<FileStatus> children = new ArrayList<>();
    String last = "";
    for (String name : disk.files.tailMap(prefix).keySet()) {
      if (!name.startsWith(prefix)) {
        break;
      }
      String child = name.substring(prefix.length()).split("/", 2)[0];
      if (!child.isEmpty() && !child.equals(last)) {
        children.add(status(prefix + child));
      }
      last = child;
    }
    return children.toArray(FileStatus[]::new);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    String name = path.toUri().getPath();
    disk.check(name);
    byte[] content = disk.files.get(name);
    if (content == null) {
      throw new FileNotFoundException("File does not exist: " + name);
    }
    disk.opened.incrementAndGet();
    return new FSDataInputStream(new Content(content));
  }

  private static final class Content extends ByteArrayInputStream
      implements Seekable, PositionedReadable {
    Content(byte[] content) {
      super(content);
    }

    @Override
    public void seek(long position) {
      pos = (int) position;
    }

    @Override
    public long getPos() {
      return pos;
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) {
      if (position >= count) {
        return -1;
      }
      int n = (int) Math.min(length, count - position);
      System.arraycopy(buf, (int) position, buffer, offset, n);
      return n;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
        throws EOFException {
      if (position < 0 || position + length > count) {
        throw new EOFException("end of file");
      }
      System.arraycopy(buf, (int) position, buffer, offset, length);
    }

    @Override
    public void readFully(long position, byte[] buffer) throws EOFException {
      readFully(position, buffer, 0, buffer.length);
    }
  }

  @Override
  public void setWorkingDirectory(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path(uri.toString() + "/");
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean rename(Path from, Path to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean delete(Path path, boolean recursive) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) {
    throw new UnsupportedOperationException();
  }
}
