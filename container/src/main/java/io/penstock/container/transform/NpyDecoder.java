package io.penstock.container.transform;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The op {@code decode: npy}: files as {@link NpyHeader} describes them, with one array in it if it
 * is a zip. Element types: bool, whole numbers of 1 to 8 bytes, floats of 2, 4 and 8 bytes, in
 * either byte order.
 */
final class NpyDecoder implements ArrayDecoder {
  private static final Pattern TYPE = Pattern.compile("([<>|=])([biuf][1248])");

  /** Of what a compressed array becomes; a row of a tensor can't be larger. */
  private static final int MOST_BYTES = 1 << 30;

  @Override
  public int[] decode(byte[] data, int start, int length, Block into) {
    if (NpyHeader.isZip(data, start, length)) {
      byte[] inner = NpyHeader.unzipped(data, start, length, MOST_BYTES);
      if (inner.length == MOST_BYTES) {
        throw failure("an array must have < 2^30 bytes");
      }
      return decodeNpy(inner, 0, inner.length, into);
    }
    return decodeNpy(data, start, length, into);
  }

  private static int[] decodeNpy(byte[] data, int start, int length, Block into) {
    NpyHeader header = NpyHeader.read(data, start, length);
    Matcher type = TYPE.matcher(header.descr());
    if (!type.matches()) {
      throw failure(
          "an array must be of bool, whole numbers or floats of at most 8 bytes: "
              + header.descr());
    }
    int[] shape = header.shape().stream().mapToInt(Integer::intValue).toArray();
    long cells = 1;
    for (int axis : shape) {
      cells = Math.min(cells * axis, Integer.MAX_VALUE);
    }
    String element = type.group(2);
    int size = element.charAt(1) - '0';
    if (length - header.dataAt() != cells * size) {
      throw failure(
          "an array of the shape "
              + Arrays.toString(shape)
              + " must have "
              + cells * size
              + " bytes: "
              + (length - header.dataAt()));
    }
    ByteBuffer numbers =
        ByteBuffer.wrap(data, start + header.dataAt(), length - header.dataAt()).slice();
    numbers.order(type.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    into.reset(
        switch (element.charAt(0)) {
          case 'f' -> Form.FLOAT;
          case 'u' -> size == 8 ? Form.UNSIGNED : Form.WHOLE;
          default -> Form.WHOLE;
        },
        (int) cells);
    read(numbers, element, into);
    if (header.axes() == NpyHeader.Axes.COLUMN_MAJOR) {
      rowMajor(columnMajor(shape), into);
    }
    return shape;
  }

  /** Puts numbers that lie in column-major order into row-major order. */
  private static void rowMajor(int[] places, Block block) {
    if (block.form == Form.FLOAT) {
      double[] from = Arrays.copyOf(block.floats, block.size);
      for (int cell = 0; cell < block.size; cell++) {
        block.floats[cell] = from[places[cell]];
      }
    } else {
      long[] from = Arrays.copyOf(block.wholes, block.size);
      for (int cell = 0; cell < block.size; cell++) {
        block.wholes[cell] = from[places[cell]];
      }
    }
  }

  /** Where the numbers of an array in row-major order lie in one in column-major order. */
  private static int[] columnMajor(int[] shape) {
    int[] places = new int[Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
    int[] index = new int[shape.length];
    for (int cell = 0; cell < places.length; cell++) {
      int place = 0;
      for (int axis = index.length - 1; axis >= 0; axis--) {
        place = place * shape[axis] + index[axis];
      }
      places[cell] = place;
      for (int axis = index.length - 1; axis >= 0 && ++index[axis] == shape[axis]; axis--) {
        index[axis] = 0;
      }
    }
    return places;
  }

  private static void read(ByteBuffer numbers, String element, Block into) {
    int count = into.size;
    long[] wholes = into.wholes;
    double[] floats = into.floats;
    switch (element) {
      case "b1", "u1" -> {
        for (int k = 0; k < count; k++) {
          wholes[k] = Byte.toUnsignedInt(numbers.get(k));
        }
      }
      case "i1" -> {
        for (int k = 0; k < count; k++) {
          wholes[k] = numbers.get(k);
        }
      }
      case "u2" -> {
        for (int k = 0; k < count; k++) {
          wholes[k] = Short.toUnsignedInt(numbers.getShort(2 * k));
        }
      }
      case "i2" -> {
        for (int k = 0; k < count; k++) {
          wholes[k] = numbers.getShort(2 * k);
        }
      }
      case "u4" -> {
        for (int k = 0; k < count; k++) {
          wholes[k] = Integer.toUnsignedLong(numbers.getInt(4 * k));
        }
      }
      case "i4" -> {
        for (int k = 0; k < count; k++) {
          wholes[k] = numbers.getInt(4 * k);
        }
      }
      case "u8", "i8" -> numbers.asLongBuffer().get(wholes, 0, count);
      case "f2" -> {
        for (int k = 0; k < count; k++) {
          floats[k] = Float16.value(numbers.getShort(2 * k));
        }
      }
      case "f4" -> {
        for (int k = 0; k < count; k++) {
          floats[k] = numbers.getFloat(4 * k);
        }
      }
      case "f8" -> numbers.asDoubleBuffer().get(floats, 0, count);
      default -> throw failure("an array must be of bool, whole numbers or floats: " + element);
    }
  }

  private static CellFailure failure(String detail) {
    return new CellFailure(0, detail);
  }
}
