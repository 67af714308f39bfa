package io.penstock.container.decode;

import static io.penstock.container.decode.CorruptException.check;

import io.penstock.catalog.LeafColumn;
import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import java.util.List;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;

/**
 * Decodes one column chunk, page by page.
 *
 * <h2>Dictionaries</h2>
 *
 * The headers of all pages are read first, so it is known from the start whether every data page
 * has dictionary indices. If so, the dictionary is kept ({@link Values.Dictionary}) and no value is
 * copied. If some have (a writer gives up its dictionary when it grows too large), then numbers are
 * copied out of the dictionary; of bytes, which could take any number of times the room, the
 * dictionary is kept and each later value becomes an entry of its own.
 *
 * <h2>Nulls</h2>
 *
 * A page has values only for items that are not null. They are decoded densely, and then spread
 * over the items from the end, in place. A column without nulls has no flags and is never spread.
 */
final class ChunkDecoder {
  private final RowGroupDecoder.Checksums checksums;
  private final Scratch scratch;

  // The chunk being decoded.
  private ChunkBytes chunk;
  private ColumnBuffers buffers;
  private Structure structure;
  private Store values;
  private Store dictionary;
  private int dictionarySize;
  private Mode mode;

  // The bytes of the page being decoded.
  private byte[] bytes;
  private int at;
  private int end;
  private int levelsAt;

  /** What becomes of the chunk's dictionary. */
  private enum Mode {
    /** There is none. */
    PLAIN,
    /** Every page has indices. */
    KEPT,
    /** Values of other pages become entries. */
    EXTENDED,
    /** Entries are copied. */
    COPIED
  }

  ChunkDecoder(RowGroupDecoder.Checksums checksums, Scratch scratch) {
    this.checksums = checksums;
    this.scratch = scratch;
  }

  /**
   * @throws CorruptException if the bytes are not what the footer and the format say
   */
  Column decode(ChunkBytes chunk, int rows, ColumnBuffers buffers) {
    this.chunk = chunk;
    this.buffers = buffers;
    LeafColumn leaf = chunk.leaf();
    List<Page> pages =
        PageScan.pages(chunk.bytes(), chunk.offset(), chunk.length(), chunk.values());
    structure = buffers.structure(leaf);
    structure.begin(leaf, rows);
    values = buffers.values(leaf);
    dictionary = null;
    dictionarySize = 0;
    mode = mode(pages);
    for (Page page : pages) {
      try {
        decode(page);
      } catch (CorruptException e) {
        throw new CorruptException("page " + page.number() + ": " + e.getMessage(), e);
      } catch (RuntimeException e) {
        // What the checks let through ends here as what it is: a page that cannot be.
        throw new CorruptException("page " + page.number() + ": " + e, e);
      }
    }
    check(
        structure.rows() == rows,
        () -> "its pages have " + structure.rows() + " rows, and the row group " + rows);
    int items = structure.items.size();
    boolean[] valid = structure.items.orNull();
    return new Column(leaf.type(), rows, items, values(leaf, valid), valid, structure.lists());
  }

  private Values values(LeafColumn leaf, boolean[] valid) {
    return switch (mode) {
      case PLAIN, COPIED -> buffers.conversion.convert(leaf, values, valid);
      case KEPT, EXTENDED ->
          new Values.Dictionary(
              buffers.conversion.convert(leaf, dictionary, null),
              dictionary.size,
              buffers.indices(0));
    };
  }

  private Mode mode(List<Page> pages) {
    boolean indices = false;
    boolean others = false;
    for (Page page : pages) {
      if (page.isData() && page.values() > 0) {
        indices |= page.isDictionaryEncoded();
        others |= !page.isDictionaryEncoded();
      }
    }
    if (!indices) {
      return Mode.PLAIN;
    }
    if (!others) {
      return Mode.KEPT;
    }
    return values.keepsDictionary() ? Mode.EXTENDED : Mode.COPIED;
  }

  private void decode(Page page) {
    if (checksums == RowGroupDecoder.Checksums.VERIFY && page.hasCrc()) {
      scratch.crc.reset();
      scratch.crc.update(chunk.bytes(), page.at(), page.size());
      check((int) scratch.crc.getValue() == page.crc(), "its checksum does not match its bytes");
    }
    switch (page.kind()) {
      case DICTIONARY -> {
        if (mode != Mode.PLAIN) {
          dictionary(page);
        }
      }
      case DATA_V1 -> {
        decompress(page, page.at(), page.size(), page.uncompressedSize());
        items(page, levelsV1(page));
      }
      case DATA_V2 -> {
        int levels = page.repetitionBytes() + page.definitionBytes();
        check(
            page.repetitionBytes() >= 0
                && page.definitionBytes() >= 0
                && levels >= 0
                && levels <= page.size()
                && levels <= page.uncompressedSize(),
            () ->
                "levels of "
                    + page.repetitionBytes()
                    + " and "
                    + page.definitionBytes()
                    + " bytes in a page of "
                    + page.size());
        decompress(
            page, page.at() + levels, page.size() - levels, page.uncompressedSize() - levels);
        int definitions = page.at() + page.repetitionBytes();
        items(
            page,
            new Levels(
                chunk.bytes(),
                page.at(),
                definitions,
                Encoding.RLE,
                definitions,
                page.at() + levels,
                Encoding.RLE));
      }
      case OTHER -> {}
    }
  }

  /** Points {@link #bytes} to decompressed bytes. */
  private void decompress(Page page, int from, int length, int size) {
    if (chunk.codec() == CompressionCodec.UNCOMPRESSED || !page.compressed()) {
      check(
          size == length,
          () ->
              "not compressed, and has " + length + " bytes, not " + size + " as its header tells");
      bytes = chunk.bytes();
      at = from;
      end = from + length;
      return;
    }
    Decompressor.checkSize(chunk.codec(), size, length, chunk.uncompressedSize());
    bytes = scratch.page(size);
    at = 0;
    end = size;
    scratch.decompressor.decompress(chunk.codec(), chunk.bytes(), from, length, bytes, 0, size);
  }

  private void dictionary(Page page) {
    check(dictionary == null, "a second dictionary");
    check(
        page.encoding() == Encoding.PLAIN || page.encoding() == Encoding.PLAIN_DICTIONARY,
        () -> "a dictionary with encoding " + page.encoding());
    decompress(page, page.at(), page.size(), page.uncompressedSize());
    dictionary = buffers.dictionary(chunk.leaf());
    dictionary.append(Encoding.PLAIN, bytes, at, end, page.values(), scratch);
    dictionarySize = dictionary.size;
  }

  /** Finds the levels at the beginning of a page of version 1, and steps over them. */
  private Levels levelsV1(Page page) {
    int repetitionAt = at;
    int repetitionEnd = at;
    if (chunk.leaf().maxRepetition() > 0) {
      repetitionEnd = stepOverLevels(page, page.repetitionEncoding(), chunk.leaf().maxRepetition());
      repetitionAt = levelsAt;
    }
    int definitionAt = at;
    int definitionEnd = at;
    if (chunk.leaf().maxDefinition() > 0) {
      definitionEnd = stepOverLevels(page, page.definitionEncoding(), chunk.leaf().maxDefinition());
      definitionAt = levelsAt;
    }
    return new Levels(
        bytes,
        repetitionAt,
        repetitionEnd,
        page.repetitionEncoding(),
        definitionAt,
        definitionEnd,
        page.definitionEncoding());
  }

  private int stepOverLevels(Page page, Encoding encoding, int max) {
    long length;
    if (encoding == Encoding.RLE) {
      check(end - at >= 4, "its levels end early");
      length = LittleEndian.intAt(bytes, at) & 0xffffffffL;
      at += 4;
    } else if (encoding == Encoding.BIT_PACKED) {
      length = BitPacking.bytes(page.values(), Levels.width(max));
    } else {
      throw new CorruptException("levels with encoding " + encoding);
    }
    check(length <= end - at, () -> "levels of " + length + " bytes in " + (end - at));
    levelsAt = at;
    at += (int) length;
    return at;
  }

  /** Reads a page's levels and then its values. */
  private void items(Page page, Levels levels) {
    int before = structure.items.size();
    structure.read(levels, page.values(), scratch);
    int places = structure.places;
    int present = structure.present;
    if (mode == Mode.PLAIN || mode == Mode.COPIED && !page.isDictionaryEncoded()) {
      if (present > 0) {
        values.append(known(page.encoding()), bytes, at, end, present, scratch);
      }
      spread(values, before, places, present);
      return;
    }
    check(dictionary != null || present == 0, "dictionary indices without a dictionary");
    if (mode == Mode.COPIED) {
      int[] indices = scratch.indices(present);
      readIndices(indices, 0, present);
      if (present > 0) {
        values.gather(dictionary, indices, present);
      }
      spread(values, before, places, present);
      return;
    }
    int[] indices = buffers.indices((long) before + places);
    if (page.isDictionaryEncoded()) {
      readIndices(indices, before, present);
    } else if (present > 0) {
      int first = dictionary.size;
      dictionary.append(known(page.encoding()), bytes, at, end, present, scratch);
      for (int k = 0; k < present; k++) {
        indices[before + k] = first + k;
      }
    }
    if (present < places) {
      spreadIndices(indices, before, places, present);
    }
  }

  private static Encoding known(Encoding encoding) {
    check(encoding != null, "an unknown encoding");
    return encoding;
  }

  private void readIndices(int[] indices, int from, int count) {
    if (count == 0) {
      return;
    }
    check(at < end, "its indices end early");
    int width = bytes[at];
    scratch.hybrid.begin(bytes, at + 1, end, width);
    check(
        scratch.hybrid.read(indices, from, count, dictionarySize - 1),
        () -> "an index beyond the dictionary, which has " + dictionarySize + " entries");
  }

  private void spread(Store store, int before, int places, int present) {
    if (present < places) {
      store.spread(structure.items.orNull(), before, places);
    }
  }

  private void spreadIndices(int[] indices, int before, int places, int present) {
    boolean[] valid = structure.items.orNull();
    int source = before + present;
    for (int place = before + places - 1; place >= before; place--) {
      int one = valid[place] ? 1 : 0; // nulls come as they like: a jump would often be mispredicted
      source -= one;
      indices[place] = indices[source] & -one;
    }
  }
}
