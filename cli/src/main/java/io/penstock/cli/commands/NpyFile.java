package io.penstock.cli.commands;

import io.penstock.model.DType;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An array in NumPy's format, written front to back.
 *
 * <pre>
 *   93 "NUMPY" 01 00          magic, version 1.0
 *   uint16 little-endian      bytes of the header that follows
 *   {'descr': '&lt;f4', 'fortran_order': False, 'shape': (64, 21), }   spaces up to a multiple of 64, \n
 *   the items, row-major, little-endian
 * </pre>
 *
 * <p>The format is NumPy's (numpy.lib.format).
 */
final class NpyFile implements AutoCloseable {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  private static final int ALIGNMENT = 64;
  private static final int CHUNK = 1 << 16;

  private final OutputStream out;
  private final byte[] chunk = new byte[CHUNK];

  private NpyFile(OutputStream out) {
    this.out = out;
  }

  /** Makes the file, or makes it anew. */
  static NpyFile create(Path file, DType dtype, List<Long> shape) throws IOException {
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), CHUNK);
    out.write(header(dtype, shape));
    return new NpyFile(out);
  }

  static byte[] header(DType dtype, List<Long> shape) {
    String axes = shape.stream().map(String::valueOf).collect(Collectors.joining(", "));
    String text =
        "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }"
            .formatted(dtype.descr(), shape.size() == 1 ? axes + "," : axes);
    int unpadded = MAGIC.length + Short.BYTES + text.length() + 1;
    int total = (unpadded + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    int length = total - MAGIC.length - Short.BYTES;
    ByteBuffer header = ByteBuffer.allocate(total);
    header.put(MAGIC).put((byte) length).put((byte) (length >> 8));
    header.put((text + " ".repeat(total - unpadded) + "\n").getBytes(StandardCharsets.US_ASCII));
    return header.array();
  }

  /** Adds {@code count} bytes of items. */
  void write(ByteBuffer memory, int from, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int now = Math.min(CHUNK, count - done);
      memory.get(from + done, chunk, 0, now);
      out.write(chunk, 0, now);
      done += now;
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
