package io.penstock.container.decode;

import io.penstock.catalog.LeafColumn;
import io.penstock.catalog.LeafColumn.Physical;
import io.penstock.container.decode.ByteStores.BinaryStore;
import io.penstock.container.decode.ByteStores.FixedStore;
import io.penstock.container.decode.NumberStores.BooleanStore;
import io.penstock.container.decode.NumberStores.DoubleStore;
import io.penstock.container.decode.NumberStores.FloatStore;
import io.penstock.container.decode.NumberStores.IntStore;
import io.penstock.container.decode.NumberStores.LongStore;
import java.util.EnumMap;
import java.util.Map;

/** The arrays of one slot of a decoder, which columns of any type are decoded into in turn. */
final class ColumnBuffers {
  private static final int INT96_BYTES = 12;

  final Conversion conversion = new Conversion();
  int[] indices = new int[0];

  private final Map<Physical, Store> values = new EnumMap<>(Physical.class);
  private final Map<Physical, Store> dictionaries = new EnumMap<>(Physical.class);
  private final FlatStructure flat = new FlatStructure();
  private ListStructure lists;

  /** An empty store for values of that column. */
  Store values(LeafColumn leaf) {
    return store(leaf, values);
  }

  /** An empty store for entries of a dictionary of that column. */
  Store dictionary(LeafColumn leaf) {
    return store(leaf, dictionaries);
  }

  Structure structure(LeafColumn leaf) {
    if (leaf.lists().isEmpty()) {
      return flat;
    }
    if (lists == null) {
      lists = new ListStructure();
    }
    return lists;
  }

  /** Makes room for {@code count} indices in all. */
  int[] indices(long count) {
    if (indices.length < count) {
      indices = java.util.Arrays.copyOf(indices, Capacity.grown(indices.length, count));
    }
    return indices;
  }

  private static Store store(LeafColumn leaf, Map<Physical, Store> known) {
    Store store = known.computeIfAbsent(leaf.physical(), ColumnBuffers::store);
    store.clear();
    if (store instanceof FixedStore fixed) {
      fixed.width(leaf.physical() == Physical.INT96 ? INT96_BYTES : leaf.fixedLength());
    }
    return store;
  }

  private static Store store(Physical physical) {
    return switch (physical) {
      case BOOLEAN -> new BooleanStore();
      case INT32 -> new IntStore();
      case INT64 -> new LongStore();
      case FLOAT -> new FloatStore();
      case DOUBLE -> new DoubleStore();
      case INT96, FIXED -> new FixedStore();
      case BINARY -> new BinaryStore();
    };
  }
}
