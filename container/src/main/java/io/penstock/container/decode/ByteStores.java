package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

import java.util.Arrays;
import org.apache.parquet.format.Encoding;

/** One {@link Store} per form of bytes. */
final class ByteStores {
  private ByteStores() {}

  /** FIXED_LEN_BYTE_ARRAY and INT96: values end to end. */
  static final class FixedStore extends Store {
    private int width;
    byte[] array = new byte[0];

    /** Says how wide the values to come are; it must be empty. */
    void width(int bytes) {
      check(bytes >= 1, () -> "values of " + bytes + " bytes");
      width = bytes;
    }

    int width() {
      return width;
    }

    @Override
    void reserve(long count) {
      if (array.length < count * width) {
        array = Arrays.copyOf(array, Capacity.grown(array.length, count * width));
      }
    }

    @Override
    void append(Encoding encoding, byte[] in, int at, int end, int count, Scratch scratch) {
      switch (encoding) {
        case PLAIN -> {
          checkBytes(at, end, count, width);
          reserve((long) size + count);
          System.arraycopy(in, at, array, size * width, count * width);
        }
        case BYTE_STREAM_SPLIT -> {
          checkBytes(at, end, count, width);
          reserve((long) size + count);
          for (int part = 0; part < width; part++) {
            int from = at + part * count;
            int to = size * width + part;
            for (int k = 0; k < count; k++) {
              array[to + k * width] = in[from + k];
            }
          }
        }
        case DELTA_BYTE_ARRAY -> {
          long[] prefixes = scratch.longs(count);
          long[] suffixes = scratch.moreLongs(count);
          int next = BinaryStore.deltaLengths(in, at, end, prefixes, suffixes, count, scratch);
          reserve((long) size + count);
          for (int k = 0; k < count; k++) {
            check(prefixes[k] + suffixes[k] == width, "a value that is not of the fixed length");
            int to = (size + k) * width;
            int prefix = (int) prefixes[k];
            if (prefix > 0) {
              System.arraycopy(array, to - width, array, to, prefix);
            }
            System.arraycopy(in, next, array, to + prefix, width - prefix);
            next += width - prefix;
          }
        }
        default -> throw notSupported(encoding, "FIXED_LEN_BYTE_ARRAY or INT96");
      }
      size += count;
    }

    @Override
    boolean keepsDictionary() {
      return true;
    }

    @Override
    void gather(Store dictionary, int[] indices, int count) {
      throw new IllegalStateException("its dictionary is kept");
    }

    @Override
    void spread(boolean[] valid, int from, int places) {
      reserve((long) from + places);
      spread(array, width, valid, from, places);
    }
  }

  /** BYTE_ARRAY: bytes end to end, and where each value begins. */
  static final class BinaryStore extends Store {
    /** Most bytes that a DELTA_BYTE_ARRAY page may stand for: a few can stand for any number. */
    private static final long MAX_DELTA_PAGE = 1L << 28;

    byte[] data = new byte[0];
    int[] offsets = new int[1];

    @Override
    void clear() {
      super.clear();
      offsets[0] = 0;
    }

    @Override
    void reserve(long count) {
      if (offsets.length < count + 1) {
        offsets = Arrays.copyOf(offsets, Capacity.grown(offsets.length, count + 1));
      }
    }

    private void reserveBytes(long more) {
      long needed = offsets[size] + more;
      if (data.length < needed) {
        data = Arrays.copyOf(data, Capacity.grown(data.length, needed));
      }
    }

    @Override
    void append(Encoding encoding, byte[] in, int at, int end, int count, Scratch scratch) {
      switch (encoding) {
        case PLAIN -> plain(in, at, end, count);
        case DELTA_LENGTH_BYTE_ARRAY -> deltaLength(in, at, end, count, scratch);
        case DELTA_BYTE_ARRAY -> deltaBytes(in, at, end, count, scratch);
        default -> throw notSupported(encoding, "BYTE_ARRAY");
      }
      size += count;
    }

    private void plain(byte[] in, int from, int end, int count) {
      checkBytes(from, end, count, 4);
      reserve((long) size + count);
      reserveBytes(end - from - 4L * count);
      int at = from;
      int to = offsets[size];
      for (int k = size; k < size + count; k++) {
        if (end - at < 4) {
          throw new CorruptException("its values end early");
        }
        int length = LittleEndian.intAt(in, at);
        at += 4;
        if (length < 0 || length > end - at || length > data.length - to) {
          throw new CorruptException("a value of " + length + " bytes");
        }
        System.arraycopy(in, at, data, to, length);
        at += length;
        to += length;
        offsets[k + 1] = to;
      }
    }

    private void deltaLength(byte[] in, int from, int end, int count, Scratch scratch) {
      long[] lengths = scratch.longs(count);
      int at = scratch.delta.read(in, from, end, lengths, 0, count);
      reserve((long) size + count);
      int left = end - at;
      int start = offsets[size];
      reserveBytes(left);
      int total = 0;
      for (int k = 0; k < count; k++) {
        long length = lengths[k];
        if (length < 0 || length > left - total) {
          throw new CorruptException("a value of " + length + " bytes");
        }
        total += (int) length;
        offsets[size + k + 1] = start + total;
      }
      System.arraycopy(in, at, data, start, total);
    }

    private void deltaBytes(byte[] in, int from, int end, int count, Scratch scratch) {
      long[] prefixes = scratch.longs(count);
      long[] suffixes = scratch.moreLongs(count);
      int at = deltaLengths(in, from, end, prefixes, suffixes, count, scratch);
      long total = 0;
      for (int k = 0; k < count; k++) {
        total += prefixes[k] + suffixes[k];
      }
      if (total > MAX_DELTA_PAGE) {
        throw new CorruptException("DELTA_BYTE_ARRAY values of " + total + " bytes in one page");
      }
      reserve((long) size + count);
      reserveBytes(total);
      int to = offsets[size];
      int previous = to;
      for (int k = 0; k < count; k++) {
        int prefix = (int) prefixes[k];
        int suffix = (int) suffixes[k];
        System.arraycopy(data, previous, data, to, prefix);
        System.arraycopy(in, at, data, to + prefix, suffix);
        previous = to;
        at += suffix;
        to += prefix + suffix;
        offsets[size + k + 1] = to;
      }
    }

    /**
     * Decodes and checks the two lists of lengths of DELTA_BYTE_ARRAY: no prefix is longer than the
     * value before, and there are as many bytes as the suffixes take.
     *
     * @return where the suffixes begin
     */
    static int deltaLengths(
        byte[] in,
        int from,
        int end,
        long[] prefixes,
        long[] suffixes,
        int count,
        Scratch scratch) {
      int at = scratch.delta.read(in, from, end, prefixes, 0, count);
      at = scratch.delta.read(in, at, end, suffixes, 0, count);
      long before = 0;
      long left = end - at;
      for (int k = 0; k < count; k++) {
        long prefix = prefixes[k];
        long suffix = suffixes[k];
        if (prefix < 0 || prefix > before || suffix < 0 || suffix > left) {
          throw new CorruptException(
              "a value of " + prefix + " bytes of the one before and " + suffix + " of its own");
        }
        left -= suffix;
        before = prefix + suffix;
      }
      return at;
    }

    @Override
    boolean keepsDictionary() {
      return true;
    }

    @Override
    void gather(Store dictionary, int[] indices, int count) {
      throw new IllegalStateException("its dictionary is kept");
    }

    @Override
    void spread(boolean[] valid, int from, int places) {
      reserve((long) from + places);
      int source = size;
      int last = offsets[size];
      for (int place = from + places - 1; place >= from; place--) {
        offsets[place + 1] = last;
        if (valid[place]) {
          source--;
          last = offsets[source];
        }
      }
      size = from + places;
    }
  }
}
