package io.penstock.container.decode;

import io.penstock.catalog.LeafColumn;
import io.penstock.container.decode.ByteStores.BinaryStore;
import io.penstock.container.decode.ByteStores.FixedStore;
import io.penstock.container.decode.NumberStores.BooleanStore;
import io.penstock.container.decode.NumberStores.DoubleStore;
import io.penstock.container.decode.NumberStores.FloatStore;
import io.penstock.container.decode.NumberStores.IntStore;
import io.penstock.container.decode.NumberStores.LongStore;

/** The arrays that one column of a worker is decoded into, row group after row group. */
final class ColumnBuffers {
  final Conversion conversion = new Conversion();
  int[] indices = new int[0];

  private Store values;
  private Store dictionary;
  private Structure structure;

  /** An empty store for values of that column. */
  Store values(LeafColumn leaf) {
    values = store(leaf, values);
    return values;
  }

  /** An empty store for entries of a dictionary of that column. */
  Store dictionary(LeafColumn leaf) {
    dictionary = store(leaf, dictionary);
    return dictionary;
  }

  Structure structure(LeafColumn leaf) {
    boolean flat = leaf.lists().isEmpty();
    if (structure == null || structure instanceof FlatStructure != flat) {
      structure = flat ? new FlatStructure() : new ListStructure();
    }
    return structure;
  }

  /** Makes room for {@code count} indices in all. */
  int[] indices(long count) {
    if (indices.length < count) {
      indices = java.util.Arrays.copyOf(indices, Capacity.grown(indices.length, count));
    }
    return indices;
  }

  private static Store store(LeafColumn leaf, Store known) {
    Store store =
        switch (leaf.physical()) {
          case BOOLEAN -> known instanceof BooleanStore ? known : new BooleanStore();
          case INT32 ->
              known != null && known.getClass() == IntStore.class ? known : new IntStore();
          case INT64 -> known instanceof LongStore ? known : new LongStore();
          case FLOAT -> known instanceof FloatStore ? known : new FloatStore();
          case DOUBLE -> known instanceof DoubleStore ? known : new DoubleStore();
          case INT96 -> fixed(12, known);
          case FIXED -> fixed(leaf.fixedLength(), known);
          case BINARY -> known instanceof BinaryStore ? known : new BinaryStore();
        };
    store.clear();
    return store;
  }

  private static Store fixed(int width, Store known) {
    return known instanceof FixedStore fixed && fixed.width() == width
        ? known
        : new FixedStore(width);
  }
}
