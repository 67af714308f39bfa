package io.penstock.container;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files; each of their reads is first told to a test, which may hold it up or fail it. */
public final class WatchedFileSystem extends RawLocalFileSystem {
  private static final String WATCHER = "penstock.testing.watcher";
  private static final Map<String, Watcher> WATCHERS = new ConcurrentHashMap<>();
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private Watcher watcher;

  /** Told of each positioned read before it is done, on the thread that reads. */
  interface Watcher {
    void reading(String path, long position, int length) throws IOException;
  }

  /** A configuration whose {@code file:} is watched. */
  static Configuration configuration(Watcher watcher) {
    String number = Integer.toString(NUMBERS.incrementAndGet());
    WATCHERS.put(number, watcher);
    Configuration configuration = new Configuration(false);
    configuration.set(WATCHER, number);
    configuration.setClass("fs.file.impl", WatchedFileSystem.class, FileSystem.class);
    return configuration;
  }

  @Override
  public void initialize(URI uri, Configuration configuration) throws IOException {
    super.initialize(uri, configuration);
    watcher = WATCHERS.get(configuration.get(WATCHER));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(new Stream(super.open(path, bufferSize), path.toUri().getPath()));
  }

  private final class Stream extends FSInputStream {
    private final FSDataInputStream in;
    private final String path;

    Stream(FSDataInputStream in, String path) {
      this.in = in;
      this.path = path;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
      watcher.reading(path, position, length);
      return in.read(position, into, offset, length);
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
