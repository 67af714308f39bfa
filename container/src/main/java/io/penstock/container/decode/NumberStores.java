package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;
import org.apache.parquet.format.Encoding;

/** One {@link Store} per type of numbers. */
final class NumberStores {
  private NumberStores() {}

  /**
   * Numbers of a fixed width in an array of their own type.
   *
   * @param <A> {@code int[]}, say
   */
  private abstract static class NumberStore<A> extends Store {
    private final String type;
    private final int width;
    private final IntFunction<A> maker;
    private int capacity;
    A array;

    NumberStore(String type, int width, IntFunction<A> maker) {
      this.type = type;
      this.width = width;
      this.maker = maker;
      this.array = maker.apply(0);
    }

    @Override
    void reserve(long count) {
      if (capacity < count) {
        capacity = Capacity.grown(capacity, count);
        A grown = maker.apply(capacity);
        System.arraycopy(array, 0, grown, 0, size);
        array = grown;
      }
    }

    @Override
    void append(Encoding encoding, byte[] in, int at, int end, int count, Scratch scratch) {
      switch (encoding) {
        case PLAIN -> {
          checkBytes(at, end, count, width);
          reserve((long) size + count);
          plain(ByteBuffer.wrap(in, at, count * width).order(ByteOrder.LITTLE_ENDIAN), count);
        }
        case BYTE_STREAM_SPLIT -> {
          checkBytes(at, end, count, width);
          reserve((long) size + count);
          join(in, at, count, scratch);
        }
        case DELTA_BINARY_PACKED -> delta(in, at, end, count, scratch);
        default -> throw notSupported(encoding, type);
      }
      size += count;
    }

    /** Appends numbers that lie one after the other. */
    abstract void plain(ByteBuffer in, int count);

    /** Appends numbers of which the first bytes come first, then the second ones, and so on. */
    abstract void join(byte[] in, int at, int count, Scratch scratch);

    /** Appends whole numbers by their differences. */
    void delta(byte[] in, int at, int end, int count, Scratch scratch) {
      throw notSupported(Encoding.DELTA_BINARY_PACKED, type);
    }

    @Override
    void gather(Store dictionary, int[] indices, int count) {
      reserve((long) size + count);
      @SuppressWarnings("unchecked") // of the same class
      NumberStore<A> same = (NumberStore<A>) dictionary;
      pick(same.array, indices, count);
      size += count;
    }

    /** Appends entries of a dictionary. */
    abstract void pick(A entries, int[] indices, int count);

    @Override
    void spread(boolean[] valid, int from, int places) {
      reserve((long) from + places);
      spread(array, 1, valid, from, places);
    }
  }

  /** INT32. */
  static class IntStore extends NumberStore<int[]> {
    IntStore() {
      super("INT32", Integer.BYTES, int[]::new);
    }

    @Override
    void plain(ByteBuffer in, int count) {
      in.asIntBuffer().get(array, size, count);
    }

    @Override
    void join(byte[] in, int at, int count, Scratch scratch) {
      joinInts(in, at, count, array, size);
    }

    @Override
    void delta(byte[] in, int at, int end, int count, Scratch scratch) {
      long[] longs = scratch.longs(count);
      scratch.delta.read(in, at, end, longs, 0, count);
      reserve((long) size + count);
      int[] to = array;
      for (int k = 0; k < count; k++) {
        to[size + k] = (int) longs[k];
      }
    }

    @Override
    void pick(int[] entries, int[] indices, int count) {
      int[] to = array;
      for (int k = 0; k < count; k++) {
        to[size + k] = entries[indices[k]];
      }
    }
  }

  /** BOOLEAN, as 0 and 1. */
  static final class BooleanStore extends IntStore {
    @Override
    void append(Encoding encoding, byte[] in, int at, int end, int count, Scratch scratch) {
      switch (encoding) {
        case PLAIN -> {
          check(BitPacking.bytes(count, 1) <= end - at, "it has too few bytes for its values");
          reserve((long) size + count);
          BitPacking.unpack(in, at, 1, array, size, count, 1);
        }
        case RLE -> {
          check(end - at >= 4 || count == 0, "its values end early");
          if (count > 0) {
            int length = LittleEndian.intAt(in, at);
            check(
                length >= 0 && length <= end - at - 4, () -> "its runs have " + length + " bytes");
            reserve((long) size + count);
            scratch.hybrid.begin(in, at + 4, at + 4 + length, 1);
            check(scratch.hybrid.read(array, size, count, 1), "a boolean above 1");
          }
        }
        default -> throw notSupported(encoding, "BOOLEAN");
      }
      size += count;
    }
  }

  /** INT64. */
  static final class LongStore extends NumberStore<long[]> {
    LongStore() {
      super("INT64", Long.BYTES, long[]::new);
    }

    @Override
    void plain(ByteBuffer in, int count) {
      in.asLongBuffer().get(array, size, count);
    }

    @Override
    void join(byte[] in, int at, int count, Scratch scratch) {
      joinLongs(in, at, count, array, size);
    }

    @Override
    void delta(byte[] in, int at, int end, int count, Scratch scratch) {
      reserve((long) size + count);
      scratch.delta.read(in, at, end, array, size, count);
    }

    @Override
    void pick(long[] entries, int[] indices, int count) {
      long[] to = array;
      for (int k = 0; k < count; k++) {
        to[size + k] = entries[indices[k]];
      }
    }
  }

  /** FLOAT. */
  static final class FloatStore extends NumberStore<float[]> {
    FloatStore() {
      super("FLOAT", Float.BYTES, float[]::new);
    }

    @Override
    void plain(ByteBuffer in, int count) {
      in.asFloatBuffer().get(array, size, count);
    }

    @Override
    void join(byte[] in, int at, int count, Scratch scratch) {
      int[] bits = scratch.indices(count);
      joinInts(in, at, count, bits, 0);
      float[] to = array;
      for (int k = 0; k < count; k++) {
        to[size + k] = Float.intBitsToFloat(bits[k]);
      }
    }

    @Override
    void pick(float[] entries, int[] indices, int count) {
      float[] to = array;
      for (int k = 0; k < count; k++) {
        to[size + k] = entries[indices[k]];
      }
    }
  }

  /** DOUBLE. */
  static final class DoubleStore extends NumberStore<double[]> {
    DoubleStore() {
      super("DOUBLE", Double.BYTES, double[]::new);
    }

    @Override
    void plain(ByteBuffer in, int count) {
      in.asDoubleBuffer().get(array, size, count);
    }

    @Override
    void join(byte[] in, int at, int count, Scratch scratch) {
      long[] bits = scratch.longs(count);
      joinLongs(in, at, count, bits, 0);
      double[] to = array;
      for (int k = 0; k < count; k++) {
        to[size + k] = Double.longBitsToDouble(bits[k]);
      }
    }

    @Override
    void pick(double[] entries, int[] indices, int count) {
      double[] to = array;
      for (int k = 0; k < count; k++) {
        to[size + k] = entries[indices[k]];
      }
    }
  }

  private static void joinInts(byte[] in, int at, int count, int[] out, int from) {
    int second = at + count;
    int third = second + count;
    int fourth = third + count;
    for (int k = 0; k < count; k++) {
      out[from + k] =
          in[at + k] & 0xff
              | (in[second + k] & 0xff) << 8
              | (in[third + k] & 0xff) << 16
              | in[fourth + k] << 24;
    }
  }

  private static void joinLongs(byte[] in, int at, int count, long[] out, int from) {
    for (int k = 0; k < count; k++) {
      long value = 0;
      for (int part = 7; part >= 0; part--) {
        value = value << 8 | (in[at + part * count + k] & 0xffL);
      }
      out[from + k] = value;
    }
  }
}
