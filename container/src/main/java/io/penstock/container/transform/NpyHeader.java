package io.penstock.container.transform;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * What the header of a {@code .npy} file says. Such a file (numpy.lib.format) is
 *
 * <pre>
 *   0  93 4e 55 4d 50 59   magic, "\x93NUMPY"
 *   6  major, minor        1.0, 2.0 or 3.0
 *   8  length of the header: 2 bytes in version 1, 4 in versions 2 and 3, little-endian
 *      header              a Python dict: {'descr': '&lt;f8', 'fortran_order': False, 'shape': (3,)}
 *      data                as many numbers as the shape says
 * </pre>
 *
 * A {@code .npz} file is a zip with such files in it.
 *
 * @param descr the element type as NumPy writes it: {@code <f4}
 * @param axes in which order the numbers lie
 * @param shape outermost axis first
 * @param dataAt where the data begins in the file
 */
public record NpyHeader(String descr, Axes axes, List<Integer> shape, int dataAt) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
  private static final Pattern FORTRAN = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9, L]*)\\)");

  /** As much as a look at the header takes. */
  private static final int LOOK_BYTES = 1 << 17;

  /** The order of the numbers. */
  public enum Axes {
    ROW_MAJOR,
    COLUMN_MAJOR
  }

  public NpyHeader {
    shape = List.copyOf(shape);
  }

  /** The header of a {@code .npy} file, or of the only one in an {@code .npz} file. */
  public static Optional<NpyHeader> of(byte[] file) {
    try {
      byte[] npy = isZip(file, 0, file.length) ? unzipped(file, 0, file.length, LOOK_BYTES) : file;
      return Optional.of(read(npy, 0, npy.length));
    } catch (CellFailure e) {
      return Optional.empty();
    }
  }

  static boolean isZip(byte[] data, int start, int length) {
    return length >= 4 && data[start] == 'P' && data[start + 1] == 'K';
  }

  /**
   * The first bytes of the only file in a zip.
   *
   * @param most how many at most
   * @throws CellFailure if it is not readable or has not one file
   */
  static byte[] unzipped(byte[] data, int start, int length, int most) {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(data, start, length))) {
      ZipEntry entry = zip.getNextEntry();
      if (entry == null) {
        throw failure("an .npz file must hold one array: 0");
      }
      byte[] inner = zip.readNBytes(most);
      zip.closeEntry();
      if (zip.getNextEntry() != null) {
        throw failure("an .npz file must hold one array: more than one");
      }
      return inner;
    } catch (IOException e) {
      throw new CellFailure(0, "not a readable .npz file: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the header of a {@code .npy} file.
   *
   * @throws CellFailure if there is none
   */
  static NpyHeader read(byte[] data, int start, int length) {
    if (length < MAGIC.length + 4
        || !Arrays.equals(data, start, start + MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw failure("must be an .npy or .npz file: " + length + " bytes without its magic");
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
    return new NpyHeader(
        find(DESCR, "descr", header),
        find(FORTRAN, "fortran_order", header).equals("True") ? Axes.COLUMN_MAJOR : Axes.ROW_MAJOR,
        shape(find(SHAPE, "shape", header)),
        headerAt + (int) headerLength);
  }

  private static String find(Pattern pattern, String key, String header) {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw failure("an .npy header without " + key + ": " + header.strip());
    }
    return matcher.group(1);
  }

  private static List<Integer> shape(String text) {
    try {
      return Arrays.stream(text.replace("L", "").split(","))
          .map(String::strip)
          .filter(axis -> !axis.isEmpty())
          .map(Integer::valueOf)
          .toList();
    } catch (NumberFormatException e) {
      throw new CellFailure(0, "an array must have axes < 2^31: (" + text + ")", e);
    }
  }

  private static CellFailure failure(String detail) {
    return new CellFailure(0, detail);
  }
}
