package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType;
import io.penstock.model.DType;
import io.penstock.model.DataException;
import io.penstock.model.RowGroupRef;
import io.penstock.model.UsageException;
import java.util.List;

/**
 * Writes one column of a row group into its place in a tensor's rows. Belongs to one transformer.
 *
 * <h2>Ways</h2>
 *
 * {@link #begin} chooses how, and {@link #write} is then called for runs of rows that are short
 * enough for the row-major block and the scratch blocks to stay in cache.
 *
 * <ul>
 *   <li><b>Direct</b>: no op has anything to do and the file's type is the tensor's; values are
 *       copied.
 *   <li><b>Dictionary</b>: all ops and the cast are done once per entry, and once each for two more
 *       cells that stand for null and for padding; rows then look the bytes up. If any entry breaks
 *       a rule the column is computed instead, since no row may use that entry.
 *   <li><b>Computed</b>: values are loaded into a block, go through the ops, and are cast into
 *       place. Lists are brought into the tensor's shape between the ops before {@code pad} and
 *       those after it.
 *   <li><b>Decoded</b>: the same with one array a row.
 * </ul>
 *
 * <p>All ways give the same bytes.
 */
final class ColumnRun {
  /** Items that a block takes at a time, more only if one row has more. */
  private static final int BLOCK_ITEMS = 1 << 14;

  private enum Way {
    DIRECT,
    DICTIONARY,
    COMPUTED,
    DECODED
  }

  private final ColumnPlan plan;
  private final Scratch scratch;
  private final int itemBytes;

  /** The chain for the type that the last row group had. */
  private Chain chain;

  private ColumnType chainType;

  /** Of a column that is not decoded. */
  private ItemOps ops;

  private ListCells lists;

  private Column column;
  private RowGroupRef at;
  private Way way;

  /** Of the dictionary's entries, then of null, then of padding. */
  private byte[] entryBytes = new byte[0];

  private int nullPlace;
  private boolean nullRefused;

  ColumnRun(ColumnPlan plan, Scratch scratch) {
    this.plan = plan;
    this.scratch = scratch;
    itemBytes = plan.dtype().bytes();
  }

  /** Takes up the column of a row group. */
  void begin(Column newColumn, RowGroupRef newAt) {
    column = newColumn;
    at = newAt;
    compile(newColumn.type());
    if (chain.decoder().isPresent()) {
      way = Way.DECODED;
    } else if (canCopy()) {
      way = Way.DIRECT;
    } else if (column.values() instanceof Values.Dictionary dictionary
        && dictionary.size() > 0
        && dictionary.size() <= column.items()) {
      way = runDictionary(dictionary) ? Way.DICTIONARY : Way.COMPUTED;
    } else {
      way = Way.COMPUTED;
    }
  }

  /** Lets go of the row group. */
  void end() {
    column = null;
    at = null;
  }

  /**
   * Writes rows {@code from} up to {@code to}.
   *
   * @param out zero there so far
   * @param place of the first row's first number of this column
   * @param stride bytes from one row to the next
   * @param mask one byte for each number, or null if the tensor has no mask
   * @param maskPlace of the first row's first number of this column
   * @param maskStride bytes from one row to the next
   */
  void write(
      int from,
      int to,
      byte[] out,
      int place,
      int stride,
      byte[] mask,
      int maskPlace,
      int maskStride) {
    Target target = new Target(out, place, stride, mask, maskPlace, maskStride);
    switch (way) {
      case DIRECT -> copy(from, to, target);
      case DICTIONARY -> lookUp(from, to, target);
      case COMPUTED -> compute(from, to, target);
      case DECODED -> decode(from, to, target);
    }
  }

  /** Where rows go. */
  private record Target(
      byte[] out, int place, int stride, byte[] mask, int maskPlace, int maskStride) {
    Target skip(int rows) {
      return new Target(
          out, place + rows * stride, stride, mask, maskPlace + rows * maskStride, maskStride);
    }
  }

  private void compile(ColumnType type) {
    if (type.equals(chainType)) {
      return;
    }
    try {
      chain = plan.chain(type);
    } catch (UsageException e) {
      throw new DataException(place(), detail(e.getMessage()), e);
    }
    if (chain.decoder().isPresent()) {
      lists = lists(chain.itemOps(Form.WHOLE, plan.axes().size()));
    } else {
      if (type.listDepth() != plan.axes().size()) {
        throw new DataException(
            place(), detail("must have the shape " + plan.axes() + ": a column of " + type));
      }
      ops = chain.itemOps();
      lists = lists(ops);
    }
    chainType = type;
  }

  private ListCells lists(ItemOps itemOps) {
    return new ListCells(plan.axes(), itemOps.padding().isPresent(), itemOps.nullLists());
  }

  // Direct

  private boolean canCopy() {
    if (column.valid() != null
        || !ops.idleWithoutNulls()
        || column.type().kind() == ColumnType.Kind.DECIMAL) {
      return false;
    }
    DType dtype = plan.dtype();
    Values values = column.values();
    boolean same =
        (values instanceof Values.Floats && dtype == DType.FLOAT32)
            || (values instanceof Values.Doubles && dtype == DType.FLOAT64)
            || (values instanceof Values.Ints && (dtype == DType.INT32 || dtype == DType.INT64))
            || (values instanceof Values.Longs
                && dtype == DType.INT64
                && chain.loading().form() == Form.WHOLE);
    return same && (column.lists().isEmpty() || lists.allStraight(column));
  }

  private void copy(int from, int to, Target target) {
    int cells = plan.cells();
    forRuns(
        (to - from),
        target.stride(),
        (row, count, offset, stride) ->
            copyRun((from + row) * cells, count, target.out(), target.place() + offset, stride));
    if (target.mask() != null) {
      forMaskRows(
          to - from,
          target,
          (row, maskAt) -> java.util.Arrays.fill(target.mask(), maskAt, maskAt + cells, (byte) 1));
    }
  }

  private void copyRun(int from, int count, byte[] out, int place, int stride) {
    Values values = column.values();
    if (values instanceof Values.Floats floats) {
      Cast.storeFloats(floats.array(), from, count, out, place, stride);
    } else if (values instanceof Values.Doubles doubles) {
      Cast.storeDoubles(doubles.array(), from, count, out, place, stride);
    } else if (values instanceof Values.Longs longs) {
      Cast.storeLongs(longs.array(), from, count, out, place, stride);
    } else if (values instanceof Values.Ints ints && plan.dtype() == DType.INT32) {
      Cast.storeInts(ints.array(), from, count, out, place, stride);
    } else if (values instanceof Values.Ints ints) {
      Cast.storeLongs(ints.array(), from, count, out, place, stride);
    }
  }

  // Dictionary

  /** False if an entry breaks a rule. */
  private boolean runDictionary(Values.Dictionary dictionary) {
    Block block = scratch.items;
    nullPlace = dictionary.size();
    int padPlace = nullPlace + 1;
    try {
      chain.loading().loadEntries(dictionary, 2, block);
      block.constants = ops.constants();
      block.state();
      block.states[nullPlace] = Block.NULL;
      block.states[padPlace] = Block.NULL;
      ops.before().run(block);
      if (ops.padding().isPresent()) {
        Constant value = ops.padding().get().value();
        value.convert(block);
        value.put(block, padPlace);
      }
      ops.after().run(block);
      nullRefused = block.isNull(nullPlace) && plan.nulls() == ColumnPlan.Nulls.REFUSED;
      zeroNulls(block);
      Cast.prepare(block, plan.dtype());
      int bytes = Math.multiplyExact(block.size, itemBytes);
      if (entryBytes.length < bytes) {
        entryBytes = new byte[bytes + bytes / 4];
      }
      Cast.store(block, plan.dtype(), 0, block.size, entryBytes, 0, itemBytes);
      return true;
    } catch (CellFailure e) {
      return false;
    }
  }

  private void lookUp(int from, int to, Target target) {
    int cells = plan.cells();
    int count = (to - from) * cells;
    int[] indices = ((Values.Dictionary) column.values()).indices();
    int[] places = scratch.places(count);
    if (column.lists().isEmpty()) {
      for (int i = 0; i < count; i++) {
        places[i] = column.isNull(from + i) ? nullPlace : indices[from + i];
      }
    } else {
      shape(from, to);
      if (lists.straight) {
        int first = ListCells.firstItem(column, from);
        for (int i = 0; i < count; i++) {
          places[i] = column.isNull(first + i) ? nullPlace : indices[first + i];
        }
      } else {
        for (int i = 0; i < count; i++) {
          int source = lists.sources[i];
          places[i] =
              source == ListCells.PAD
                  ? nullPlace + 1
                  : source == ListCells.NULL || column.isNull(source) ? nullPlace : indices[source];
        }
      }
    }
    if (nullRefused) {
      for (int i = 0; i < count; i++) {
        if (places[i] == nullPlace) {
          throw failure(from + i / cells, nullFailure(0));
        }
      }
    }
    forRuns(
        to - from,
        target.stride(),
        (row, run, offset, stride) ->
            storeEntries(places, row * cells, run, target.out(), target.place() + offset, stride));
    if (target.mask() != null) {
      forMaskRows(
          to - from,
          target,
          (row, maskAt) -> {
            for (int i = 0; i < cells; i++) {
              target.mask()[maskAt + i] = (byte) (places[row * cells + i] < nullPlace ? 1 : 0);
            }
          });
    }
  }

  private void storeEntries(int[] places, int from, int count, byte[] out, int at, int stride) {
    byte[] entries = entryBytes;
    switch (itemBytes) {
      case 1 -> {
        for (int i = from, place = at; i < from + count; i++, place += stride) {
          out[place] = entries[places[i]];
        }
      }
      case 2 -> {
        for (int i = from, place = at; i < from + count; i++, place += stride) {
          Cast.SHORT.set(out, place, (short) Cast.SHORT.get(entries, places[i] << 1));
        }
      }
      case 4 -> {
        for (int i = from, place = at; i < from + count; i++, place += stride) {
          Cast.INT.set(out, place, (int) Cast.INT.get(entries, places[i] << 2));
        }
      }
      case 8 -> {
        for (int i = from, place = at; i < from + count; i++, place += stride) {
          Cast.LONG.set(out, place, (long) Cast.LONG.get(entries, places[i] << 3));
        }
      }
      default -> throw new IllegalStateException("bytes=" + itemBytes);
    }
  }

  // Computed

  private void compute(int from, int to, Target target) {
    if (column.lists().isEmpty()) {
      computeScalars(from, to, target);
      return;
    }
    for (int low = from; low < to; ) {
      int first = ListCells.firstItem(column, low);
      int high = low + 1;
      while (high < to && ListCells.firstItem(column, high + 1) - first <= BLOCK_ITEMS) {
        high++;
      }
      computeLists(low, high, target.skip(low - from));
      low = high;
    }
  }

  private void computeScalars(int from, int to, Target target) {
    Block block = scratch.items;
    try {
      load(from, to - from, block);
      ops.before().run(block);
      finish(block, to - from, target);
    } catch (CellFailure e) {
      throw failure(from + e.cell(), e);
    }
  }

  private void computeLists(int from, int to, Target target) {
    shape(from, to);
    int first = ListCells.firstItem(column, from);
    try {
      load(first, ListCells.firstItem(column, to) - first, scratch.items);
      ops.before().run(scratch.items);
    } catch (CellFailure e) {
      throw failure(ListCells.rowOf(column, first + e.cell()), e);
    }
    try {
      finishShaped(ops, first, to - from, target);
    } catch (CellFailure e) {
      throw failure(from + e.cell() / plan.cells(), e);
    }
  }

  /** From items whose shape is worked out to bytes. */
  private void finishShaped(ItemOps itemOps, int firstItem, int rows, Target target) {
    Block cells = scratch.items;
    if (!lists.straight) {
      lists.gather(scratch.items, firstItem, rows * plan.cells(), scratch.cells);
      cells = scratch.cells;
    }
    if (itemOps.padding().isPresent()) {
      itemOps.padding().get().run(lists, cells);
    }
    itemOps.after().run(cells);
    finish(cells, rows, target);
  }

  private void load(int from, int count, Block block) {
    chain.loading().load(column.values(), column.valid(), from, count, block);
    block.constants = ops.constants();
  }

  private void shape(int from, int to) {
    try {
      lists.compute(column, from, to);
    } catch (CellFailure e) {
      throw failure(e.cell(), e);
    }
  }

  // Decoded

  private void decode(int from, int to, Target target) {
    Block bytes = scratch.bytes;
    Steps before = chain.beforeDecoding();
    try {
      chain.loading().load(column.values(), column.valid(), from, to - from, bytes);
      bytes.constants = before.constants().toArray(byte[][]::new);
      before.run(bytes);
    } catch (CellFailure e) {
      throw failure(from + e.cell(), e);
    }
    for (int row = from; row < to; row++) {
      try {
        decodeRow(bytes, row - from, target.skip(row - from));
      } catch (CellFailure e) {
        throw failure(row, e);
      } catch (UsageException e) {
        throw new DataException(place().atRow(row), detail(e.getMessage()), e);
      }
    }
  }

  private void decodeRow(Block bytes, int row, Target target) {
    Block items = scratch.items;
    if (bytes.isNull(row)) {
      items.reset(Form.WHOLE, 0);
      lists.computeNullArray();
    } else {
      ArrayDecoder decoder = chain.decoder().orElseThrow();
      lists.computeArray(
          decoder.decode(bytes.data(row), bytes.start(row), bytes.length(row), items));
      if (bytes.stated && bytes.states[row] == Block.FILLED) {
        items.state();
        java.util.Arrays.fill(items.states, 0, items.size, Block.FILLED);
      }
    }
    ItemOps itemOps = chain.itemOps(items.form, plan.axes().size());
    itemOps.before().run(items);
    finishShaped(itemOps, 0, 1, target);
  }

  // Common

  /** Nulls, the cast, and the mask. */
  private void finish(Block block, int rows, Target target) {
    int cells = plan.cells();
    if (block.stated && plan.nulls() == ColumnPlan.Nulls.REFUSED) {
      for (int i = 0; i < block.size; i++) {
        if (block.states[i] == Block.NULL) {
          throw nullFailure(i);
        }
      }
    }
    zeroNulls(block);
    Cast.prepare(block, plan.dtype());
    forRuns(
        rows,
        target.stride(),
        (row, count, offset, stride) ->
            Cast.store(
                block,
                plan.dtype(),
                row * cells,
                count,
                target.out(),
                target.place() + offset,
                stride));
    if (target.mask() != null) {
      forMaskRows(
          rows,
          target,
          (row, maskAt) -> {
            for (int i = 0; i < cells; i++) {
              boolean value = !block.stated || block.states[row * cells + i] == Block.VALUE;
              target.mask()[maskAt + i] = (byte) (value ? 1 : 0);
            }
          });
    }
  }

  private static void zeroNulls(Block block) {
    if (!block.stated) {
      return;
    }
    boolean floats = block.form == Form.FLOAT;
    for (int i = 0; i < block.size; i++) {
      if (block.states[i] == Block.NULL) {
        if (floats) {
          block.floats[i] = 0;
        } else {
          block.wholes[i] = 0;
        }
      }
    }
  }

  private interface Run {
    void accept(int row, int count, int offset, int stride);
  }

  /** Cuts rows into runs of numbers that lie at one stride. */
  private void forRuns(int rows, int stride, Run run) {
    int cells = plan.cells();
    if (cells == 1) {
      run.accept(0, rows, 0, stride);
    } else if (stride == cells * itemBytes) {
      run.accept(0, rows * cells, 0, itemBytes);
    } else {
      for (int row = 0; row < rows; row++) {
        run.accept(row, cells, row * stride, itemBytes);
      }
    }
  }

  private interface MaskRow {
    void accept(int row, int maskAt);
  }

  private static void forMaskRows(int rows, Target target, MaskRow each) {
    for (int row = 0; row < rows; row++) {
      each.accept(row, target.maskPlace() + row * target.maskStride());
    }
  }

  private static CellFailure nullFailure(int cell) {
    return new CellFailure(cell, "must not be null without fill or mask: null");
  }

  private DataException failure(int row, CellFailure failure) {
    return new DataException(place().atRow(row), detail(failure.getMessage()), failure.getCause());
  }

  private DataException.Place place() {
    return DataException.Place.of(at).inColumn(plan.path());
  }

  private String detail(String message) {
    return "tensor " + plan.tensor() + ": " + message;
  }

  /** The names of columns, for messages. */
  static List<String> paths(List<ColumnPlan> plans) {
    return plans.stream().map(ColumnPlan::path).toList();
  }
}
