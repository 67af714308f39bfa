package io.penstock.container.batch;

import io.penstock.container.load.LoadedPiece;
import io.penstock.container.load.LoadedWindow;
import io.penstock.container.ordered.Reservation;
import io.penstock.container.ordered.Work;
import io.penstock.container.slots.Slot;
import io.penstock.container.slots.SlotLayout;
import io.penstock.container.slots.StepRecord;
import io.penstock.container.tensors.RowGroupSource.Origin;
import io.penstock.model.Digest128;
import io.penstock.model.TensorSpec;
import io.penstock.plan.DigestSums;
import io.penstock.plan.RankPlan;
import io.penstock.plan.RowValue;
import io.penstock.plan.Segment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Fills slots on one worker thread: for every tensor one copy of a row's bytes a row, from the
 * block of the row's piece to the row's place in the slot; then the row numbers, positions and the
 * digests of what was filled in.
 */
final class Gather implements Work<StepItem, Slot> {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final RankPlan plan;
  private final ValuesDigest valuesDigest;
  private final int[] pieceOf;
  private final int[] rowOf;
  private final long[] numbers;
  private final long[] values;

  Gather(RankPlan plan, ValuesDigest valuesDigest) {
    this.plan = plan;
    this.valuesDigest = valuesDigest;
    int rows = plan.rowsPerStep();
    this.pieceOf = new int[rows];
    this.rowOf = new int[rows];
    this.numbers = new long[rows];
    this.values = new long[rows];
  }

  @Override
  public Slot apply(StepItem item, Reservation held) {
    try (item) {
      Slot slot = item.slot();
      int padding = 0;
      int[] origins = new int[Origin.values().length];
      for (int s = 0; s < item.segments().size(); s++) {
        Segment segment = item.segments().get(s);
        LoadedWindow window = item.window(s);
        window.order().locate(segment.from(), segment.to(), pieceOf, rowOf, segment.at());
        window.order().catalogRows(segment.from(), segment.to(), numbers, segment.at());
        copyRows(slot, segment, window);
        markValid(slot, segment, window, origins);
        if (!segment.valid()) {
          padding += segment.rows();
        }
      }
      slot.stamp(record(item, slot, padding, origins));
      return slot;
    }
  }

  private void copyRows(Slot slot, Segment segment, LoadedWindow window) {
    SlotLayout layout = slot.layout();
    ByteBuffer memory = slot.memory();
    int pieces = window.order().pieces();
    byte[][] blocks = new byte[pieces][];
    int[] firstRows = new int[pieces];
    List<TensorSpec> tensors = layout.tensors();
    for (int k = 0; k < tensors.size(); k++) {
      for (int p = 0; p < pieces; p++) {
        LoadedPiece piece = window.piece(p);
        blocks[p] = piece == null ? null : piece.tensors().blocks()[k];
        firstRows[p] = piece == null ? 0 : piece.firstRow();
      }
      int rowBytes = tensors.get(k).rowBytes();
      int to = layout.offset(k) + segment.at() * rowBytes;
      int end = segment.at() + segment.rows();
      switch (rowBytes) {
        case 1 -> {
          for (int i = segment.at(); i < end; i++, to++) {
            int piece = pieceOf[i];
            memory.put(to, blocks[piece][rowOf[i] - firstRows[piece]]);
          }
        }
        case Integer.BYTES -> {
          for (int i = segment.at(); i < end; i++, to += Integer.BYTES) {
            int piece = pieceOf[i];
            int from = (rowOf[i] - firstRows[piece]) * Integer.BYTES;
            memory.putInt(to, (int) INTS.get(blocks[piece], from));
          }
        }
        case Long.BYTES -> {
          for (int i = segment.at(); i < end; i++, to += Long.BYTES) {
            int piece = pieceOf[i];
            int from = (rowOf[i] - firstRows[piece]) * Long.BYTES;
            memory.putLong(to, (long) LONGS.get(blocks[piece], from));
          }
        }
        default -> {
          for (int i = segment.at(); i < end; i++, to += rowBytes) {
            int piece = pieceOf[i];
            memory.put(to, blocks[piece], (rowOf[i] - firstRows[piece]) * rowBytes, rowBytes);
          }
        }
      }
    }
  }

  private void markValid(Slot slot, Segment segment, LoadedWindow window, int[] origins) {
    ByteBuffer memory = slot.memory();
    int at = slot.layout().validOffset();
    for (int i = segment.at(); i < segment.at() + segment.rows(); i++) {
      LoadedPiece piece = window.piece(pieceOf[i]);
      boolean valid = segment.valid() && piece.tensors().quarantined().isEmpty();
      memory.put(at + i, (byte) (valid ? 1 : 0));
      values[i] = valid ? RowValue.VALID : RowValue.NOT_VALID;
      if (valid) {
        origins[piece.origin().ordinal()]++;
      }
    }
  }

  private StepRecord record(StepItem item, Slot slot, int padding, int[] origins) {
    SlotLayout layout = slot.layout();
    ByteBuffer memory = slot.memory();
    int rows = layout.rows();
    long first = plan.firstPosition(item.step());
    for (int i = 0; i < rows; i++) {
      memory.putLong(layout.rowOffset() + i * Long.BYTES, numbers[i]);
      memory.putLong(layout.positionOffset() + i * Long.BYTES, first + i);
    }
    DigestSums order = new DigestSums(item.epoch());
    order.add(first, numbers, 0, rows);
    Digest128 digest = Digest128.ZERO;
    if (valuesDigest == ValuesDigest.ON) {
      List<TensorSpec> tensors = layout.tensors();
      for (int k = 0; k < tensors.size(); k++) {
        RowValue.next(values, 0, rows, memory, layout.offset(k), tensors.get(k).rowBytes(), k);
      }
      DigestSums sums = new DigestSums(item.epoch());
      sums.add(first, values, 0, rows);
      digest = sums.digest();
    }
    return new StepRecord(
        item.epoch(),
        item.step(),
        first,
        rows,
        padding,
        origins[Origin.STORAGE.ordinal()],
        origins[Origin.CACHE.ordinal()],
        order.digest(),
        digest);
  }
}
