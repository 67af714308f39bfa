package io.penstock.cli.starter;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What the header of an image says.
 *
 * <pre>
 *   PNG   89 "PNG" 0d 0a 1a 0a, length, "IHDR", width (4), height (4), depth (1), colour type (1)
 *   JPEG  ff d8, then segments: ff, marker, length (2, itself included), ...; the size stands in the
 *         one with a marker from c0 to cf (but c4, c8 and cc): depth (1), height (2), width (2), parts (1)
 * </pre>
 *
 * @param channels 1 for grey, else 3
 */
record ImageHeader(int height, int width, int channels) {
  private static final long PNG_MAGIC = 0x89504e470d0a1a0aL;
  private static final int PNG_GREY = 0;
  private static final int PNG_GREY_ALPHA = 4;

  /** Reads it; empty if the bytes are neither PNG nor JPEG. */
  static Optional<ImageHeader> of(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file);
    if (file.length >= 26 && in.getLong(0) == PNG_MAGIC) {
      int colour = file[25];
      int channels = colour == PNG_GREY || colour == PNG_GREY_ALPHA ? 1 : 3;
      return sized(in.getInt(20), in.getInt(16), channels);
    }
    if (file.length >= 4 && in.getShort(0) == (short) 0xffd8) {
      return jpeg(in);
    }
    return Optional.empty();
  }

  private static Optional<ImageHeader> jpeg(ByteBuffer in) {
    int at = 2;
    while (at + 10 <= in.limit() && in.get(at) == (byte) 0xff) {
      int marker = Byte.toUnsignedInt(in.get(at + 1));
      if (marker == 0xff) {
        at++;
        continue;
      }
      boolean frame =
          marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
      if (frame) {
        return sized(
            Short.toUnsignedInt(in.getShort(at + 5)),
            Short.toUnsignedInt(in.getShort(at + 7)),
            in.get(at + 9) == 1 ? 1 : 3);
      }
      at += 2 + Short.toUnsignedInt(in.getShort(at + 2));
    }
    return Optional.empty();
  }

  private static Optional<ImageHeader> sized(int height, int width, int channels) {
    return height < 1 || width < 1
        ? Optional.empty()
        : Optional.of(new ImageHeader(height, width, channels));
  }
}
