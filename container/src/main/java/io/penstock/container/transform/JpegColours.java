package io.penstock.container.transform;

import java.nio.charset.StandardCharsets;

/**
 * What the components of a JPEG image are, decided like libjpeg from the markers before the scan.
 */
enum JpegColours {
  GREY(1),
  RGB(3),
  YCBCR(3),
  /** CMYK or YCCK. */
  FOUR(4);

  private static final int START_OF_SCAN = 0xda;
  private static final int APP0 = 0xe0;
  private static final int APP14 = 0xee;

  private final int components;

  JpegColours(int components) {
    this.components = components;
  }

  int components() {
    return components;
  }

  /**
   * @throws CellFailure if no frame header is found
   */
  static JpegColours of(byte[] data, int start, int length) {
    boolean jfif = false;
    int adobeTransform = -1;
    int end = start + length;
    int at = start + 2;
    while (at + 4 <= end) {
      int marker = data[at + 1] & 0xff;
      if (data[at] != (byte) 0xff || marker == START_OF_SCAN) {
        break;
      }
      if (marker == 0xff) {
        at++;
        continue;
      }
      int size = (data[at + 2] & 0xff) << 8 | data[at + 3] & 0xff;
      if (size < 2 || at + 2 + size > end) {
        break;
      }
      if (marker == APP0 && starts(data, at + 4, size - 2, "JFIF\0")) {
        jfif = true;
      } else if (marker == APP14 && starts(data, at + 4, size - 2, "Adobe") && size >= 14) {
        adobeTransform = data[at + 15] & 0xff;
      } else if (isFrame(marker) && size >= 8) {
        // The frame header comes after the application segments that matter.
        return of(data, at, size, jfif, adobeTransform);
      }
      at += 2 + size;
    }
    throw new CellFailure(0, "not a readable JPEG image: no frame header");
  }

  private static JpegColours of(byte[] data, int at, int size, boolean jfif, int adobeTransform) {
    int components = data[at + 9] & 0xff;
    switch (components) {
      case 1:
        return GREY;
      case 4:
        return FOUR;
      case 3:
        break;
      default:
        throw new CellFailure(0, "a JPEG image must have 1 or 3 components: " + components);
    }
    if (size < 8 + 3 * 3) {
      throw new CellFailure(0, "not a readable JPEG image: its frame header is cut short");
    }
    if (jfif) {
      return YCBCR;
    }
    if (adobeTransform >= 0) {
      return adobeTransform == 0 ? RGB : YCBCR;
    }
    boolean named = data[at + 10] == 'R' && data[at + 13] == 'G' && data[at + 16] == 'B';
    return named ? RGB : YCBCR;
  }

  private static boolean isFrame(int marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
  }

  private static boolean starts(byte[] data, int at, int size, String text) {
    byte[] wanted = text.getBytes(StandardCharsets.ISO_8859_1);
    if (size < wanted.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (data[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }
}
