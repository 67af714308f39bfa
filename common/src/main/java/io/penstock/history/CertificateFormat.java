package io.penstock.history;

import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import io.penstock.model.Digest128;
import io.penstock.model.RankSlice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of a certificate file. All numbers are little-endian.
 *
 * <pre>
 *   header, {@value #HEADER_BYTES} bytes
 *     0   8  "PENSCERT"
 *     8   4  version, 1
 *    12   4  bytes of a record, {@value #RECORD_BYTES}
 *    16   4  rank
 *    20   4  ranks, W
 *    24   4  generation
 *    28   4  rows of the global batch, B
 *    32   8  epoch that the generation begins in
 *    40   8  step that it begins at
 *    48   8  steps of an epoch, T
 *    56   4  steps of a block
 *    60   4  1 if values digests are on, else 0
 *    64  32  SHA-256 of the feed's canonical text
 *    96  32  SHA-256 of the catalog's text
 *   128   4  CRC-32C of bytes 0 to 127
 *   132   4  0
 *   record, {@value #RECORD_BYTES} bytes, any number of times
 *     0   8  epoch
 *     8   8  first step
 *    16   8  one past the last step
 *    24   8  rows, padding included
 *    32   8  padding
 *    40   8  rows of row groups that were read from the file system
 *    48   8  rows of row groups that came from the cache
 *    56  16  order digest: first sum, second sum
 *    72  16  values digest: likewise
 *    88   4  CRC-32C of bytes 0 to 87
 *    92   4  0
 * </pre>
 *
 * A record ends with its block of steps, with its epoch, or at a commit, whichever comes first; so
 * no record lies across a cursor that a generation can begin at. A file that was not closed may end
 * in part of a record, which counts as not written.
 */
final class CertificateFormat {
  static final int HEADER_BYTES = 136;
  static final int RECORD_BYTES = 96;

  private static final byte[] MAGIC = "PENSCERT".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int DIGEST_BYTES = 32;
  private static final int HEADER_SUMMED = 128;
  private static final int RECORD_SUMMED = 88;

  private CertificateFormat() {}

  static byte[] header(CertificateHeader header) {
    ByteBuffer out = buffer(HEADER_BYTES);
    out.put(MAGIC).putInt(VERSION).putInt(RECORD_BYTES);
    out.putInt(header.slice().rank()).putInt(header.slice().ranks());
    out.putInt(header.generation()).putInt(header.batch());
    out.putLong(header.start().epoch()).putLong(header.start().step()).putLong(header.steps());
    out.putInt(header.blockSteps());
    out.putInt(header.values() == CertificateHeader.Values.ON ? 1 : 0);
    out.put(HexFormat.of().parseHex(header.feedDigest()));
    out.put(HexFormat.of().parseHex(header.catalogDigest()));
    return summed(out, HEADER_SUMMED);
  }

  /**
   * Reads a header.
   *
   * @return empty if the bytes are none
   */
  static Optional<CertificateHeader> header(byte[] bytes) {
    if (bytes.length < HEADER_BYTES || !isIntact(bytes, 0, HEADER_SUMMED)) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[MAGIC.length];
    in.get(magic);
    if (!java.util.Arrays.equals(magic, MAGIC)
        || in.getInt() != VERSION
        || in.getInt() != RECORD_BYTES) {
      return Optional.empty();
    }
    RankSlice slice = new RankSlice(in.getInt(), in.getInt());
    int generation = in.getInt();
    int batch = in.getInt();
    Cursor start = new Cursor(in.getLong(), in.getLong());
    long steps = in.getLong();
    int blockSteps = in.getInt();
    CertificateHeader.Values values =
        in.getInt() == 1 ? CertificateHeader.Values.ON : CertificateHeader.Values.OFF;
    return Optional.of(
        new CertificateHeader(
            slice, generation, start, steps, batch, blockSteps, values, hex(in), hex(in)));
  }

  private static String hex(ByteBuffer in) {
    byte[] digest = new byte[DIGEST_BYTES];
    in.get(digest);
    return HexFormat.of().formatHex(digest);
  }

  static byte[] record(Block block) {
    ByteBuffer out = buffer(RECORD_BYTES);
    Sums sums = block.sums();
    out.putLong(block.epoch()).putLong(block.from()).putLong(block.to());
    out.putLong(sums.rows()).putLong(sums.padding());
    out.putLong(sums.fromStorage()).putLong(sums.fromCache());
    out.putLong(sums.order().first()).putLong(sums.order().second());
    out.putLong(sums.values().first()).putLong(sums.values().second());
    return summed(out, RECORD_SUMMED);
  }

  /**
   * Reads the record at {@code offset}.
   *
   * @return empty if there is no whole one
   */
  static Optional<Block> record(byte[] bytes, int offset) {
    if (bytes.length - offset < RECORD_BYTES || !isIntact(bytes, offset, RECORD_SUMMED)) {
      return Optional.empty();
    }
    ByteBuffer in =
        ByteBuffer.wrap(bytes, offset, RECORD_BYTES).slice().order(ByteOrder.LITTLE_ENDIAN);
    long epoch = in.getLong();
    long from = in.getLong();
    long to = in.getLong();
    Sums sums =
        new Sums(
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            new Digest128(in.getLong(), in.getLong()),
            new Digest128(in.getLong(), in.getLong()));
    return Optional.of(new Block(epoch, from, to, sums));
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] summed(ByteBuffer out, int summed) {
    out.putInt(summed, sum(out.array(), 0, summed));
    return out.array();
  }

  private static boolean isIntact(byte[] bytes, int offset, int summed) {
    int stored = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + summed);
    return stored == sum(bytes, offset, summed);
  }

  private static int sum(byte[] bytes, int offset, int count) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, count);
    return (int) crc.getValue();
  }
}
