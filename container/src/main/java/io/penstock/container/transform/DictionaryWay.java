package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import io.penstock.model.DType;
import java.util.Arrays;

/**
 * All ops and the cast are done once per dictionary entry, and once each for two more cells that
 * stand for null and for padding; rows then look the bytes up.
 */
final class DictionaryWay implements Way {
  private final ColumnPlan plan;
  private final int itemBytes;
  private final Scratch scratch;
  private final CellWriter writer;

  private Column column;
  private ColumnPlace place;
  private ListCells lists;

  /** Of the entries, then of null, then of padding. */
  private final Scratch.Entries entries;

  private int nullPlace;
  private boolean nullRefused;

  // What was looked up last.
  private int[] ownPlaces = new int[0];
  private int[] rowPlaces;
  private int firstPlace;

  DictionaryWay(ColumnPlan plan, Scratch scratch, int slot) {
    this.plan = plan;
    this.scratch = scratch;
    entries = scratch.entries(slot);
    itemBytes = plan.dtype().bytes();
    writer = new CellWriter(plan.dtype(), ColumnPlan.Nulls.MASKED);
  }

  /**
   * Takes up a column if this way can do it. It can't if an entry breaks a rule: perhaps no row
   * uses that entry.
   */
  boolean begin(Column newColumn, ColumnPlace newPlace, Chain chain, ListCells newLists) {
    if (!(newColumn.values() instanceof Values.Dictionary dictionary)
        || dictionary.size() == 0
        || dictionary.size() > newColumn.items()) {
      return false;
    }
    try {
      makeEntries(dictionary, chain);
    } catch (CellFailure e) {
      return false;
    }
    column = newColumn;
    place = newPlace;
    lists = newLists;
    return true;
  }

  private void makeEntries(Values.Dictionary dictionary, Chain chain) {
    int size = dictionary.size();
    nullPlace = size;
    int bytes = Math.multiplyExact(Math.addExact(size, 2), itemBytes);
    if (entries.bytes.length < bytes) {
      entries.bytes = new byte[bytes + bytes / 4];
    }
    Block block = scratch.items;
    ItemOps ops = chain.itemOps();
    if (ops.idleWithoutNulls()
        && plan.dtype() == DType.FLOAT32
        && dictionary.entries() instanceof Values.Floats floats) {
      Cast.storeFloats(floats.array(), 0, size, entries.bytes, 0);
    } else {
      chain.loading().load(dictionary.entries(), null, 0, size, block);
      block.constants = ops.constants();
      run(ops, block, size);
      writer.write(block, entries.bytes, 0, null, 0);
    }
    block.reset(chain.loading().form(), 2);
    block.clear();
    block.constants = ops.constants();
    block.state();
    block.states[0] = Block.NULL;
    block.states[1] = Block.NULL;
    run(ops, block, 1);
    nullRefused = block.isNull(0) && plan.nulls() == ColumnPlan.Nulls.REFUSED;
    writer.write(block, entries.bytes, size * itemBytes, null, 0);
  }

  /** Cells from {@code padding} on are padding. */
  private static void run(ItemOps ops, Block block, int padding) {
    ops.before().run(block);
    if (ops.padding().isPresent()) {
      Constant value = ops.padding().get().value();
      value.convert(block);
      value.put(block, padding, block.size);
    }
    ops.after().run(block);
  }

  /**
   * Finds the places of a scalar column's rows {@code from} up to {@code to} among the entries:
   * {@link #places} from {@link #firstPlace} on.
   *
   * @throws io.penstock.model.DataException if a null breaks the feed
   */
  void look(int from, int to) {
    if (column.valid() == null) {
      rowPlaces = ((Values.Dictionary) column.values()).indices();
      firstPlace = from;
      return;
    }
    int count = to - from;
    if (ownPlaces.length < count) {
      ownPlaces = new int[count];
    }
    rowPlaces = ownPlaces;
    firstPlace = 0;
    put(rowPlaces, 0, from, count);
    refuseNulls(rowPlaces, from, count);
  }

  /** The bytes of all entries. */
  byte[] entries() {
    return entries.bytes;
  }

  int[] places() {
    return rowPlaces;
  }

  int firstPlace() {
    return firstPlace;
  }

  /** Whether a row is one number. */
  boolean isScalar() {
    return column.lists().isEmpty();
  }

  @Override
  public void write(int from, int to, byte[] out, int at, byte[] mask, int maskAt) {
    int count = (to - from) * plan.cells();
    int[] places = scratch.places(count);
    if (column.lists().isEmpty()) {
      put(places, 0, from, count);
    } else {
      try {
        lists.compute(column, from, to);
      } catch (CellFailure e) {
        throw place.failure(e.cell(), e);
      }
      putLists(places, from, count);
    }
    refuseNulls(places, from, count);
    store(places, count, out, at);
    if (mask != null) {
      for (int i = 0; i < count; i++) {
        mask[maskAt + i] = (byte) (places[i] < nullPlace ? 1 : 0);
      }
    }
  }

  private void refuseNulls(int[] places, int from, int count) {
    if (nullRefused) {
      for (int i = 0; i < count; i++) {
        if (places[i] == nullPlace) {
          throw place.failure(from + i / plan.cells(), CellWriter.NULL_REFUSED, null);
        }
      }
    }
  }

  /** The entries of some items. */
  private void put(int[] places, int cell, int item, int count) {
    int[] indices = ((Values.Dictionary) column.values()).indices();
    boolean[] valid = column.valid();
    if (valid == null) {
      System.arraycopy(indices, item, places, cell, count);
    } else {
      int ofNull = nullPlace;
      for (int i = 0; i < count; i++) {
        int one = valid[item + i] ? 1 : 0; // nulls come as they like: no jump, see ChunkDecoder
        places[cell + i] = ofNull + (indices[item + i] - ofNull & -one);
      }
    }
  }

  private void putLists(int[] places, int from, int count) {
    if (lists.straight) {
      put(places, 0, ListCells.firstItem(column, from), count);
      return;
    }
    int perRun = lists.perRun();
    for (int k = 0, cell = 0; k < lists.runs; k++, cell += perRun) {
      int items = Math.max(lists.counts[k], 0);
      if (items > 0) {
        put(places, cell, lists.firsts[k], items);
      }
      int rest = lists.counts[k] == ListCells.NULL ? nullPlace : nullPlace + 1;
      Arrays.fill(places, cell + items, cell + perRun, rest);
    }
  }

  private void store(int[] places, int count, byte[] out, int at) {
    byte[] entries = this.entries.bytes;
    switch (itemBytes) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          out[at + i] = entries[places[i]];
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          Cast.SHORT.set(out, at + 2 * i, (short) Cast.SHORT.get(entries, 2 * places[i]));
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          Cast.INT.set(out, at + 4 * i, (int) Cast.INT.get(entries, 4 * places[i]));
        }
      }
      case 8 -> {
        for (int i = 0; i < count; i++) {
          Cast.LONG.set(out, at + 8 * i, (long) Cast.LONG.get(entries, 8 * places[i]));
        }
      }
      default -> throw new IllegalStateException("bytes=" + itemBytes);
    }
  }
}
