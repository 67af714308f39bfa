package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.parquet.format.CompressionCodec;
import org.brotli.dec.BrotliInputStream;
import org.xerial.snappy.Snappy;

/** Decompresses a page in one call; one per worker. */
final class Decompressor implements AutoCloseable {
  private static final int GZIP_MAGIC = 0x8b1f;

  /** Room for what is read byte by byte, which is the end alone. */
  private static final int BROTLI_SINGLE_READS = 16;

  private final Lz4Decompressor lz4 = new Lz4Decompressor();
  private ZstdDecompressCtx zstd;
  private Inflater inflater;

  /**
   * Decompresses into {@code out}, filling exactly {@code size} bytes.
   *
   * @throws CorruptException if the bytes are not that codec's or have another size
   */
  void decompress(
      CompressionCodec codec, byte[] in, int at, int length, byte[] out, int to, int size) {
    if (length == 0) {
      check(
          size == 0,
          () -> "no compressed bytes where there should be " + size + " uncompressed ones");
      return;
    }
    long made;
    try {
      made =
          switch (codec) {
            case SNAPPY -> snappy(in, at, length, out, to, size);
            case ZSTD -> zstd(in, at, length, out, to, size);
            case GZIP -> gzip(in, at, length, out, to, size);
            case LZ4_RAW -> lz4.decompress(in, at, length, out, to, size);
            case LZ4 -> hadoopLz4(in, at, length, out, to, size);
            case BROTLI -> brotli(in, at, length, out, to, size);
            case UNCOMPRESSED, LZO -> throw new CorruptException("no decompression for " + codec);
          };
    } catch (IOException | ZstdException | DataFormatException | MalformedInputException e) {
      throw new CorruptException("not " + codec + " data: " + e.getMessage(), e);
    }
    check(
        made == size, () -> codec + " data of " + made + " bytes, and the header tells of " + size);
  }

  /**
   * Checks that a page can be as large as its header says before room for it is made.
   *
   * @param size what the header says
   * @param length compressed bytes
   * @param chunkSize uncompressed bytes of the whole chunk by its footer
   */
  static void checkSize(CompressionCodec codec, int size, int length, long chunkSize) {
    // The greatest ratios that the formats allow; a zstd frame has none worth the name.
    long ratio =
        switch (codec) {
          case UNCOMPRESSED -> 1;
          case SNAPPY -> 24;
          case LZ4, LZ4_RAW -> 256;
          case GZIP -> 1040;
          case ZSTD, LZO, BROTLI -> 1 << 16;
        };
    long most = Math.max(chunkSize, 64L * length + (1 << 20));
    check(
        size <= Math.min(most, ratio * length + 64),
        () -> "an uncompressed size of " + size + " bytes for " + length + " bytes of " + codec);
  }

  private static long snappy(byte[] in, int at, int length, byte[] out, int to, int size)
      throws IOException {
    int claimed = Snappy.uncompressedLength(in, at, length);
    // The native code writes as many bytes as the data claims, whatever room there is.
    check(claimed == size, () -> "SNAPPY data of " + claimed + " bytes, not " + size);
    return Snappy.uncompress(in, at, length, out, to);
  }

  private long zstd(byte[] in, int at, int length, byte[] out, int to, int size) {
    if (zstd == null) {
      zstd = new ZstdDecompressCtx();
    }
    long made = zstd.decompressByteArray(out, to, size, in, at, length);
    check(!Zstd.isError(made), "not ZSTD data");
    return made;
  }

  /** By the reference decoder in Java, which is a stream. */
  private static int brotli(byte[] in, int at, int length, byte[] out, int to, int size)
      throws IOException {
    int made = 0;
    try (InputStream stream =
        new BrotliInputStream(new ByteArrayInputStream(in, at, length), BROTLI_SINGLE_READS)) {
      for (int part = 0; part >= 0 && made < size; made += Math.max(part, 0)) {
        part = stream.read(out, to + made, size - made);
      }
      check(
          made < size || stream.read() < 0,
          () -> "BROTLI data of more bytes than the " + size + " that the header tells");
    }
    return made;
  }

  /** One gzip member or several. */
  private long gzip(byte[] in, int at, int length, byte[] out, int to, int size)
      throws DataFormatException {
    if (inflater == null) {
      inflater = new Inflater(true);
    }
    int end = at + length;
    int next = at;
    int made = 0;
    while (next < end && (made < size || next == at)) {
      next = afterGzipHeader(in, next, end);
      inflater.reset();
      inflater.setInput(in, next, end - next);
      while (!inflater.finished()) {
        int part = inflater.inflate(out, to + made, size - made);
        made += part;
        if (part == 0 && !inflater.finished()) {
          check(
              made < size,
              () -> "GZIP data of more bytes than the " + size + " that the header tells");
          check(!inflater.needsInput() && !inflater.needsDictionary(), "GZIP data that ends early");
        }
      }
      next += (int) inflater.getBytesRead() + 8;
    }
    return made;
  }

  private static int afterGzipHeader(byte[] in, int from, int end) {
    check(
        end - from >= 18 && (LittleEndian.shortAt(in, from) & 0xffff) == GZIP_MAGIC,
        "not GZIP data");
    int flags = in[from + 3];
    int at = from + 10;
    if ((flags & 4) != 0) {
      check(end - at >= 2, "a GZIP header that ends early");
      at += 2 + (LittleEndian.shortAt(in, at) & 0xffff);
    }
    for (int flag = 8; flag <= 16; flag <<= 1) { // file name, comment
      if ((flags & flag) != 0) {
        while (at < end && in[at] != 0) {
          at++;
        }
        at++;
      }
    }
    if ((flags & 2) != 0) {
      at += 2;
    }
    check(at < end, "a GZIP header that ends early");
    return at;
  }

  /**
   * Blocks of Hadoop's codec: uncompressed and compressed size, four bytes each, most significant
   * first, then the data. Some writers wrote bare LZ4 instead under the same name.
   */
  private long hadoopLz4(byte[] in, int at, int length, byte[] out, int to, int size) {
    int end = at + length;
    int next = at;
    int made = 0;
    while (end - next >= 8 && made < size) {
      int blockSize = Integer.reverseBytes(LittleEndian.intAt(in, next));
      int compressed = Integer.reverseBytes(LittleEndian.intAt(in, next + 4));
      boolean plausible =
          blockSize >= 0
              && blockSize <= size - made
              && compressed >= 0
              && compressed <= end - next - 8;
      if (!plausible) {
        break;
      }
      try {
        if (lz4.decompress(in, next + 8, compressed, out, to + made, blockSize) != blockSize) {
          break;
        }
      } catch (MalformedInputException e) {
        break;
      }
      made += blockSize;
      next += 8 + compressed;
    }
    if (made == size && next == end) {
      return made;
    }
    return lz4.decompress(in, at, length, out, to, size);
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
      zstd = null;
    }
    if (inflater != null) {
      inflater.end();
      inflater = null;
    }
  }
}
