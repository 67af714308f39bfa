package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

import io.penstock.catalog.LeafColumn;
import io.penstock.catalog.LeafColumn.Meaning;
import io.penstock.catalog.LeafColumn.Unit;
import io.penstock.container.decode.ByteStores.BinaryStore;
import io.penstock.container.decode.ByteStores.FixedStore;
import io.penstock.container.decode.NumberStores.DoubleStore;
import io.penstock.container.decode.NumberStores.FloatStore;
import io.penstock.container.decode.NumberStores.IntStore;
import io.penstock.container.decode.NumberStores.LongStore;
import io.penstock.container.tensors.Values;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * From values as they are stored to what FEED.md makes of them ("Types"). The arrays of what is
 * already right are handed on; the rest is converted in place or into arrays that are reused.
 */
final class Conversion {
  private static final int MAX_LONG_DIGITS = 18;
  private static final long JULIAN_DAY_OF_1970 = 2_440_588;
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private long[] longs = new long[0];
  private float[] floats = new float[0];
  private int[] offsets = new int[0];

  /**
   * @param valid which of the values there are, or null for all: what cannot be is an error only
   *     there
   */
  Values convert(LeafColumn leaf, Store store, boolean[] valid) {
    Meaning meaning = leaf.meaning();
    if (store instanceof IntStore ints) {
      return ints(meaning, ints.array, ints.size);
    }
    if (store instanceof LongStore stored) {
      return longs(meaning, stored.array, stored.size, valid);
    }
    if (store instanceof FloatStore stored) {
      return new Values.Floats(stored.array);
    }
    if (store instanceof DoubleStore stored) {
      return new Values.Doubles(stored.array);
    }
    if (store instanceof FixedStore fixed) {
      return fixed(meaning, fixed, valid);
    }
    BinaryStore binary = (BinaryStore) store;
    if (meaning instanceof Meaning.Decimal decimal) {
      if (decimal.precision() <= MAX_LONG_DIGITS) {
        return decimals(binary.data, binary.offsets, binary.size, valid);
      }
      for (int k = 0; k < binary.size; k++) {
        checkDigits(binary.offsets[k + 1] - binary.offsets[k], valid == null || valid[k]);
      }
    }
    return new Values.Bytes(binary.data, binary.offsets);
  }

  private static void checkDigits(int width, boolean counts) {
    check(width > 0 || !counts, "a decimal of no bytes");
  }

  private Values ints(Meaning meaning, int[] array, int size) {
    if (meaning instanceof Meaning.Whole whole) {
      if (whole.bits() == 32 && !whole.signed()) {
        long[] out = longs(size);
        for (int k = 0; k < size; k++) {
          out[k] = array[k] & 0xffffffffL;
        }
        return new Values.Longs(out);
      }
      narrow(whole, array, size);
    } else if (meaning instanceof Meaning.Time || meaning instanceof Meaning.Timestamp) {
      int factor = unit(meaning) == Unit.MILLIS ? 1000 : 1;
      long[] out = longs(size);
      for (int k = 0; k < size; k++) {
        out[k] = (long) array[k] * factor;
      }
      return new Values.Longs(out);
    }
    return new Values.Ints(array);
  }

  private static void narrow(Meaning.Whole whole, int[] array, int size) {
    int shift = 32 - whole.bits();
    if (shift <= 0) {
      return;
    }
    if (whole.signed()) {
      for (int k = 0; k < size; k++) {
        array[k] = array[k] << shift >> shift;
      }
    } else {
      for (int k = 0; k < size; k++) {
        array[k] = array[k] << shift >>> shift;
      }
    }
  }

  private static Values longs(Meaning meaning, long[] array, int size, boolean[] valid) {
    if (meaning instanceof Meaning.Whole whole && whole.bits() < 64) {
      int shift = 64 - whole.bits();
      for (int k = 0; k < size; k++) {
        array[k] = whole.signed() ? array[k] << shift >> shift : array[k] << shift >>> shift;
      }
    } else if (meaning instanceof Meaning.Time || meaning instanceof Meaning.Timestamp) {
      switch (unit(meaning)) {
        case MICROS -> {}
        case NANOS -> {
          for (int k = 0; k < size; k++) {
            array[k] = Math.floorDiv(array[k], 1000);
          }
        }
        case MILLIS -> {
          for (int k = 0; k < size; k++) {
            long millis = array[k];
            if (Math.abs(millis) > Long.MAX_VALUE / 1000 && (valid == null || valid[k])) {
              throw new CorruptException("more than a 64-bit number of microseconds: " + millis);
            }
            array[k] = millis * 1000;
          }
        }
      }
    }
    return new Values.Longs(array);
  }

  private static Unit unit(Meaning meaning) {
    return meaning instanceof Meaning.Time time
        ? time.unit()
        : ((Meaning.Timestamp) meaning).unit();
  }

  private Values fixed(Meaning meaning, FixedStore store, boolean[] valid) {
    int width = store.width();
    int size = store.size;
    if (meaning instanceof Meaning.Int96Timestamp) {
      return int96(store.array, size);
    }
    if (meaning instanceof Meaning.Float16) {
      check(width == 2, () -> "half-precision numbers of " + width + " bytes");
      if (floats.length < size) {
        floats = new float[Capacity.grown(floats.length, size)];
      }
      for (int k = 0; k < size; k++) {
        floats[k] = Half.toFloat(LittleEndian.shortAt(store.array, k * 2));
      }
      return new Values.Floats(floats);
    }
    int[] places = offsets(size);
    for (int k = 0; k <= size; k++) {
      places[k] = k * width;
    }
    return meaning instanceof Meaning.Decimal decimal && decimal.precision() <= MAX_LONG_DIGITS
        ? decimals(store.array, places, size, valid)
        : new Values.Bytes(store.array, places);
  }

  /** Days that are out of range wrap around, modulo 2^64, as in the engines that write them. */
  private Values int96(byte[] array, int size) {
    long[] out = longs(size);
    for (int k = 0; k < size; k++) {
      long nanos = LittleEndian.longAt(array, k * 12);
      long day = LittleEndian.intAt(array, k * 12 + 8) - JULIAN_DAY_OF_1970;
      out[k] = day * MICROS_PER_DAY + Math.floorDiv(nanos, 1000);
    }
    return new Values.Longs(out);
  }

  /** Two's complement, most significant byte first, of numbers that fit a long. */
  private Values decimals(byte[] data, int[] places, int size, boolean[] valid) {
    long[] out = longs(size);
    ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.BIG_ENDIAN);
    for (int k = 0; k < size; k++) {
      int from = places[k];
      int width = places[k + 1] - from;
      if (width == 8) {
        out[k] = buffer.getLong(from);
      } else if (width == 0) {
        checkDigits(width, valid == null || valid[k]);
        out[k] = 0;
      } else {
        out[k] = decimal(data, from, width, valid == null || valid[k]);
      }
    }
    return new Values.Longs(out);
  }

  private static long decimal(byte[] data, int from, int width, boolean counts) {
    long value = data[from];
    for (int j = 1; j < width; j++) {
      long longer = value << 8 | (data[from + j] & 0xff);
      check(longer >> 8 == value || !counts, "a decimal of more digits than its precision");
      value = longer;
    }
    return value;
  }

  private int[] offsets(int size) {
    if (offsets.length < size + 1) {
      offsets = new int[Capacity.grown(offsets.length, (long) size + 1)];
    }
    return offsets;
  }

  private long[] longs(int size) {
    if (longs.length < size) {
      longs = new long[Capacity.grown(longs.length, size)];
    }
    return longs;
  }
}
