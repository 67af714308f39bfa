package io.penstock.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A {@code .npy} file of version 1, as a command wrote it.
 *
 * @param header the Python dict
 */
public record NpyArray(String header, ByteBuffer data) {
  public static NpyArray read(Path file) {
    try {
      ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
      int length = Short.toUnsignedInt(all.getShort(8));
      String header = new String(all.array(), 10, length, StandardCharsets.ISO_8859_1);
      ByteBuffer data = all.position(10 + length).slice().order(ByteOrder.LITTLE_ENDIAN);
      return new NpyArray(header, data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long[] longs() {
    long[] values = new long[data.remaining() / Long.BYTES];
    data.asLongBuffer().get(values);
    return values;
  }

  public int[] ints() {
    int[] values = new int[data.remaining() / Integer.BYTES];
    data.asIntBuffer().get(values);
    return values;
  }

  public float[] floats() {
    float[] values = new float[data.remaining() / Float.BYTES];
    data.asFloatBuffer().get(values);
    return values;
  }

  public byte[] bytes() {
    byte[] values = new byte[data.remaining()];
    data.duplicate().get(values);
    return values;
  }
}
