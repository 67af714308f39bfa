package io.penstock.container.decode;

import io.penstock.catalog.LeafColumn;
import io.penstock.container.decode.ChunkPlaces.ChunkPlace;
import org.apache.parquet.format.CompressionCodec;

/**
 * The bytes of one column chunk and what the footer says of them.
 *
 * @param leaf the column
 * @param codec what pages are compressed with
 * @param values entries, nulls and empty lists included
 * @param uncompressedSize bytes of all pages when decompressed, headers included
 * @param bytes where the chunk is {@code bytes[offset]} up to, not including, {@code bytes[offset +
 *     length]}
 */
record ChunkBytes(
    LeafColumn leaf,
    CompressionCodec codec,
    int values,
    long uncompressedSize,
    byte[] bytes,
    int offset,
    int length) {
  static ChunkBytes of(ChunkPlace place, byte[] buffer, int offset) {
    return new ChunkBytes(
        place.leaf(),
        place.chunk().codec(),
        place.values(),
        place.chunk().uncompressedBytes(),
        buffer,
        offset,
        place.length());
  }
}
