package io.penstock.catalog;

/**
 * A row group of the dataset that has rows.
 *
 * @param file its file's place in the catalog
 * @param ordinal within the file, empty row groups counted
 * @param rows &gt;= 1
 * @param firstRow number of its first row when the catalog's row groups are laid end to end
 * @param compressedBytes stored bytes of the columns that the feed asks for
 * @param uncompressedBytes the same bytes with their pages uncompressed
 * @param largestChunkBytes of {@code compressedBytes}, those of the largest column
 * @param decodedBytes about the most that any {@value #DECODED_AT_ONCE} of those columns take once
 *     they are decoded, see {@link LeafColumn#decodedBytes}
 */
public record RowGroupInfo(
    int file,
    int ordinal,
    int rows,
    long firstRow,
    long compressedBytes,
    long uncompressedBytes,
    long largestChunkBytes,
    long decodedBytes) {
  /** How many columns {@link #decodedBytes} is about; a worker has few at a time. */
  public static final int DECODED_AT_ONCE = 16;

  public RowGroupInfo {
    if (file < 0 || ordinal < 0 || rows < 1 || firstRow < 0) {
      throw new IllegalArgumentException(
          "bad row group: file="
              + file
              + " ordinal="
              + ordinal
              + " rows="
              + rows
              + " firstRow="
              + firstRow);
    }
  }
}
