package io.penstock.container.transform;

import io.penstock.feed.Op.DecodeImage.Resize;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * The op {@code decode: image}, by the JDK's own JPEG and PNG readers.
 *
 * <h2>Colours</h2>
 *
 * JPEG components are read raw and converted here, with libjpeg's integer arithmetic, so that no
 * profile in the file has a say. Of 16-bit PNG samples the high byte counts. Palettes are looked
 * up, alpha is dropped. One channel of a coloured image is ITU-R 601-2 luma in 16-bit fixed point,
 * as Pillow's mode {@code L}: {@code (19595 R + 38470 G + 7471 B + 32768) >> 16}. Three channels of
 * a grey one are three times the same.
 *
 * <h2>Resizing</h2>
 *
 * Pixel x of the result lies at {@code (x + 0.5) * from / to - 0.5} of the image, kept within it;
 * the four neighbours are weighted in float64, first along rows, and the sum is rounded to the
 * nearest whole number, ties to even.
 */
record ImageDecoder(int height, int width, int channels, Resize resize) implements ArrayDecoder {
  /** An image takes memory by its size before it is resized. */
  private static final long MOST_PIXELS = 1L << 27;

  @Override
  public int[] decode(byte[] data, int start, int length, Block into) {
    Pixels pixels;
    if (length >= 3 && data[start] == (byte) 0xff && data[start + 1] == (byte) 0xd8) {
      pixels = read("jpeg", data, start, length);
    } else if (length >= 8 && data[start] == (byte) 0x89 && data[start + 1] == 'P') {
      pixels = read("png", data, start, length);
    } else {
      throw new CellFailure(
          0, "must be a JPEG or PNG image: " + length + " bytes of something else");
    }
    into.reset(Form.WHOLE, height * width * channels);
    if (pixels.height == height && pixels.width == width) {
      for (int i = 0; i < into.size; i++) {
        into.wholes[i] = pixels.samples[i] & 0xff;
      }
    } else {
      resize(pixels, into.wholes);
    }
    return new int[] {height, width, channels};
  }

  /** Samples {@code [height, width, channels]}. */
  private record Pixels(int height, int width, byte[] samples) {}

  private Pixels read(String format, byte[] data, int start, int length) {
    String name = format.toUpperCase(Locale.ROOT);
    ImageReader reader = reader(format);
    List<String> warnings = new ArrayList<>();
    reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
    try (ImageInputStream stream =
        new MemoryCacheImageInputStream(new ByteArrayInputStream(data, start, length))) {
      reader.setInput(stream, true, true);
      int imageHeight = reader.getHeight(0);
      int imageWidth = reader.getWidth(0);
      if (resize == Resize.NONE && (imageHeight != height || imageWidth != width)) {
        throw new CellFailure(
            0,
            "must be an image of "
                + height
                + " x "
                + width
                + " (height x width) where resize is none: "
                + imageHeight
                + " x "
                + imageWidth);
      }
      if ((long) imageHeight * imageWidth > MOST_PIXELS) {
        throw new CellFailure(
            0, "must be an image of at most 2^27 pixels: " + imageHeight + " x " + imageWidth);
      }
      Pixels pixels =
          new Pixels(
              imageHeight,
              imageWidth,
              new byte[Math.multiplyExact(imageHeight * imageWidth, channels)]);
      if (format.equals("jpeg")) {
        jpeg(reader, JpegColours.of(data, start, length), pixels);
        // The reader would make up what is missing.
        if (warnings.stream().anyMatch(warning -> warning.startsWith("Truncated"))) {
          throw new CellFailure(0, "not a readable JPEG image: it is cut short");
        }
      } else {
        png(reader.read(0), pixels);
      }
      return pixels;
    } catch (CellFailure e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new CellFailure(0, "not a readable " + name + " image: " + e.getMessage(), e);
    } finally {
      reader.dispose();
    }
  }

  /** The JDK's own, whatever else is registered. */
  private static ImageReader reader(String format) {
    for (Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(format);
        readers.hasNext(); ) {
      ImageReader reader = readers.next();
      if (reader.getClass().getName().startsWith("com.sun.imageio.")) {
        return reader;
      }
      reader.dispose();
    }
    throw new IllegalStateException("this Java has no reader for " + format);
  }

  private void jpeg(ImageReader reader, JpegColours colours, Pixels pixels) throws IOException {
    if (colours == JpegColours.FOUR) {
      throw new CellFailure(0, "a JPEG image must have 1 or 3 components: 4");
    }
    Raster raster = reader.readRaster(0, null);
    if (raster.getNumBands() != colours.components()
        || raster.getTransferType() != DataBuffer.TYPE_BYTE) {
      throw new CellFailure(
          0, "a JPEG image must have 8-bit components, 1 or 3 of them: " + raster.getNumBands());
    }
    byte[] line = null;
    int place = 0;
    for (int y = 0; y < pixels.height; y++) {
      line = (byte[]) raster.getDataElements(0, y, pixels.width, 1, line);
      for (int x = 0; x < pixels.width; x++, place += channels) {
        if (colours == JpegColours.GREY) {
          int grey = line[x] & 0xff;
          put(pixels, place, grey, grey, grey);
        } else {
          int a = line[3 * x] & 0xff;
          int b = line[3 * x + 1] & 0xff;
          int c = line[3 * x + 2] & 0xff;
          if (colours == JpegColours.RGB) {
            put(pixels, place, a, b, c);
          } else {
            int blue = b - 128;
            int red = c - 128;
            put(
                pixels,
                place,
                clamp(a + ((91881 * red + 32768) >> 16)),
                clamp(a + ((-22554 * blue - 46802 * red + 32768) >> 16)),
                clamp(a + ((116130 * blue + 32768) >> 16)));
          }
        }
      }
    }
  }

  private void png(BufferedImage image, Pixels pixels) {
    Raster raster = image.getRaster();
    IndexColorModel palette = image.getColorModel() instanceof IndexColorModel m ? m : null;
    int bands = raster.getNumBands();
    int shift = raster.getTransferType() == DataBuffer.TYPE_USHORT && palette == null ? 8 : 0;
    int[] line = null;
    int place = 0;
    for (int y = 0; y < pixels.height; y++) {
      line = raster.getPixels(0, y, pixels.width, 1, line);
      for (int x = 0; x < pixels.width; x++, place += channels) {
        int first = line[x * bands] >> shift;
        if (palette != null) {
          put(
              pixels,
              place,
              palette.getRed(first),
              palette.getGreen(first),
              palette.getBlue(first));
        } else if (bands < 3) {
          put(pixels, place, first, first, first);
        } else {
          put(pixels, place, first, line[x * bands + 1] >> shift, line[x * bands + 2] >> shift);
        }
      }
    }
  }

  private void put(Pixels pixels, int place, int red, int green, int blue) {
    if (channels == 3) {
      pixels.samples[place] = (byte) red;
      pixels.samples[place + 1] = (byte) green;
      pixels.samples[place + 2] = (byte) blue;
    } else {
      // Equal components give themselves: the weights sum to 2^16.
      pixels.samples[place] = (byte) ((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
    }
  }

  private static int clamp(int sample) {
    return Math.max(0, Math.min(255, sample));
  }

  private void resize(Pixels from, long[] into) {
    int place = 0;
    for (int y = 0; y < height; y++) {
      double sourceY = source(y, from.height, height);
      int top = (int) sourceY;
      int bottom = Math.min(top + 1, from.height - 1);
      double down = sourceY - top;
      for (int x = 0; x < width; x++) {
        double sourceX = source(x, from.width, width);
        int left = (int) sourceX;
        int right = Math.min(left + 1, from.width - 1);
        double across = sourceX - left;
        for (int c = 0; c < channels; c++) {
          double above = mix(sample(from, top, left, c), sample(from, top, right, c), across);
          double below = mix(sample(from, bottom, left, c), sample(from, bottom, right, c), across);
          into[place++] = (long) Math.rint(mix(above, below, down));
        }
      }
    }
  }

  private static double source(int place, int from, int to) {
    return Math.max(0, Math.min(from - 1, (place + 0.5) * from / to - 0.5));
  }

  private static double mix(double a, double b, double share) {
    return a * (1 - share) + b * share;
  }

  private int sample(Pixels pixels, int y, int x, int channel) {
    return pixels.samples[(y * pixels.width + x) * channels + channel] & 0xff;
  }
}
