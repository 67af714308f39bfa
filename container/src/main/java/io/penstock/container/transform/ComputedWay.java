package io.penstock.container.transform;

import io.penstock.container.tensors.Column;

/**
 * Values are loaded into a block, go through the ops, and are cast. Lists are brought into the
 * tensor's shape between the ops before {@code pad} and those after it.
 */
final class ComputedWay implements Way {
  /** Items that a block takes at a time, more only if one row has more. */
  private static final int BLOCK_ITEMS = 1 << 14;

  private final ColumnPlan plan;
  private final Scratch scratch;
  private final CellWriter writer;

  private Column column;
  private ColumnPlace place;
  private Loading loading;
  private ItemOps ops;
  private byte[][] constants;
  private ListCells lists;

  ComputedWay(ColumnPlan plan, Scratch scratch) {
    this.plan = plan;
    this.scratch = scratch;
    writer = new CellWriter(plan.dtype(), plan.nulls());
  }

  /** Takes up a column. */
  void begin(Column newColumn, ColumnPlace newPlace, Chain chain, ListCells newLists) {
    column = newColumn;
    place = newPlace;
    loading = chain.loading();
    ops = chain.itemOps();
    constants = ops.constants();
    lists = newLists;
  }

  @Override
  public void write(int from, int to, byte[] out, int at, byte[] mask, int maskAt) {
    if (column.lists().isEmpty()) {
      writeScalars(from, to, out, at, mask, maskAt);
      return;
    }
    for (int low = from; low < to; ) {
      int first = ListCells.firstItem(column, low);
      int high = low + 1;
      while (high < to && ListCells.firstItem(column, high + 1) - first <= BLOCK_ITEMS) {
        high++;
      }
      int cells = (low - from) * plan.cells();
      int bytes = cells * plan.dtype().bytes();
      writeLists(low, high, out, at + bytes, mask, maskAt + cells);
      low = high;
    }
  }

  private void writeScalars(int from, int to, byte[] out, int at, byte[] mask, int maskAt) {
    Block block = scratch.items;
    try {
      load(from, to - from, block);
      ops.before().run(block);
      writer.write(block, out, at, mask, maskAt);
    } catch (CellFailure e) {
      throw place.failure(from + e.cell(), e);
    }
  }

  private void writeLists(int from, int to, byte[] out, int at, byte[] mask, int maskAt) {
    try {
      lists.compute(column, from, to);
    } catch (CellFailure e) {
      throw place.failure(e.cell(), e);
    }
    int first = ListCells.firstItem(column, from);
    try {
      load(first, ListCells.firstItem(column, to) - first, scratch.items);
      ops.before().run(scratch.items);
    } catch (CellFailure e) {
      throw place.failure(ListCells.rowOf(column, first + e.cell()), e);
    }
    try {
      Block cells = shaped(ops, lists, first, scratch, mask);
      writer.write(cells, out, at, mask, maskAt);
    } catch (CellFailure e) {
      throw place.failure(from + e.cell() / plan.cells(), e);
    }
  }

  private void load(int from, int count, Block block) {
    loading.load(column.values(), column.valid(), from, count, block);
    block.constants = constants;
  }

  /**
   * Brings {@code scratch.items} into the shape that {@code lists} has worked out, and runs the ops
   * after that.
   *
   * @return the block that then holds the cells
   */
  static Block shaped(ItemOps ops, ListCells lists, int firstItem, Scratch scratch, byte[] mask) {
    Block cells = scratch.items;
    if (!lists.straight) {
      cells = scratch.cells;
      lists.gather(
          scratch.items,
          firstItem,
          cells,
          mask == null ? ListCells.States.ONLY_FOR_NULLS : ListCells.States.WANTED);
    }
    if (ops.padding().isPresent()) {
      ops.padding().get().run(lists, cells);
    }
    ops.after().run(cells);
    return cells;
  }
}
