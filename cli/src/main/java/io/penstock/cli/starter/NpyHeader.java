package io.penstock.cli.starter;

import io.penstock.model.DType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * What the header of a {@code .npy} file says; see {@code numpy.lib.format}.
 *
 * @param descr the element type as NumPy writes it: {@code <f4}
 * @param shape outermost axis first
 */
record NpyHeader(String descr, List<Integer> shape) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int LONGEST = 1 << 16;
  private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9, L]*)\\)");

  NpyHeader {
    shape = List.copyOf(shape);
  }

  /** Reads the header of a {@code .npy} file, or of the only one in an {@code .npz} file. */
  static Optional<NpyHeader> of(byte[] file) {
    boolean zip = file.length > 4 && file[0] == 'P' && file[1] == 'K' && file[2] == 3;
    try {
      return zip ? zipped(file) : plain(file);
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<NpyHeader> zipped(byte[] file) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(file))) {
      ZipEntry entry = zip.getNextEntry();
      if (entry == null) {
        return Optional.empty();
      }
      Optional<NpyHeader> header = plain(zip.readNBytes(LONGEST));
      return zip.getNextEntry() == null ? header : Optional.empty();
    }
  }

  private static Optional<NpyHeader> plain(byte[] file) {
    if (file.length < 12 || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return Optional.empty();
    }
    String text = new String(file, 0, Math.min(file.length, LONGEST), StandardCharsets.ISO_8859_1);
    Matcher descr = DESCR.matcher(text);
    Matcher shape = SHAPE.matcher(text);
    if (!descr.find() || !shape.find()) {
      return Optional.empty();
    }
    List<Integer> axes =
        Arrays.stream(shape.group(1).replace("L", "").split(","))
            .map(String::strip)
            .filter(axis -> !axis.isEmpty())
            .map(Integer::valueOf)
            .toList();
    return Optional.of(new NpyHeader(descr.group(1), axes));
  }

  /** The smallest dtype that holds every element; empty if there is none. */
  Optional<DType> dtype() {
    return Optional.ofNullable(
        switch (descr.isEmpty() ? "" : descr.substring(1)) {
          case "b1" -> DType.BOOL;
          case "u1" -> DType.UINT8;
          case "i1" -> DType.INT8;
          case "i2" -> DType.INT16;
          case "u2", "i4" -> DType.INT32;
          case "u4", "i8", "u8" -> DType.INT64;
          case "f2" -> DType.FLOAT16;
          case "f4" -> DType.FLOAT32;
          case "f8" -> DType.FLOAT64;
          default -> null;
        });
  }
}
