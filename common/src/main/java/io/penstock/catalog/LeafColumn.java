package io.penstock.catalog;

import io.penstock.model.ColumnType;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.column.ColumnDescriptor;

/**
 * What a decoder must know of the leaf behind a column that a feed can ask for.
 *
 * <h2>Levels</h2>
 *
 * Definition level d and repetition level r of one leaf entry mean, with {@code lists} outermost
 * first and {@code present(k)} the element level of list k-1 (0 for the outermost):
 *
 * <pre>
 *   r = 0                             a new row
 *   r = k + 1                         one more element in list k
 *   d &gt;= lists[k].elementLevel()      list k has an element here
 *   d == lists[k].elementLevel() - 1  list k is there, and empty
 *   present(k) &lt;= d &lt; elementLevel-1  list k is null (or a struct around it is)
 *   d == maxDefinition()              the leaf has a value; less is a null, if an item is there at all
 * </pre>
 *
 * @param name the name that a feed asks by
 * @param type what its values become
 * @param descriptor the leaf in the file's schema
 * @param index place of the leaf among all leaves of the schema, and so of its chunk in a row group
 * @param meaning how stored values are to be read
 * @param lists one entry per list axis, outermost first
 */
public record LeafColumn(
    String name,
    ColumnType type,
    ColumnDescriptor descriptor,
    int index,
    Meaning meaning,
    List<ListLevel> lists) {
  public LeafColumn {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(descriptor, "descriptor");
    Objects.requireNonNull(meaning, "meaning");
    lists = List.copyOf(lists);
    if (lists.size() != type.listDepth()) {
      throw new IllegalArgumentException("list levels: " + lists.size() + " of " + type);
    }
  }

  /** The leaf's path in the schema, part by part. */
  public List<String> path() {
    return List.of(descriptor.getPath());
  }

  /** The physical type. */
  public Physical physical() {
    return switch (descriptor.getPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN -> Physical.BOOLEAN;
      case INT32 -> Physical.INT32;
      case INT64 -> Physical.INT64;
      case INT96 -> Physical.INT96;
      case FLOAT -> Physical.FLOAT;
      case DOUBLE -> Physical.DOUBLE;
      case BINARY -> Physical.BINARY;
      case FIXED_LEN_BYTE_ARRAY -> Physical.FIXED;
    };
  }

  /** Bytes of a {@link Physical#FIXED} value, else 0. */
  public int fixedLength() {
    return physical() == Physical.FIXED ? descriptor.getPrimitiveType().getTypeLength() : 0;
  }

  /** The definition level of a value that is not null. */
  public int maxDefinition() {
    return descriptor.getMaxDefinitionLevel();
  }

  /** The greatest repetition level; 0 for a scalar column, else the number of lists. */
  public int maxRepetition() {
    return descriptor.getMaxRepetitionLevel();
  }

  /** The least definition level at which there is an item, null or not; 0 for a scalar column. */
  public int itemLevel() {
    return lists.isEmpty() ? 0 : lists.get(lists.size() - 1).elementLevel();
  }

  /** Whether an item can be null. */
  public boolean nullable() {
    return itemLevel() < maxDefinition();
  }

  /** How values are stored. */
  public enum Physical {
    BOOLEAN,
    INT32,
    INT64,
    INT96,
    FLOAT,
    DOUBLE,
    BINARY,
    FIXED
  }

  /**
   * One list axis.
   *
   * @param presentLevel definition level from which on this list has a place: 0 for the outermost,
   *     else the element level of the list around it
   * @param elementLevel definition level from which on the list has an element; one less means that
   *     it is empty, still less (down to {@code presentLevel}) that it is null
   */
  public record ListLevel(int presentLevel, int elementLevel) {
    /** The definition level of a list that is there and has no element. */
    public int emptyLevel() {
      return elementLevel - 1;
    }

    /** Whether the list can be null. */
    public boolean nullable() {
      return presentLevel < emptyLevel();
    }
  }

  /**
   * About the most bytes that the decoded column takes in memory: values in arrays of their own
   * type, of bytes also offsets and indices into a dictionary, a flag for each item that can be
   * null, and the offsets and flags of lists.
   *
   * @param rows of the row group
   * @param entries leaf entries, nulls and empty lists included
   * @param storedBytes of its pages, uncompressed
   */
  public long decodedBytes(long rows, long entries, long storedBytes) {
    boolean converted =
        meaning instanceof Meaning.Time
            || meaning instanceof Meaning.Timestamp
            || meaning.equals(new Meaning.Whole(Integer.SIZE, false));
    long values =
        switch (physical()) {
          case BOOLEAN, FLOAT -> Integer.BYTES * entries;
          case INT32 -> (converted ? Integer.BYTES + Long.BYTES : Integer.BYTES) * entries;
          case INT64, DOUBLE -> Long.BYTES * entries;
          case INT96, FIXED, BINARY ->
              storedBytes
                  + (meaning instanceof Meaning.Decimal
                          ? 2 * Integer.BYTES + Long.BYTES
                          : 2 * Integer.BYTES)
                      * entries;
        };
    long flags = nullable() ? entries : 0;
    int listBytes = Integer.BYTES + 1;
    long ofLists = lists.isEmpty() ? 0 : listBytes * (rows + (lists.size() - 1) * entries);
    return values + flags + ofLists;
  }

  /** How stored values are to be read. */
  public sealed interface Meaning {
    /** Just what the physical type says: booleans, floats, doubles, bytes. */
    record Plain() implements Meaning {}

    /**
     * Whole numbers in INT32 or INT64.
     *
     * @param bits 8, 16, 32 or 64, at most the physical type's
     * @param signed whether the most significant of the physical type's bits is a sign
     */
    record Whole(int bits, boolean signed) implements Meaning {}

    /** IEEE 754 half precision in two little-endian bytes. */
    record Float16() implements Meaning {}

    /** An unscaled whole number; in BINARY and FIXED two's complement, big-endian. */
    record Decimal(int precision, int scale) implements Meaning {}

    /** Days since 1970. */
    record Date() implements Meaning {}

    /** Time since midnight. */
    record Time(Unit unit) implements Meaning {}

    /** Time since 1970. */
    record Timestamp(Unit unit) implements Meaning {}

    /**
     * The old timestamp: eight bytes of nanoseconds since midnight, then four of the Julian day
     * number, both little-endian.
     */
    record Int96Timestamp() implements Meaning {}
  }

  /** Units of time. */
  public enum Unit {
    MILLIS,
    MICROS,
    NANOS
  }
}
