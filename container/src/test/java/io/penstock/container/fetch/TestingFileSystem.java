package io.penstock.container.fetch;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;

/** Files in memory whose reads hang, fail or come in small parts, as a test says. */
public final class TestingFileSystem extends RawLocalFileSystem {
  private static final String STORE = "penstock.testing.store";
  private static final Map<String, Store> STORES = new ConcurrentHashMap<>();

  private Store store;

  /** What happens to one positioned read; those without a step just read. */
  enum Step {
    READ,
    /** One byte is read. */
    SHORT,
    FAIL,
    /** Blocks until interrupted. */
    HANG,
    /** Blocks until the store is released, whatever interrupts it. */
    STUCK,
    NO_PERMISSION
  }

  /** What the file systems of one test share. */
  static final class Store {
    final Map<String, byte[]> files = new ConcurrentHashMap<>();
    final Queue<Step> steps = new ConcurrentLinkedQueue<>();
    final CountDownLatch release = new CountDownLatch(1);

    /** One permit for each read that has begun to hang or stick. */
    final Semaphore blocked = new Semaphore(0);

    final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger openStreams = new AtomicInteger();

    Configuration configuration() {
      Configuration configuration = new Configuration(false);
      String id = Integer.toHexString(System.identityHashCode(this));
      STORES.put(id, this);
      configuration.set(STORE, id);
      configuration.set("fs.testing.impl", TestingFileSystem.class.getName());
      return configuration;
    }
  }

  @Override
  public void initialize(URI uri, Configuration configuration) throws IOException {
    super.initialize(URI.create("file:///"), configuration);
    store = STORES.get(configuration.get(STORE));
    store.open.incrementAndGet();
  }

  @Override
  public void close() throws IOException {
    store.open.decrementAndGet();
    super.close();
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return new FileStatus(content(path).length, false, 1, 1 << 20, 0, path);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    store.opened.incrementAndGet();
    store.openStreams.incrementAndGet();
    return new FSDataInputStream(new Stream(content(path)));
  }

  private byte[] content(Path path) throws FileNotFoundException {
    byte[] content = store.files.get(path.toString());
    if (content == null) {
      throw new FileNotFoundException(path.toString());
    }
    return content;
  }

  private final class Stream extends FSInputStream {
    private final byte[] content;

    Stream(byte[] content) {
      this.content = content;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
      store.reads.incrementAndGet();
      Step step = store.steps.poll();
      int part = length;
      switch (step == null ? Step.READ : step) {
        case READ -> {}
        case SHORT -> part = 1;
        case FAIL -> throw new IOException("the disk is on fire");
        case NO_PERMISSION -> throw new AccessControlException("not for you");
        case HANG -> hang();
        case STUCK -> stick();
      }
      try (InputStream in = new ByteArrayInputStream(content)) {
        in.skipNBytes(Math.min(position, content.length));
        return in.read(into, offset, part);
      }
    }

    private void hang() throws InterruptedIOException {
      store.blocked.release();
      try {
        store.release.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted");
      }
    }

    private void stick() {
      store.blocked.release();
      boolean released = false;
      while (!released) {
        try {
          store.release.await();
          released = true;
        } catch (InterruptedException e) {
          Thread.interrupted();
        }
      }
    }

    @Override
    public void close() {
      store.openStreams.decrementAndGet();
    }

    @Override
    public void seek(long position) {
      throw new UnsupportedOperationException("only positioned reads");
    }

    @Override
    public long getPos() {
      throw new UnsupportedOperationException("only positioned reads");
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("only positioned reads");
    }
  }
}
