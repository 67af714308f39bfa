package io.penstock.container.transform;

import io.penstock.model.DType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The cast of FEED.md ("Types") from the values after the ops to a tensor's bytes.
 *
 * <p>Loops are specialised by form and dtype.
 */
final class Cast {
  static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final double TWO_63 = 0x1p63;
  private static final long HALF_OVERFLOW = (long) Float16.OVERFLOW;

  private Cast() {}

  /**
   * For a whole dtype or bool: turns the block's values into whole numbers of that range. For a
   * float dtype: nothing.
   *
   * @throws CellFailure if a value is not whole or not in range; cells that are null must be 0
   */
  static void prepare(Block block, DType dtype) {
    if (dtype.isFloat()) {
      return;
    }
    long min = least(dtype);
    long max = greatest(dtype);
    long[] wholes = block.wholes;
    switch (block.form) {
      case WHOLE -> {
        if (dtype != DType.INT64) {
          for (int i = 0; i < block.size; i++) {
            if (wholes[i] < min || wholes[i] > max) {
              throw outOfRange(block, i, dtype);
            }
          }
        }
      }
      case UNSIGNED -> {
        for (int i = 0; i < block.size; i++) {
          if (wholes[i] < 0 || wholes[i] > max) {
            throw outOfRange(block, i, dtype);
          }
        }
      }
      case FLOAT -> {
        double[] floats = block.floats;
        block.become(Form.WHOLE);
        wholes = block.wholes;
        for (int i = 0; i < block.size; i++) {
          double v = floats[i];
          long whole = (long) v;
          if ((double) whole != v || v >= TWO_63 || whole < min || whole > max) {
            block.form = Form.FLOAT;
            throw outOfRange(block, i, dtype);
          }
          wholes[i] = whole;
        }
      }
      case BYTES -> throw bytes();
    }
  }

  /**
   * Writes all cells of a prepared block one after the other.
   *
   * @param at place of the first number in {@code out}
   * @throws CellFailure if a finite value would become infinite
   */
  static void store(Block block, DType dtype, byte[] out, int at) {
    switch (dtype) {
      case BOOL, UINT8, INT8 -> storeBytes(block.wholes, block.size, out, at);
      case INT16 -> storeShorts(block.wholes, block.size, out, at);
      case INT32 -> storeInts(block.wholes, block.size, out, at);
      case INT64 -> storeLongs(block.wholes, 0, block.size, out, at);
      case FLOAT16 -> storeFloat16(block, out, at);
      case FLOAT32 -> storeFloat32(block, out, at);
      case FLOAT64 -> storeFloat64(block, out, at);
    }
  }

  static void storeInts(int[] source, int from, int count, byte[] out, int at) {
    for (int i = 0; i < count; i++) {
      INT.set(out, at + 4 * i, source[from + i]);
    }
  }

  static void storeLongs(int[] source, int from, int count, byte[] out, int at) {
    for (int i = 0; i < count; i++) {
      LONG.set(out, at + 8 * i, (long) source[from + i]);
    }
  }

  static void storeLongs(long[] source, int from, int count, byte[] out, int at) {
    for (int i = 0; i < count; i++) {
      LONG.set(out, at + 8 * i, source[from + i]);
    }
  }

  static void storeFloats(float[] source, int from, int count, byte[] out, int at) {
    if (hasNaN(source, from, count)) {
      for (int i = 0; i < count; i++) {
        INT.set(out, at + 4 * i, Float.floatToIntBits(source[from + i]));
      }
    } else {
      ByteBuffer.wrap(out)
          .order(ByteOrder.LITTLE_ENDIAN)
          .position(at)
          .slice()
          .order(ByteOrder.LITTLE_ENDIAN)
          .asFloatBuffer()
          .put(source, from, count);
    }
  }

  /** Whether one is NaN, whose payload must not be copied. */
  static boolean hasNaN(float[] source, int from, int count) {
    int infinity = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    int found = 0;
    for (int i = from; i < from + count; i++) {
      found |= infinity - (Float.floatToRawIntBits(source[i]) & Integer.MAX_VALUE);
    }
    return found < 0;
  }

  static void storeDoubles(double[] source, int from, int count, byte[] out, int at) {
    for (int i = 0; i < count; i++) {
      LONG.set(out, at + 8 * i, Double.doubleToLongBits(source[from + i]));
    }
  }

  private static void storeBytes(long[] source, int count, byte[] out, int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] = (byte) source[i];
    }
  }

  private static void storeShorts(long[] source, int count, byte[] out, int at) {
    for (int i = 0; i < count; i++) {
      SHORT.set(out, at + 2 * i, (short) source[i]);
    }
  }

  private static void storeInts(long[] source, int count, byte[] out, int at) {
    for (int i = 0; i < count; i++) {
      INT.set(out, at + 4 * i, (int) source[i]);
    }
  }

  private static void storeFloat16(Block block, byte[] out, int at) {
    switch (block.form) {
      case WHOLE, UNSIGNED -> {
        long[] wholes = block.wholes;
        long least = block.form == Form.WHOLE ? -HALF_OVERFLOW : -1;
        for (int i = 0; i < block.size; i++) {
          if (wholes[i] <= least || wholes[i] >= HALF_OVERFLOW) {
            throw infinite(block, i, DType.FLOAT16);
          }
          SHORT.set(out, at + 2 * i, Float16.bits(wholes[i]));
        }
      }
      case FLOAT -> {
        double[] floats = block.floats;
        for (int i = 0; i < block.size; i++) {
          double v = floats[i];
          if (Math.abs(v) >= Float16.OVERFLOW && !Double.isInfinite(v)) {
            throw infinite(block, i, DType.FLOAT16);
          }
          SHORT.set(out, at + 2 * i, Float16.bits(v));
        }
      }
      case BYTES -> throw bytes();
    }
  }

  private static void storeFloat32(Block block, byte[] out, int at) {
    switch (block.form) {
      case WHOLE -> {
        long[] wholes = block.wholes;
        for (int i = 0; i < block.size; i++) {
          INT.set(out, at + 4 * i, Float.floatToRawIntBits((float) wholes[i]));
        }
      }
      case UNSIGNED -> {
        long[] wholes = block.wholes;
        for (int i = 0; i < block.size; i++) {
          INT.set(out, at + 4 * i, Float.floatToRawIntBits(Conversion.unsignedToFloat(wholes[i])));
        }
      }
      case FLOAT -> {
        double[] floats = block.floats;
        for (int i = 0; i < block.size; i++) {
          double v = floats[i];
          float rounded = (float) v;
          if (Float.isInfinite(rounded) && !Double.isInfinite(v)) {
            throw infinite(block, i, DType.FLOAT32);
          }
          INT.set(out, at + 4 * i, Float.floatToIntBits(rounded));
        }
      }
      case BYTES -> throw bytes();
    }
  }

  private static void storeFloat64(Block block, byte[] out, int at) {
    switch (block.form) {
      case WHOLE -> {
        long[] wholes = block.wholes;
        for (int i = 0; i < block.size; i++) {
          LONG.set(out, at + 8 * i, Double.doubleToRawLongBits((double) wholes[i]));
        }
      }
      case UNSIGNED -> {
        long[] wholes = block.wholes;
        for (int i = 0; i < block.size; i++) {
          LONG.set(
              out, at + 8 * i, Double.doubleToRawLongBits(Conversion.unsignedToDouble(wholes[i])));
        }
      }
      case FLOAT -> storeDoubles(block.floats, 0, block.size, out, at);
      case BYTES -> throw bytes();
    }
  }

  private static long least(DType dtype) {
    return switch (dtype) {
      case BOOL, UINT8 -> 0;
      case INT8 -> Byte.MIN_VALUE;
      case INT16 -> Short.MIN_VALUE;
      case INT32 -> Integer.MIN_VALUE;
      case INT64 -> Long.MIN_VALUE;
      case FLOAT16, FLOAT32, FLOAT64 -> throw new IllegalArgumentException(dtype.text());
    };
  }

  private static long greatest(DType dtype) {
    return switch (dtype) {
      case BOOL -> 1;
      case UINT8 -> 255;
      case INT8 -> Byte.MAX_VALUE;
      case INT16 -> Short.MAX_VALUE;
      case INT32 -> Integer.MAX_VALUE;
      case INT64 -> Long.MAX_VALUE;
      case FLOAT16, FLOAT32, FLOAT64 -> throw new IllegalArgumentException(dtype.text());
    };
  }

  private static CellFailure outOfRange(Block block, int cell, DType dtype) {
    String range =
        dtype == DType.BOOL
            ? "0 or 1"
            : "a whole number in " + least(dtype) + ".." + greatest(dtype);
    return new CellFailure(
        cell, "must be " + range + " to become " + dtype.text() + ": " + block.text(cell));
  }

  private static CellFailure infinite(Block block, int cell, DType dtype) {
    return new CellFailure(cell, "must stay finite as " + dtype.text() + ": " + block.text(cell));
  }

  private static IllegalStateException bytes() {
    return new IllegalStateException("bytes without an op that makes numbers of them");
  }
}
