package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.model.UsageException;
import java.util.Arrays;

/** Bytes are decoded to one array a row, whose numbers then go on as a list's items do. */
final class DecodedWay implements Way {
  private final ColumnPlan plan;
  private final Scratch scratch;
  private final CellWriter writer;

  private Column column;
  private ColumnPlace place;
  private Chain chain;
  private ListCells lists;

  DecodedWay(ColumnPlan plan, Scratch scratch) {
    this.plan = plan;
    this.scratch = scratch;
    writer = new CellWriter(plan.dtype(), plan.nulls());
  }

  /** Takes up a column. */
  void begin(Column newColumn, ColumnPlace newPlace, Chain newChain, ListCells newLists) {
    column = newColumn;
    place = newPlace;
    chain = newChain;
    lists = newLists;
  }

  @Override
  public void write(int from, int to, byte[] out, int at, byte[] mask, int maskAt) {
    Block bytes = scratch.bytes;
    Steps before = chain.beforeDecoding();
    try {
      chain.loading().load(column.values(), column.valid(), from, to - from, bytes);
      bytes.constants = before.constants().toArray(byte[][]::new);
      before.run(bytes);
    } catch (CellFailure e) {
      throw place.failure(from + e.cell(), e);
    }
    for (int row = 0; row < to - from; row++) {
      int cells = row * plan.cells();
      try {
        writeRow(bytes, row, out, at + cells * plan.dtype().bytes(), mask, maskAt + cells);
      } catch (CellFailure e) {
        throw place.failure(from + row, e);
      } catch (UsageException e) {
        throw place.failure(from + row, e.getMessage(), e);
      }
    }
  }

  private void writeRow(Block bytes, int row, byte[] out, int at, byte[] mask, int maskAt) {
    Block items = scratch.items;
    if (bytes.isNull(row)) {
      items.reset(Form.WHOLE, 0);
      lists.computeNullArray();
    } else {
      int[] shape =
          chain
              .decoder()
              .orElseThrow()
              .decode(bytes.data(row), bytes.start(row), bytes.length(row), items);
      lists.computeArray(shape);
      if (bytes.stated && bytes.states[row] == Block.FILLED) {
        items.state();
        Arrays.fill(items.states, 0, items.size, Block.FILLED);
      }
    }
    ItemOps ops = chain.itemOps(items.form, plan.axes().size());
    ops.before().run(items);
    writer.write(ComputedWay.shaped(ops, lists, 0, scratch, mask), out, at, mask, maskAt);
  }
}
