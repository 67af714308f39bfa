package io.penstock.container.transform;

import io.penstock.plan.XxHash64;
import java.util.Arrays;
import java.util.List;

/**
 * The op {@code vocabulary}: the place of a value in a list, plus 1.
 *
 * <p>Both kinds are hash tables with open addressing and at most half their slots taken; a slot
 * holds a place plus 1, or 0.
 */
sealed interface Vocabulary extends Step {
  /** Values that are bytes, compared byte by byte. */
  final class OfBytes implements Vocabulary {
    /** All values, one after the other. */
    private final byte[] values;

    /** Where each begins, and the end. */
    private final int[] offsets;

    private final int[] slots;
    private final long unknown;

    OfBytes(List<byte[]> values, long unknown) {
      this.unknown = unknown;
      offsets = new int[values.size() + 1];
      for (int place = 0; place < values.size(); place++) {
        offsets[place + 1] = Math.addExact(offsets[place], values.get(place).length);
      }
      this.values = new byte[offsets[values.size()]];
      slots = new int[slots(values.size())];
      for (int place = 0; place < values.size(); place++) {
        byte[] value = values.get(place);
        System.arraycopy(value, 0, this.values, offsets[place], value.length);
        int slot = slot(value, 0, value.length);
        if (slots[slot] != 0) {
          throw new IllegalArgumentException("a value twice: " + Arrays.toString(value));
        }
        slots[slot] = place + 1;
      }
    }

    @Override
    public void run(Block block) {
      block.become(Form.WHOLE);
      for (int i = 0; i < block.size; i++) {
        if (block.isNull(i)) {
          block.wholes[i] = 0;
        } else {
          int place = slots[slot(block.data(i), block.start(i), block.length(i))];
          block.wholes[i] = place == 0 ? unknown : place;
        }
      }
    }

    /** The slot that holds the value, or the free one where it would be. */
    private int slot(byte[] data, int start, int length) {
      int mask = slots.length - 1;
      int slot = (int) XxHash64.hash(data, start, length, 0) & mask;
      while (slots[slot] != 0) {
        int place = slots[slot] - 1;
        if (Arrays.equals(
            values, offsets[place], offsets[place + 1], data, start, start + length)) {
          return slot;
        }
        slot = (slot + 1) & mask;
      }
      return slot;
    }
  }

  /** Values that are whole numbers, by their 64 bits. */
  final class OfWholes implements Vocabulary {
    private final long[] keys;
    private final int[] slots;
    private final long unknown;

    /**
     * @param possible whether each value can occur in the column at all; others just keep their
     *     place
     */
    OfWholes(long[] values, boolean[] possible, long unknown) {
      this.unknown = unknown;
      slots = new int[slots(values.length)];
      keys = new long[slots.length];
      for (int place = 0; place < values.length; place++) {
        if (possible[place]) {
          int slot = slot(values[place]);
          if (slots[slot] != 0) {
            throw new IllegalArgumentException("a value twice: " + values[place]);
          }
          slots[slot] = place + 1;
          keys[slot] = values[place];
        }
      }
    }

    @Override
    public void run(Block block) {
      long[] wholes = block.wholes;
      for (int i = 0; i < block.size; i++) {
        int place = slots[slot(wholes[i])];
        wholes[i] = place == 0 ? unknown : place;
      }
      block.become(Form.WHOLE);
    }

    private int slot(long value) {
      int mask = slots.length - 1;
      int slot = (int) XxHash64.hash(value, 0) & mask;
      while (slots[slot] != 0 && keys[slot] != value) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }
  }

  private static int slots(int values) {
    if (values > 1 << 29) {
      throw new IllegalArgumentException("must be <= 2^29 values: " + values);
    }
    return Integer.highestOneBit(Math.max(values, 1)) << 2;
  }
}
