package io.penstock.history;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Parts in memory, on storage that fails or hangs when a test says so. */
final class TestingParts implements CertificateParts {
  private final List<ByteArrayOutputStream> parts = new ArrayList<>();
  private int failures;
  private CountDownLatch hang;

  synchronized void failNext(int times) {
    failures = times;
  }

  synchronized void hangOn(CountDownLatch latch) {
    hang = latch;
  }

  synchronized List<byte[]> contents() {
    return parts.stream().map(ByteArrayOutputStream::toByteArray).toList();
  }

  @Override
  public Part create(int number) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    synchronized (this) {
      parts.add(bytes);
    }
    return new Part() {
      @Override
      public void write(byte[] more) throws IOException {
        synchronized (TestingParts.this) {
          bytes.write(more);
        }
      }

      @Override
      public After keep() throws IOException {
        CountDownLatch wait;
        synchronized (TestingParts.this) {
          wait = hang;
        }
        if (wait != null) {
          try {
            wait.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
        synchronized (TestingParts.this) {
          if (failures > 0) {
            failures--;
            throw new IOException("storage is away");
          }
        }
        return After.GOES_ON;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {}
}
