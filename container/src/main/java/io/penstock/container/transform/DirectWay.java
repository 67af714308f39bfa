package io.penstock.container.transform;

import io.penstock.container.tensors.Column;
import io.penstock.container.tensors.Values;
import io.penstock.model.ColumnType.Kind;
import io.penstock.model.DType;
import java.util.Arrays;
import java.util.Optional;

/**
 * The file's type is the tensor's and no op changes a value: values are copied, and the bytes that
 * null becomes, worked out once, are put where it is.
 */
final class DirectWay implements Way {
  private final ColumnPlan plan;
  private final CellWriter writer;
  private final byte[] nullBytes;

  private Column column;
  private ColumnPlace place;
  private boolean nullRefused;

  DirectWay(ColumnPlan plan) {
    this.plan = plan;
    writer = new CellWriter(plan.dtype(), plan.nulls());
    nullBytes = new byte[plan.dtype().bytes()];
  }

  /** Takes up a column if this way can do it. */
  boolean begin(Column newColumn, ColumnPlace newPlace, Chain chain, ListCells lists, Block block) {
    if (!chain.itemOps().idleWithoutNulls()
        || newColumn.type().kind() == Kind.DECIMAL
        || !sameType(newColumn.values(), chain.loading().form())
        || (!newColumn.lists().isEmpty() && !lists.allStraight(newColumn))
        || !makeNullBytes(chain, block)) {
      return false;
    }
    column = newColumn;
    place = newPlace;
    return true;
  }

  /** The file's own array, if every value of it goes as it is into a float32 tensor. */
  Optional<float[]> floats() {
    return column.valid() == null && column.values() instanceof Values.Floats floats
        ? Optional.of(floats.array())
        : Optional.empty();
  }

  private boolean sameType(Values values, Form form) {
    DType dtype = plan.dtype();
    return (values instanceof Values.Floats && dtype == DType.FLOAT32)
        || (values instanceof Values.Doubles && dtype == DType.FLOAT64)
        || (values instanceof Values.Ints && (dtype == DType.INT32 || dtype == DType.INT64))
        || (values instanceof Values.Longs && dtype == DType.INT64 && form == Form.WHOLE);
  }

  /** False if what fills nulls can't be cast. */
  private boolean makeNullBytes(Chain chain, Block block) {
    block.reset(chain.loading().form(), 1);
    block.state();
    block.states[0] = Block.NULL;
    ItemOps ops = chain.itemOps();
    ops.before().run(block);
    ops.after().run(block);
    nullRefused = block.isNull(0) && plan.nulls() == ColumnPlan.Nulls.REFUSED;
    if (!nullRefused) {
      try {
        writer.write(block, nullBytes, 0, null, 0);
      } catch (CellFailure e) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void write(int from, int to, byte[] out, int at, byte[] mask, int maskAt) {
    int first = from * plan.cells();
    int count = (to - from) * plan.cells();
    Values values = column.values();
    if (values instanceof Values.Floats floats) {
      Cast.storeFloats(floats.array(), first, count, out, at);
    } else if (values instanceof Values.Doubles doubles) {
      Cast.storeDoubles(doubles.array(), first, count, out, at);
    } else if (values instanceof Values.Longs longs) {
      Cast.storeLongs(longs.array(), first, count, out, at);
    } else if (values instanceof Values.Ints ints && plan.dtype() == DType.INT32) {
      Cast.storeInts(ints.array(), first, count, out, at);
    } else if (values instanceof Values.Ints ints) {
      Cast.storeLongs(ints.array(), first, count, out, at);
    } else {
      throw new IllegalStateException(values.toString());
    }
    if (column.valid() != null) {
      putNulls(first, count, out, at);
    }
    if (mask != null && column.valid() == null) {
      Arrays.fill(mask, maskAt, maskAt + count, (byte) 1);
    } else if (mask != null) {
      for (int i = 0; i < count; i++) {
        mask[maskAt + i] = (byte) (column.valid()[first + i] ? 1 : 0);
      }
    }
  }

  private void putNulls(int first, int count, byte[] out, int at) {
    boolean[] valid = column.valid();
    boolean wide = nullBytes.length == Long.BYTES;
    int narrowNull = wide ? 0 : (int) Cast.INT.get(nullBytes, 0);
    long wideNull = wide ? (long) Cast.LONG.get(nullBytes, 0) : 0;
    for (int i = 0; i < count; i++) {
      if (!valid[first + i]) {
        if (nullRefused) {
          throw place.failure((first + i) / plan.cells(), CellWriter.NULL_REFUSED, null);
        }
        if (wide) {
          Cast.LONG.set(out, at + i * Long.BYTES, wideNull);
        } else {
          Cast.INT.set(out, at + i * Integer.BYTES, narrowNull);
        }
      }
    }
  }
}
