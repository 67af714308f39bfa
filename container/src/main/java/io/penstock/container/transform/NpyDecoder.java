package io.penstock.container.transform;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The op {@code decode: npy}.
 *
 * <p>A {@code .npy} file (numpy.lib.format) is
 *
 * <pre>
 *   0  93 4e 55 4d 50 59   magic, "\x93NUMPY"
 *   6  major, minor        1.0, 2.0 or 3.0
 *   8  length of the header: 2 bytes in version 1, 4 in versions 2 and 3, little-endian
 *      header              a Python dict: {'descr': '&lt;f8', 'fortran_order': False, 'shape': (3,)}
 *      data                as many numbers as the shape says
 * </pre>
 *
 * Element types: bool, whole numbers of 1 to 8 bytes, floats of 2, 4 and 8 bytes, in either byte
 * order. A {@code .npz} file is a zip with one such file in it.
 */
final class NpyDecoder implements ArrayDecoder {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
  private static final Pattern FORTRAN = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9, L]*)\\)");
  private static final Pattern TYPE = Pattern.compile("([<>|=])([biuf])([1248])");

  /** Of what a compressed array becomes; a row of a tensor can't be larger. */
  private static final int MOST_BYTES = 1 << 30;

  @Override
  public int[] decode(byte[] data, int start, int length, Block into) {
    if (length >= 4 && data[start] == 'P' && data[start + 1] == 'K') {
      byte[] inner = unzip(data, start, length);
      return decodeNpy(inner, 0, inner.length, into);
    }
    return decodeNpy(data, start, length, into);
  }

  private static byte[] unzip(byte[] data, int start, int length) {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(data, start, length))) {
      ZipEntry entry = zip.getNextEntry();
      if (entry == null) {
        throw failure("an .npz file must hold one array: 0");
      }
      byte[] inner = zip.readNBytes(MOST_BYTES);
      if (inner.length == MOST_BYTES) {
        throw failure("an array must have < 2^30 bytes");
      }
      zip.closeEntry();
      if (zip.getNextEntry() != null) {
        throw failure("an .npz file must hold one array: more than one");
      }
      return inner;
    } catch (IOException e) {
      throw new CellFailure(0, "not a readable .npz file: " + e.getMessage(), e);
    }
  }

  private int[] decodeNpy(byte[] data, int start, int length, Block into) {
    for (int i = 0; i < MAGIC.length; i++) {
      if (length < MAGIC.length + 4 || data[start + i] != MAGIC[i]) {
        throw failure("must be an .npy or .npz file: " + length + " bytes without its magic");
      }
    }
    ByteBuffer buffer = ByteBuffer.wrap(data, start, length).slice();
    buffer.order(ByteOrder.LITTLE_ENDIAN);
    int major = buffer.get(6);
    if (major < 1 || major > 3) {
      throw failure("must be .npy version 1, 2 or 3: " + major);
    }
    int headerAt = major == 1 ? 10 : 12;
    if (length < headerAt) {
      throw failure("an .npy file is cut short: " + length + " bytes");
    }
    long headerLength =
        major == 1
            ? Short.toUnsignedInt(buffer.getShort(8))
            : Integer.toUnsignedLong(buffer.getInt(8));
    if (headerLength > length - headerAt) {
      throw failure("an .npy file is cut short: " + length + " bytes");
    }
    String header =
        new String(data, start + headerAt, (int) headerLength, StandardCharsets.ISO_8859_1);
    Matcher type = TYPE.matcher(find(DESCR, "descr", header));
    if (!type.matches()) {
      throw failure(
          "an array must be of bool, whole numbers or floats of at most 8 bytes: "
              + find(DESCR, "descr", header));
    }
    int[] shape = shape(find(SHAPE, "shape", header));
    long cells = 1;
    for (int axis : shape) {
      cells = Math.min(cells * axis, Integer.MAX_VALUE);
    }
    int size = type.group(3).charAt(0) - '0';
    int dataAt = headerAt + (int) headerLength;
    if (length - dataAt != cells * size) {
      throw failure(
          "an array of the shape "
              + Arrays.toString(shape)
              + " must have "
              + cells * size
              + " bytes: "
              + (length - dataAt));
    }
    ByteBuffer numbers = buffer.position(dataAt).slice();
    numbers.order(type.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    boolean fortran = find(FORTRAN, "fortran_order", header).equals("True");
    into.reset(Form.WHOLE, (int) cells);
    read(numbers, type.group(2).charAt(0), size, fortran ? columnMajor(shape) : null, into);
    return shape;
  }

  private static String find(Pattern pattern, String key, String header) {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw failure("an .npy header without " + key + ": " + header.strip());
    }
    return matcher.group(1);
  }

  private static int[] shape(String text) {
    try {
      return Arrays.stream(text.replace("L", "").split(","))
          .map(String::strip)
          .filter(axis -> !axis.isEmpty())
          .mapToInt(Integer::parseInt)
          .toArray();
    } catch (NumberFormatException e) {
      throw new CellFailure(0, "an array must have axes < 2^31: (" + text + ")", e);
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

  private static void read(ByteBuffer numbers, char kind, int size, int[] places, Block into) {
    String name = String.format(Locale.ROOT, "%c%d", kind, size);
    switch (kind) {
      case 'f' -> into.become(Form.FLOAT);
      case 'u' -> into.become(size == 8 ? Form.UNSIGNED : Form.WHOLE);
      default -> into.become(Form.WHOLE);
    }
    for (int cell = 0; cell < into.size; cell++) {
      int at = (places == null ? cell : places[cell]) * size;
      switch (name) {
        case "b1", "u1" -> into.wholes[cell] = Byte.toUnsignedInt(numbers.get(at));
        case "i1" -> into.wholes[cell] = numbers.get(at);
        case "u2" -> into.wholes[cell] = Short.toUnsignedInt(numbers.getShort(at));
        case "i2" -> into.wholes[cell] = numbers.getShort(at);
        case "u4" -> into.wholes[cell] = Integer.toUnsignedLong(numbers.getInt(at));
        case "i4" -> into.wholes[cell] = numbers.getInt(at);
        case "u8", "i8" -> into.wholes[cell] = numbers.getLong(at);
        case "f2" -> into.floats[cell] = Float16.value(numbers.getShort(at));
        case "f4" -> into.floats[cell] = numbers.getFloat(at);
        case "f8" -> into.floats[cell] = numbers.getDouble(at);
        default -> throw failure("an array must be of bool, whole numbers or floats: " + name);
      }
    }
  }

  private static CellFailure failure(String detail) {
    return new CellFailure(0, detail);
  }
}
