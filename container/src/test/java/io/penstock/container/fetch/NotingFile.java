package io.penstock.container.fetch;

import io.penstock.container.fetch.MergedReads.Range;
import java.util.ArrayList;
import java.util.List;

/** A file whose byte at position p is p modulo 256, and that notes what is read. */
final class NotingFile implements FileBytes {
  final List<Range> reads = new ArrayList<>();

  @Override
  public String path() {
    return "noting";
  }

  @Override
  public long length() {
    return 1 << 20;
  }

  @Override
  public void readFully(long position, byte[] into, int offset, int length) {
    reads.add(new Range(position, length));
    for (int k = 0; k < length; k++) {
      into[offset + k] = (byte) (position + k);
    }
  }
}
