package io.penstock.container.transform;

import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Brings a column's values into a block.
 *
 * @param type what the values are
 * @param form what they become
 */
record Loading(ColumnType type, Form form) {
  /** 10^0 to 10^22: those that float64 holds exactly. */
  private static final double[] TENS = new double[23];

  private static final long EXACT = 1L << 53;

  static {
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = Double.parseDouble("1e" + i);
    }
  }

  /** The loading of a column of which {@code unscaled} is or is not the first op. */
  static Loading of(ColumnType type, Decimals decimals) {
    return new Loading(
        type,
        type.kind() == Kind.DECIMAL && decimals == Decimals.UNSCALED
            ? Form.WHOLE
            : Form.of(type.kind()));
  }

  /** What a decimal becomes. */
  enum Decimals {
    NEAREST,
    UNSCALED
  }

  /**
   * Fills the block with items {@code from} up to {@code from + count}.
   *
   * @param valid by item, or null where none is null
   */
  void load(Values values, boolean[] valid, int from, int count, Block block) {
    block.reset(form, count);
    if (valid != null) {
      states(valid, from, count, block);
    }
    if (values instanceof Values.Dictionary dictionary) {
      loadIndexed(dictionary, from, count, block);
    } else {
      loadPlain(values, from, count, block);
      zeroNulls(block);
    }
  }

  private static void states(boolean[] valid, int from, int count, Block block) {
    int nulls = 0;
    for (int i = 0; i < count; i++) {
      nulls += valid[from + i] ? 0 : 1;
    }
    if (nulls > 0) {
      block.state();
      for (int i = 0; i < count; i++) {
        block.states[i] = valid[from + i] ? Block.VALUE : Block.NULL;
      }
    }
  }

  private static void zeroNulls(Block block) {
    if (!block.stated) {
      return;
    }
    switch (block.form) {
      case WHOLE, UNSIGNED -> {
        for (int i = 0; i < block.size; i++) {
          block.wholes[i] = block.states[i] == Block.NULL ? 0 : block.wholes[i];
        }
      }
      case FLOAT -> {
        for (int i = 0; i < block.size; i++) {
          block.floats[i] = block.states[i] == Block.NULL ? 0 : block.floats[i];
        }
      }
      case BYTES -> {}
    }
  }

  private void loadPlain(Values values, int from, int count, Block block) {
    if (values instanceof Values.Ints ints) {
      loadInts(ints.array(), from, count, block);
    } else if (values instanceof Values.Longs longs) {
      loadLongs(longs.array(), from, count, block);
    } else if (values instanceof Values.Floats floats) {
      float[] source = floats.array();
      double[] target = floatsOf(block, values);
      for (int i = 0; i < count; i++) {
        target[i] = source[from + i];
      }
    } else if (values instanceof Values.Doubles doubles) {
      System.arraycopy(doubles.array(), from, floatsOf(block, values), 0, count);
    } else if (values instanceof Values.Bytes bytes) {
      loadBytes(bytes, from, count, block);
    } else {
      throw unexpected(values);
    }
  }

  private void loadInts(int[] source, int from, int count, Block block) {
    switch (form) {
      case WHOLE, UNSIGNED -> {
        long[] target = block.wholes;
        for (int i = 0; i < count; i++) {
          target[i] = source[from + i];
        }
      }
      case FLOAT -> {
        requireDecimal();
        for (int i = 0; i < count; i++) {
          block.floats[i] = nearest(source[from + i]);
        }
      }
      case BYTES -> throw unexpected(new Values.Ints(source));
    }
  }

  private void loadLongs(long[] source, int from, int count, Block block) {
    switch (form) {
      case WHOLE, UNSIGNED -> System.arraycopy(source, from, block.wholes, 0, count);
      case FLOAT -> {
        requireDecimal();
        for (int i = 0; i < count; i++) {
          block.floats[i] = nearest(source[from + i]);
        }
      }
      case BYTES -> throw unexpected(new Values.Longs(source));
    }
  }

  private void loadBytes(Values.Bytes bytes, int from, int count, Block block) {
    if (form == Form.BYTES) {
      block.bytes = bytes;
      for (int i = 0; i < count; i++) {
        block.refs[i] = from + i;
      }
      return;
    }
    requireDecimal();
    for (int i = 0; i < count; i++) {
      loadWide(bytes, from + i, i, block);
    }
  }

  private void loadIndexed(Values.Dictionary dictionary, int from, int count, Block block) {
    int[] indices = dictionary.indices();
    Values entries = dictionary.entries();
    if (entries instanceof Values.Bytes bytes && form == Form.BYTES) {
      block.bytes = bytes;
    }
    for (int i = 0; i < count; i++) {
      if (block.isNull(i)) {
        set(block, i, 0, 0, 0);
      } else {
        loadEntry(entries, indices[from + i], i, block);
      }
    }
  }

  private void loadEntry(Values entries, int entry, int cell, Block block) {
    if (entries instanceof Values.Ints ints) {
      int value = ints.array()[entry];
      set(block, cell, value, form == Form.FLOAT ? nearest(value) : 0, 0);
    } else if (entries instanceof Values.Longs longs) {
      long value = longs.array()[entry];
      set(block, cell, value, form == Form.FLOAT ? nearest(value) : 0, 0);
    } else if (entries instanceof Values.Floats floats) {
      floatsOf(block, entries)[cell] = floats.array()[entry];
    } else if (entries instanceof Values.Doubles doubles) {
      floatsOf(block, entries)[cell] = doubles.array()[entry];
    } else if (entries instanceof Values.Bytes bytes) {
      if (form == Form.BYTES) {
        block.refs[cell] = entry;
      } else {
        loadWide(bytes, entry, cell, block);
      }
    } else {
      throw unexpected(entries);
    }
  }

  private static void set(Block block, int cell, long whole, double number, int ref) {
    switch (block.form) {
      case WHOLE, UNSIGNED -> block.wholes[cell] = whole;
      case FLOAT -> block.floats[cell] = number;
      case BYTES -> block.refs[cell] = ref;
    }
  }

  /** A decimal too wide for a long: two's complement, most significant byte first. */
  private void loadWide(Values.Bytes bytes, int item, int cell, Block block) {
    if (block.isNull(cell)) {
      return;
    }
    int start = bytes.offsets()[item];
    int length = bytes.offsets()[item + 1] - start;
    if (length == 0) {
      throw new CellFailure(cell, "a decimal must have at least one byte: 0");
    }
    BigInteger unscaled = new BigInteger(bytes.data(), start, length);
    if (form == Form.FLOAT) {
      block.floats[cell] = new BigDecimal(unscaled, type.scale()).doubleValue();
    } else if (unscaled.bitLength() < Long.SIZE) {
      block.wholes[cell] = unscaled.longValue();
    } else {
      throw new CellFailure(cell, "must fit a signed 64-bit number to be unscaled: " + unscaled);
    }
  }

  /** The float64 nearest to {@code unscaled / 10^scale}. */
  private double nearest(long unscaled) {
    int scale = type.scale();
    if (scale >= 0 && scale < TENS.length && unscaled >= -EXACT && unscaled <= EXACT) {
      // Both are exact, so the one rounding is that of the division.
      return unscaled / TENS[scale];
    }
    return BigDecimal.valueOf(unscaled, scale).doubleValue();
  }

  private double[] floatsOf(Block block, Values values) {
    if (form != Form.FLOAT) {
      throw unexpected(values);
    }
    return block.floats;
  }

  private void requireDecimal() {
    if (type.kind() != Kind.DECIMAL) {
      throw new IllegalStateException("not values of a decimal: " + type);
    }
  }

  private IllegalStateException unexpected(Values values) {
    return new IllegalStateException(
        values.getClass().getSimpleName() + " are no values of " + type);
  }
}
