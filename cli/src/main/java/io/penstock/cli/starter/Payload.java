package io.penstock.cli.starter;

import io.penstock.container.transform.NpyHeader;
import io.penstock.model.DType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the bytes of a column are. */
sealed interface Payload {
  /** Names, words, keys: something that can be hashed. */
  record Text() implements Payload {}

  /** NumPy arrays of one shape. */
  record Arrays(DType dtype, List<Integer> shape, String descr) implements Payload {}

  /**
   * JPEG or PNG.
   *
   * @param sizes how many sizes were seen; the header is that of the most frequent one
   */
  record Images(ImageHeader header, int sizes) implements Payload {}

  /** Nothing that an op makes numbers of. */
  record Unknown(String reason) implements Payload {}

  /**
   * Tells what values are.
   *
   * @param values none of them null
   */
  static Payload of(List<byte[]> values) {
    if (values.isEmpty()) {
      return new Text();
    }
    List<NpyHeader> arrays = values.stream().flatMap(v -> NpyHeader.of(v).stream()).toList();
    if (arrays.size() == values.size()) {
      return arrays(arrays);
    }
    List<ImageHeader> images = values.stream().flatMap(v -> ImageHeader.of(v).stream()).toList();
    if (images.size() == values.size()) {
      return images(images);
    }
    if (arrays.size() + images.size() > 0) {
      return new Unknown(
          "arrays or images in only %d of %d values"
              .formatted(arrays.size() + images.size(), values.size()));
    }
    // Keys of a fixed width, UUIDs among them, are hashed although they are no text.
    int width = values.get(0).length;
    boolean key = width <= 32 && values.stream().allMatch(value -> value.length == width);
    if (key || values.stream().allMatch(value -> text(value).isPresent())) {
      return new Text();
    }
    return new Unknown("bytes of no known format; a class of your own could read them");
  }

  private static Payload arrays(List<NpyHeader> arrays) {
    List<String> kinds =
        arrays.stream().map(array -> array.descr() + " " + array.shape()).distinct().toList();
    NpyHeader first = arrays.get(0);
    if (kinds.size() > 1) {
      return new Unknown(
          "NumPy arrays that differ: %s and %s; decode: npy needs one shape"
              .formatted(kinds.get(0), kinds.get(1)));
    }
    Optional<DType> dtype = dtype(first.descr());
    if (dtype.isEmpty()) {
      return new Unknown("NumPy arrays of " + first.descr() + ", for which there is no dtype");
    }
    if (first.shape().contains(0)) {
      return new Unknown("NumPy arrays without elements: shape " + first.shape());
    }
    return new Arrays(dtype.get(), first.shape(), first.descr());
  }

  /** The smallest dtype that holds every element of a NumPy type; empty if there is none. */
  private static Optional<DType> dtype(String descr) {
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

  private static Payload images(List<ImageHeader> images) {
    Map<List<Integer>, Integer> sizes = new LinkedHashMap<>();
    images.forEach(image -> sizes.merge(List.of(image.height(), image.width()), 1, Integer::sum));
    List<Integer> most =
        sizes.entrySet().stream()
            .max(Comparator.comparingInt(Map.Entry::getValue))
            .orElseThrow()
            .getKey();
    int channels = images.stream().mapToInt(ImageHeader::channels).max().orElseThrow();
    return new Images(new ImageHeader(most.get(0), most.get(1), channels), sizes.size());
  }

  /** The bytes as UTF-8, if they are that. */
  static Optional<String> text(byte[] value) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
