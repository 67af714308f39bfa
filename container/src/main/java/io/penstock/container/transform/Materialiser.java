package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Column.ListLevel;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A whole column after the ops before user code, in plain arrays of its own. */
final class Materialiser {
  private final ColumnPlan plan;
  private final ColumnPlace place;

  Materialiser(ColumnPlan plan, RowGroupRef at) {
    this.plan = plan;
    this.place = new ColumnPlace(plan, at);
  }

  Column apply(Column column) {
    Chain chain;
    try {
      chain = plan.chain(column.type());
    } catch (UsageException e) {
      throw place.failure(e.getMessage(), e);
    }
    return chain.decoder().isPresent() ? decoded(column, chain) : items(column, chain);
  }

  private Column items(Column column, Chain chain) {
    ItemOps ops = chain.itemOps();
    Block items = new Block();
    try {
      chain.loading().load(column.values(), column.valid(), 0, column.items(), items);
      items.constants = ops.constants();
      ops.before().run(items);
    } catch (CellFailure e) {
      throw place.failure(ListCells.rowOf(column, e.cell()), e);
    }
    if (ops.padding().isPresent()) {
      return padded(column, ops, items);
    }
    boolean emptied = ops.nullLists() == NullLists.REFUSED;
    List<ListLevel> lists =
        column.lists().stream()
            .map(
                level ->
                    new ListLevel(
                        level.count(),
                        level.offsets().clone(),
                        emptied || level.valid() == null ? null : level.valid().clone()))
            .toList();
    return column(column, items, lists);
  }

  private Column padded(Column column, ItemOps ops, Block items) {
    Padding padding = ops.padding().orElseThrow();
    ListCells cells = new ListCells(padding.lengths(), true, ops.nullLists());
    int perRow = cells.perRow();
    try {
      cells.compute(column, 0, column.rows());
    } catch (CellFailure e) {
      throw place.failure(e.cell(), e);
    }
    Block block = items;
    if (!cells.straight) {
      block = new Block();
      cells.gather(items, 0, block, ListCells.States.ONLY_FOR_NULLS);
    }
    try {
      padding.run(cells, block);
      ops.after().run(block);
    } catch (CellFailure e) {
      throw place.failure(e.cell() / perRow, e);
    }
    List<ListLevel> lists = new ArrayList<>();
    int count = column.rows();
    for (int length : padding.lengths()) {
      int[] offsets = new int[count + 1];
      for (int i = 0; i <= count; i++) {
        offsets[i] = i * length;
      }
      lists.add(new ListLevel(count, offsets, null));
      count *= length;
    }
    return column(column, block, lists);
  }

  /** Arrays become lists, one level for each axis. */
  private Column decoded(Column column, Chain chain) {
    Block bytes = new Block();
    try {
      chain.loading().load(column.values(), column.valid(), 0, column.rows(), bytes);
      bytes.constants = chain.beforeDecoding().constants().toArray(byte[][]::new);
      chain.beforeDecoding().run(bytes);
    } catch (CellFailure e) {
      throw place.failure(e.cell(), e);
    }
    ArrayColumn arrays = new ArrayColumn(column.rows());
    Block items = new Block();
    for (int row = 0; row < column.rows(); row++) {
      if (bytes.isNull(row) && chain.fillsArrays()) {
        throw place.failure(
            row, "must not be null where fill stands between decode and class: null", null);
      }
      if (bytes.isNull(row)) {
        arrays.addNull();
        continue;
      }
      try {
        int[] shape =
            chain
                .decoder()
                .orElseThrow()
                .decode(bytes.data(row), bytes.start(row), bytes.length(row), items);
        addArray(chain.itemOps(items.form, shape.length), shape, items, arrays);
      } catch (CellFailure e) {
        throw place.failure(row, e);
      } catch (UsageException e) {
        throw place.failure(row, e.getMessage(), e);
      }
    }
    return arrays.column(plan.axes().size());
  }

  private static void addArray(ItemOps ops, int[] shape, Block items, ArrayColumn arrays) {
    ops.before().run(items);
    if (ops.padding().isEmpty()) {
      arrays.add(shape, items);
      return;
    }
    Padding padding = ops.padding().get();
    ListCells cells = new ListCells(padding.lengths(), true, ops.nullLists());
    cells.computeArray(shape);
    Block block = items;
    if (!cells.straight) {
      block = new Block();
      cells.gather(items, 0, block, ListCells.States.ONLY_FOR_NULLS);
    }
    padding.run(cells, block);
    ops.after().run(block);
    arrays.add(padding.lengths().stream().mapToInt(Integer::intValue).toArray(), block);
  }

  private static Column column(Column column, Block block, List<ListLevel> lists) {
    int count = block.size;
    Kind kind;
    Values values;
    switch (block.form) {
      case WHOLE -> {
        kind = column.type().kind().isWhole() ? column.type().kind() : Kind.INTEGER;
        values = new Values.Longs(Arrays.copyOf(block.wholes, count));
      }
      case UNSIGNED -> {
        kind = Kind.UNSIGNED;
        values = new Values.Longs(Arrays.copyOf(block.wholes, count));
      }
      case FLOAT -> {
        kind = Kind.FLOAT;
        values = new Values.Doubles(Arrays.copyOf(block.floats, count));
      }
      case BYTES -> {
        kind = Kind.BYTES;
        values = bytes(block);
      }
      default -> throw new IllegalStateException(block.form.text());
    }
    boolean[] valid = null;
    if (block.stated) {
      valid = new boolean[count];
      for (int i = 0; i < count; i++) {
        valid[i] = block.states[i] != Block.NULL;
      }
    }
    return new Column(
        new ColumnType(kind, 0, lists.size()), column.rows(), count, values, valid, lists);
  }

  private static Values.Bytes bytes(Block block) {
    int[] offsets = new int[block.size + 1];
    for (int i = 0; i < block.size; i++) {
      offsets[i + 1] = Math.addExact(offsets[i], block.isNull(i) ? 0 : block.length(i));
    }
    byte[] data = new byte[offsets[block.size]];
    for (int i = 0; i < block.size; i++) {
      System.arraycopy(
          block.isNull(i) ? data : block.data(i),
          block.isNull(i) ? 0 : block.start(i),
          data,
          offsets[i],
          offsets[i + 1] - offsets[i]);
    }
    return new Values.Bytes(data, offsets);
  }
}
