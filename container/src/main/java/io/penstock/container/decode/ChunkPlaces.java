package io.penstock.container.decode;

import io.penstock.catalog.Footer;
import io.penstock.catalog.LeafColumn;
import io.penstock.model.DataException;
import io.penstock.model.DataException.Place;
import io.penstock.model.RowGroupRef;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where the column chunks of a row group lie, by the file's footer. What the footer says of them is
 * checked against the catalog and against what can be decoded before it is handed out; that they
 * lie within the file the footer itself has checked.
 */
final class ChunkPlaces {
  /** Levels are kept in a byte each, and noted in the bits of a long. */
  private static final int MAX_LEVEL = 62;

  /** Writers that left the dictionary's header out of a chunk's size (PARQUET-816). */
  private static final Pattern SHORT_CHUNKS =
      Pattern.compile("parquet-mr( version (0|1\\.[01]|1\\.2\\.[0-8])\\b.*)?");

  private static final int LONGEST_DICTIONARY_HEADER = 100;

  private ChunkPlaces() {}

  /** A column chunk of the file. */
  record ChunkPlace(LeafColumn leaf, Footer.Chunk chunk, int values, long position, int length) {}

  /**
   * Finds the columns of a row group.
   *
   * @param names the columns, by the names that a feed asks by
   * @throws DataException if the file has no such row group or column, or the footer says something
   *     that cannot be
   */
  static List<ChunkPlace> of(Footer footer, RowGroupRef ref, List<String> names) {
    Place place = Place.of(ref);
    if (ref.ordinal() >= footer.rowGroups().size()) {
      throw new DataException(
          place, "the file has only " + footer.rowGroups().size() + " row groups");
    }
    Footer.RowGroup rowGroup = footer.rowGroups().get(ref.ordinal());
    if (rowGroup.rows() != ref.rows()) {
      throw new DataException(
          place,
          "it has " + rowGroup.rows() + " rows by its footer, not " + ref.rows() + " as cataloged");
    }
    List<ChunkPlace> places = new ArrayList<>(names.size());
    for (String name : names) {
      Place column = place.inColumn(name);
      LeafColumn leaf =
          footer
              .columns()
              .leaf(name)
              .orElseThrow(
                  () ->
                      new DataException(
                          column, footer.columns().refusal(name).orElse("it cannot be read")));
      places.add(place(footer, column, leaf, rowGroup.chunks().get(leaf.index()), ref.rows()));
    }
    return places;
  }

  private static ChunkPlace place(
      Footer footer, Place place, LeafColumn leaf, Footer.Chunk chunk, int rows) {
    switch (chunk.codec()) {
      case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, BROTLI, LZ4, LZ4_RAW -> {}
      case LZO ->
          throw new DataException(
              place, "it is compressed with " + chunk.codec() + ", which is not supported");
    }
    if (leaf.maxDefinition() > MAX_LEVEL) {
      throw new DataException(place, "it is nested more than " + MAX_LEVEL + " levels deep");
    }
    long values = chunk.values();
    boolean possible = leaf.lists().isEmpty() ? values == rows : values >= rows;
    if (!possible || values > Capacity.MAX) {
      throw new DataException(
          place, "its footer entry tells of " + values + " values in " + rows + " rows");
    }
    long slack =
        footer.createdBy().filter(writer -> SHORT_CHUNKS.matcher(writer).matches()).isPresent()
            ? LONGEST_DICTIONARY_HEADER
            : 0;
    long length = Math.min(chunk.compressedBytes() + slack, footer.length() - chunk.offset());
    if (length > Capacity.MAX) {
      throw new DataException(place, "a chunk must be < 2 GiB: it has " + length + " bytes");
    }
    return new ChunkPlace(leaf, chunk, (int) values, chunk.offset(), (int) length);
  }
}
