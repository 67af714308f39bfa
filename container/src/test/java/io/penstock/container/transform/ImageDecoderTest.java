package io.penstock.container.transform;

import static io.penstock.container.transform.NpyDecoderTest.resource;
import static io.penstock.container.transform.TestingFeeds.BYTES;
import static io.penstock.container.transform.TestingFeeds.binary;
import static io.penstock.container.transform.TestingFeeds.bytes;
import static io.penstock.container.transform.TestingFeeds.column;
import static io.penstock.container.transform.TestingFeeds.image;
import static io.penstock.container.transform.TestingFeeds.one;
import static io.penstock.container.transform.TestingFeeds.standardize;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.feed.BoundTensor;
import io.penstock.feed.Op.DecodeImage.Resize;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Images and their pixels by Pillow; see make.py beside the test's resources. */
class ImageDecoderTest {
  private static byte[] decoded(byte[] file, int height, int width, int channels, Resize resize) {
    BoundTensor tensor =
        one(
            "x",
            DType.UINT8,
            column("c", BYTES, image(height, width, channels, resize)),
            height,
            width,
            channels);
    return bytes(tensor, binary(file));
  }

  private static void fails(byte[] file, String detail) {
    DataException e =
        assertThrows(DataException.class, () -> decoded(file, 13, 19, 3, Resize.NONE));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column c, row 0: tensor x: " + detail,
        e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "photo.jpg",
        "full.jpg",
        "half.jpg",
        "progressive.jpg",
        "tagged.jpg",
        "raw.jpg",
        "grey.jpg",
        "colour.png",
        "alpha.png",
        "grey.png",
        "greyalpha.png",
        "palette.png",
        "bit.png"
      })
  void pixelsAreThoseOfPillow(String name) {
    byte[] file = resource(name);
    assertArrayEquals(resource(name + ".rgb"), decoded(file, 13, 19, 3, Resize.NONE));
    assertArrayEquals(resource(name + ".grey"), decoded(file, 13, 19, 1, Resize.NONE));
  }

  @Test
  void orientationAndProfileAreIgnored() {
    assertArrayEquals(
        decoded(resource("photo.jpg"), 13, 19, 3, Resize.NONE),
        decoded(resource("tagged.jpg"), 13, 19, 3, Resize.NONE));
  }

  @Test
  void ofSixteenBitsTheHighByteCounts() {
    assertArrayEquals(
        resource("deep.png.grey"), decoded(resource("deep.png"), 13, 19, 1, Resize.NONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5x7", "26x30", "1x1", "13x40"})
  void resizingIsBilinearWithHalfPixelCentres(String size) {
    int height = Integer.parseInt(size.substring(0, size.indexOf('x')));
    int width = Integer.parseInt(size.substring(size.indexOf('x') + 1));
    assertArrayEquals(
        resource("colour.png." + size),
        decoded(resource("colour.png"), height, width, 3, Resize.BILINEAR));
  }

  @Test
  void anImageOfTheRightSizeIsNotResized() {
    assertArrayEquals(
        resource("colour.png.rgb"), decoded(resource("colour.png"), 13, 19, 3, Resize.BILINEAR));
  }

  @Test
  void opsGoOnWithThePixels() {
    BoundTensor tensor =
        one(
            "x",
            DType.FLOAT32,
            column(
                "c",
                BYTES,
                image(13, 19, 3, Resize.NONE),
                standardize(Map.of("c", 127.5), Map.of("c", 127.5))),
            13,
            19,
            3);
    byte[] block = bytes(tensor, binary(resource("colour.png")));
    byte[] pixels = resource("colour.png.rgb");
    ByteBuffer floats = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    for (byte pixel : pixels) {
      assertEquals((float) (((pixel & 0xff) - 127.5) / 127.5), floats.getFloat());
    }
  }

  @Test
  void anotherSizeIsAnErrorUnlessItIsToBeResized() {
    DataException e =
        assertThrows(
            DataException.class, () -> decoded(resource("photo.jpg"), 19, 13, 3, Resize.NONE));
    assertEquals(
        "file hdfs:///data/part-0.parquet, row group 3, column c, row 0: tensor x: must be an image"
            + " of 19 x 13 (height x width) where resize is none: 13 x 19",
        e.getMessage());
  }

  @Test
  void whatIsNoImageIsNamed() {
    fails(new byte[] {'G', 'I', 'F'}, "must be a JPEG or PNG image: 3 bytes of something else");
    fails(resource("four.jpg"), "a JPEG image must have 1 or 3 components: 4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"photo.jpg", "progressive.jpg", "grey.jpg"})
  void aJpegCutAnywhereIsAnErrorThatNamesTheRow(String name) {
    byte[] file = resource(name);
    for (int length = 0; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      DataException e =
          assertThrows(
              DataException.class,
              () -> decoded(cut, 13, 19, 3, Resize.NONE),
              name + " cut to " + length);
      assertEquals(0, e.place().row().orElseThrow());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"colour.png", "palette.png", "grey.png"})
  void aPngCutBeforeItsLastPixelIsAnErrorThatNamesTheRow(String name) {
    byte[] file = resource(name);
    // After the pixels come checksums and the end chunk.
    for (int length = 0; length < file.length - 21; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      DataException e =
          assertThrows(
              DataException.class,
              () -> decoded(cut, 13, 19, 3, Resize.NONE),
              name + " cut to " + length);
      assertEquals(0, e.place().row().orElseThrow());
    }
  }
}
