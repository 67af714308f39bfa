package io.penstock.bench;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * This machine's files as storage that is far away, {@code slow:///}: each read, open and look-up
 * takes so many milliseconds more as {@code fs.slow.latency} says, else 20.
 */
public final class SlowFileSystem extends RawLocalFileSystem {
  static final String LATENCY_SETTING = "fs.slow.latency";

  private static final URI NAME = URI.create("slow:///");

  private long latencyNanos;

  @Override
  public URI getUri() {
    return NAME;
  }

  @Override
  public String getScheme() {
    return NAME.getScheme();
  }

  @Override
  public void initialize(URI uri, Configuration configuration) throws IOException {
    super.initialize(uri, configuration);
    latencyNanos = TimeUnit.MILLISECONDS.toNanos(configuration.getLong(LATENCY_SETTING, 20));
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    delay();
    return super.getFileStatus(path);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    delay();
    return new FSDataInputStream(new Delayed(super.open(path, bufferSize)));
  }

  private void delay() {
    long until = System.nanoTime() + latencyNanos;
    for (long left = latencyNanos; left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
  }

  /** Reads of one open file. */
  private final class Delayed extends FSInputStream {
    private final FSDataInputStream in;

    Delayed(FSDataInputStream in) {
      this.in = in;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
      delay();
      return in.read(position, into, offset, length);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      delay();
      return in.read(into, offset, length);
    }

    @Override
    public int read() throws IOException {
      delay();
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
