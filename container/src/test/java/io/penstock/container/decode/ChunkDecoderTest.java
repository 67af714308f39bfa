package io.penstock.container.decode;

import static io.penstock.container.decode.ChunkBuilder.concat;
import static io.penstock.container.decode.ChunkBuilder.ints;
import static io.penstock.container.decode.ChunkBuilder.packed;
import static io.penstock.container.decode.ChunkBuilder.repeated;
import static io.penstock.container.decode.ChunkBuilder.sized;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.lz4.Lz4Compressor;
import io.penstock.container.decode.RowGroupDecoder.Checksums;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** What no writer at hand writes: chunks put together by hand. */
class ChunkDecoderTest {
  private static Column decode(ChunkBuilder chunk, int rows) {
    try (Scratch scratch = new Scratch()) {
      return new ChunkDecoder(Checksums.VERIFY, scratch)
          .decode(chunk.build(), rows, new ColumnBuffers());
    }
  }

  private static String failure(ChunkBuilder chunk, int rows) {
    return assertThrows(CorruptException.class, () -> decode(chunk, rows)).getMessage();
  }

  private static ChunkBuilder twoPages(String field, boolean inV2) {
    // Rows [1, 2, 3], [], null, [4, null]; the first page ends after the 2.
    ChunkBuilder chunk = new ChunkBuilder(field);
    byte[] firstRepetitions = packed(1, 0, 1);
    byte[] firstDefinitions = packed(2, 3, 3);
    byte[] repetitions = packed(1, 1, 0, 0, 0, 1);
    byte[] definitions = packed(2, 3, 1, 0, 3, 2);
    return inV2
        ? chunk
            .v2(firstRepetitions, firstDefinitions, ints(1, 2), 2, 1)
            .v2(repetitions, definitions, ints(3, 4), 5, 3)
        : chunk
            .v1(
                concat(sized(firstRepetitions), sized(firstDefinitions), ints(1, 2)),
                2,
                Encoding.PLAIN)
            .v1(concat(sized(repetitions), sized(definitions), ints(3, 4)), 5, Encoding.PLAIN);
  }

  @Test
  void aPageBorderInsideAList() {
    String field = "optional group x (LIST) { repeated group list { optional int32 element; } }";
    List<Object> expected =
        Arrays.asList(List.of(1L, 2L, 3L), List.of(), null, Arrays.asList(4L, null));
    assertEquals(expected, Reading.objects(decode(twoPages(field, false), 4)));
    assertEquals(expected, Reading.objects(decode(twoPages(field, true), 4)));
  }

  @Test
  void aPageBorderInsideAListWithoutNulls() {
    String field = "required group x (LIST) { repeated group list { required int32 element; } }";
    ChunkBuilder chunk =
        new ChunkBuilder(field)
            .v1(
                concat(sized(packed(1, 0, 1, 1, 0)), sized(repeated(4, 1)), ints(1, 2, 3, 4)),
                4,
                Encoding.PLAIN)
            .v1(
                concat(sized(packed(1, 1, 0, 0)), sized(packed(1, 1, 0, 1)), ints(5, 6)),
                3,
                Encoding.PLAIN);
    assertEquals(
        List.of(List.of(1L, 2L, 3L), List.of(4L, 5L), List.of(), List.of(6L)),
        Reading.objects(decode(chunk, 4)));
  }

  @Test
  void listsBeginWhereRunsOfRepetitionLevelsSaySo() {
    // Lists of 3, 16, 1, 1, 1, 12 items; the first page ends after 5 of the 16, the second one
    // within the last.
    int[] values = new int[34];
    Arrays.setAll(values, k -> k);
    ChunkBuilder chunk =
        new ChunkBuilder("repeated int32 x;")
            .v1(
                concat(
                    sized(packed(1, 0, 1, 1, 0, 1, 1, 1, 1)),
                    sized(repeated(8, 1)),
                    ints(Arrays.copyOfRange(values, 0, 8))),
                8,
                Encoding.PLAIN)
            .v1(
                concat(
                    sized(concat(repeated(11, 1), repeated(4, 0), packed(1, 1, 1, 1))),
                    sized(repeated(18, 1)),
                    ints(Arrays.copyOfRange(values, 8, 26))),
                18,
                Encoding.PLAIN)
            .v1(
                concat(
                    sized(repeated(8, 1)),
                    sized(repeated(8, 1)),
                    ints(Arrays.copyOfRange(values, 26, 34))),
                8,
                Encoding.PLAIN);
    Column column = decode(chunk, 6);
    assertEquals(List.of(0, 3, 19, 20, 21, 22, 34), offsets(column));
    assertNull(column.valid());
    assertEquals(List.of(21L), Reading.objects(column).get(4));
  }

  private static List<Integer> offsets(Column column) {
    Column.ListLevel lists = column.lists().get(0);
    return Arrays.stream(lists.offsets(), 0, lists.count() + 1).boxed().toList();
  }

  @Test
  void legacyLevelsArePackedTheOtherWayRound() {
    // Levels 1 1 0 1, 0 0 1 0, 1: most significant bit first.
    ChunkBuilder chunk =
        new ChunkBuilder("optional int32 x;")
            .v1(
                concat(new byte[] {(byte) 0b1101_0010, (byte) 0b1000_0000}, ints(7, 8, 9, 10, 11)),
                2 + 20,
                9,
                Encoding.PLAIN,
                Encoding.BIT_PACKED);
    assertEquals(
        Arrays.asList(7L, 8L, null, 9L, null, null, 10L, null, 11L),
        Reading.objects(decode(chunk, 9)));
  }

  @Test
  void legacyLevelsOfLists() {
    // Two bits a definition level: 3 3 2 0; one a repetition level: 0 1 0 0.
    ChunkBuilder chunk =
        new ChunkBuilder(
                "optional group x (LIST) { repeated group list { optional int32 element; } }")
            .v1(
                concat(new byte[] {0b0100_0000, (byte) 0b11_11_10_00}, ints(5, 6)),
                2 + 8,
                4,
                Encoding.PLAIN,
                Encoding.BIT_PACKED);
    assertEquals(
        Arrays.asList(List.of(5L, 6L), Arrays.asList((Object) null), null),
        Reading.objects(decode(chunk, 3)));
  }

  @Test
  void dictionaryIndicesOfNoBits() {
    ChunkBuilder chunk =
        new ChunkBuilder("required int32 x;")
            .dictionary(ints(42), 1)
            .v1(new byte[] {0, 6}, 3, Encoding.RLE_DICTIONARY);
    Column column = decode(chunk, 3);
    assertEquals(List.of(42L, 42L, 42L), Reading.objects(column));
    assertTrue(column.values() instanceof Values.Dictionary);
    assertNull(column.valid());
  }

  @Test
  void runsOfBothKindsInOnePage() {
    ChunkBuilder chunk =
        new ChunkBuilder("required int32 x;")
            .dictionary(ints(10, 20, 30, 40), 4)
            .v1(
                concat(
                    new byte[] {2},
                    repeated(3, 2),
                    packed(2, 0, 1, 2, 3, 3, 2, 1, 0),
                    repeated(70, 1),
                    packed(2, 3, 0)),
                3 + 8 + 70 + 2,
                Encoding.PLAIN_DICTIONARY);
    List<Object> rows = Reading.objects(decode(chunk, 83));
    assertEquals(
        List.of(30L, 30L, 30L, 10L, 20L, 30L, 40L, 40L, 30L, 20L, 10L, 20L), rows.subList(0, 12));
    assertEquals(List.of(20L, 20L, 40L, 10L), rows.subList(79, 83));
  }

  @Test
  void numbersAreCopiedOutOfADictionaryThatIsGivenUp() {
    ChunkBuilder chunk =
        new ChunkBuilder("optional int32 x;")
            .dictionary(ints(10, 20), 2)
            .v1(
                concat(sized(packed(1, 1, 0, 1)), new byte[] {1}, packed(1, 1, 0)),
                3,
                Encoding.RLE_DICTIONARY)
            .v1(concat(sized(packed(1, 0, 1, 0)), ints(30)), 3, Encoding.PLAIN);
    Column column = decode(chunk, 6);
    assertEquals(Arrays.asList(20L, null, 10L, null, 30L, null), Reading.objects(column));
    assertTrue(column.values() instanceof Values.Ints);
  }

  @Test
  void bytesStayInADictionaryThatIsGivenUp() {
    byte[] dictionary = concat(ints(1), new byte[] {'a'}, ints(2), new byte[] {'b', 'c'});
    ChunkBuilder chunk =
        new ChunkBuilder("optional binary x;")
            .dictionary(dictionary, 2)
            .v1(
                concat(sized(packed(1, 1, 0, 1)), new byte[] {1}, packed(1, 1, 0)),
                3,
                Encoding.RLE_DICTIONARY)
            .v1(concat(sized(packed(1, 0, 1)), ints(1), new byte[] {'d'}), 2, Encoding.PLAIN);
    Column column = decode(chunk, 5);
    assertEquals(Arrays.asList("6263", null, "61", null, "64"), Reading.objects(column));
    assertEquals(3, ((Values.Dictionary) column.values()).size());
  }

  @Test
  void pagesWithoutValuesAreNothing() {
    ChunkBuilder chunk =
        new ChunkBuilder("optional int32 x;")
            .v2(new byte[0], new byte[0], new byte[0], 0, 0)
            .v1(sized(new byte[0]), 0, Encoding.PLAIN)
            .v2(new byte[0], repeated(2, 0), new byte[0], 2, 2)
            .v2(new byte[0], repeated(1, 1), ints(5), 1, 1);
    assertEquals(Arrays.asList(null, null, 5L), Reading.objects(decode(chunk, 3)));
  }

  @Test
  void unsignedIntegersInIndices() {
    assertEquals(
        List.of(4_294_967_295L),
        Reading.objects(
            decode(
                new ChunkBuilder("required int32 x (INTEGER(32,false));")
                    .v1(ints(-1), 1, Encoding.PLAIN),
                1)));
  }

  @Test
  void gzipMembersFollowEachOther() throws IOException {
    byte[] body = concat(gzip(ints(1, 2)), gzip(ints(3)));
    ChunkBuilder chunk =
        new ChunkBuilder("required int32 x;")
            .codec(CompressionCodec.GZIP)
            .v1(body, 12, 3, Encoding.PLAIN, Encoding.RLE);
    assertEquals(List.of(1L, 2L, 3L), Reading.objects(decode(chunk, 3)));
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] lz4(byte[] bytes) {
    byte[] out = new byte[100 + bytes.length * 2];
    int length = new Lz4Compressor().compress(bytes, 0, bytes.length, out, 0, out.length);
    return Arrays.copyOf(out, length);
  }

  @Test
  void lz4IsReadInHadoopsBlocksAndBare() {
    byte[] first = lz4(ints(1, 2));
    byte[] second = lz4(ints(3));
    byte[] hadoop =
        concat(
            ByteBuffer.allocate(8).putInt(8).putInt(first.length).array(),
            first,
            ByteBuffer.allocate(8).putInt(4).putInt(second.length).array(),
            second);
    for (byte[] body : List.of(hadoop, lz4(ints(1, 2, 3)))) {
      ChunkBuilder chunk =
          new ChunkBuilder("required int32 x;")
              .codec(CompressionCodec.LZ4)
              .v1(body, 12, 3, Encoding.PLAIN, Encoding.RLE);
      assertEquals(List.of(1L, 2L, 3L), Reading.objects(decode(chunk, 3)));
    }
  }

  @Test
  void errorsNameThePageAndWhatIsWrong() throws IOException {
    assertEquals(
        "page 0: it has 8 bytes for 3 values of 4 bytes",
        failure(new ChunkBuilder("required int32 x;").v1(ints(1, 2), 3, Encoding.PLAIN), 3));
    assertEquals(
        "page 1: an index beyond the dictionary, which has 2 entries",
        failure(
            new ChunkBuilder("required int32 x;")
                .dictionary(ints(1, 2), 2)
                .v1(concat(new byte[] {2}, packed(2, 0, 3)), 2, Encoding.RLE_DICTIONARY),
            2));
    assertEquals(
        "page 0: dictionary indices without a dictionary",
        failure(
            new ChunkBuilder("required int32 x;").v1(new byte[] {0, 2}, 1, Encoding.RLE_DICTIONARY),
            1));
    assertEquals(
        "page 0: encoding DELTA_BINARY_PACKED of FLOAT is not supported",
        failure(
            new ChunkBuilder("required float x;").v1(ints(1), 1, Encoding.DELTA_BINARY_PACKED), 1));
    assertEquals(
        "page 0: a definition level above 1",
        failure(
            new ChunkBuilder("optional int32 x;")
                .v1(concat(sized(repeated(3, 2)), ints(1, 2, 3)), 3, Encoding.PLAIN),
            3));
    assertEquals(
        "page 0: SNAPPY data of 8 bytes, not 12",
        failure(
            new ChunkBuilder("required int32 x;")
                .codec(CompressionCodec.SNAPPY)
                .v1(Snappy.compress(ints(1, 2)), 12, 3, Encoding.PLAIN, Encoding.RLE),
            3));
    assertEquals(
        "its pages have 2 rows, and the row group 3",
        failure(
            new ChunkBuilder("repeated int32 x;")
                .v1(
                    concat(sized(packed(1, 0, 1, 0)), sized(repeated(3, 1)), ints(1, 2, 3)),
                    3,
                    Encoding.PLAIN),
            3));
    assertEquals(
        "page 0: a repetition level above 1",
        failure(
            new ChunkBuilder("repeated int32 x;")
                .v1(
                    concat(sized(repeated(2, 2)), sized(repeated(2, 1)), ints(1, 2)),
                    2,
                    Encoding.PLAIN),
            2));
    assertEquals(
        "page 0: an entry that continues a list where there is none",
        failure(
            new ChunkBuilder("repeated int32 x;")
                .v1(
                    concat(sized(repeated(2, 1)), sized(repeated(2, 1)), ints(1, 2)),
                    2,
                    Encoding.PLAIN),
            1));
    assertEquals(
        "page 0: an entry that continues a list where there is none",
        failure(
            new ChunkBuilder("repeated int32 x;")
                .v1(
                    concat(sized(packed(1, 1, 0)), sized(repeated(2, 1)), ints(1, 2)),
                    2,
                    Encoding.PLAIN),
            2));
    assertEquals(
        "page 0: an entry that continues a list where there is none",
        failure(
            new ChunkBuilder("repeated int32 x;")
                .v1(
                    concat(sized(packed(1, 0, 1)), sized(packed(1, 0, 1)), ints(1)),
                    2,
                    Encoding.PLAIN),
            1));
  }

  @Test
  void aPageThatDoesNotMatchItsChecksumIsRefusedIfThatIsLookedAt() {
    ChunkBytes good =
        new ChunkBuilder("required int32 x;").checksums().v1(ints(1, 2), 2, Encoding.PLAIN).build();
    byte[] bytes = good.bytes().clone();
    bytes[bytes.length - 1] ^= 1;
    ChunkBytes bad =
        new ChunkBytes(
            good.leaf(), good.codec(), 2, good.uncompressedSize(), bytes, 0, bytes.length);
    try (Scratch scratch = new Scratch()) {
      ColumnBuffers buffers = new ColumnBuffers();
      new ChunkDecoder(Checksums.VERIFY, scratch).decode(good, 2, buffers);
      new ChunkDecoder(Checksums.IGNORE, scratch).decode(bad, 2, buffers);
      CorruptException failure =
          assertThrows(
              CorruptException.class,
              () -> new ChunkDecoder(Checksums.VERIFY, scratch).decode(bad, 2, buffers));
      assertEquals("page 0: its checksum does not match its bytes", failure.getMessage());
    }
  }
}
