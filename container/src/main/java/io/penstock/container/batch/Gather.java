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
import io.penstock.plan.DigestSums;
import io.penstock.plan.RankPlan;
import io.penstock.plan.RowValue;
import io.penstock.plan.Segment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Fills slots on one worker thread: for every tensor one copy of a row's bytes a row, from the
 * block of the row's piece to the row's place in the slot; then the row numbers, positions and the
 * digests of what was filled in.
 *
 * <h2>Tiles</h2>
 *
 * Rows are taken a few at a time, all tensors of them, so that their bytes are still in the first
 * cache level when they are hashed. The values digest is that of the slot's bytes: a tile is read
 * back from there into an array, where hashing it is several times as fast as in direct memory.
 */
final class Gather implements Work<StepItem, Slot> {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bytes of a tile, about: it lies in the first cache level twice, in the slot and read back. */
  private static final int TILE_BYTES = 1 << 14;

  private static final int CACHE_LINE = 64;

  private final RankPlan plan;
  private final ValuesDigest valuesDigest;
  private final long[] numbers;
  private final long[] values;

  // For the layout of the slots that were filled last.
  private SlotLayout layout;
  private int tileRows;
  private int[] rowBytes;
  private int[] pieceOf;
  private int[] rowOf;
  private byte[] readBack;

  /** Keeps the loads that only bring rows into the cache from being dropped. */
  private int touched;

  Gather(RankPlan plan, ValuesDigest valuesDigest) {
    this.plan = plan;
    this.valuesDigest = valuesDigest;
    int rows = plan.rowsPerStep();
    this.numbers = new long[rows];
    this.values = new long[rows];
  }

  @Override
  public Slot apply(StepItem item, Reservation held) {
    try (item) {
      Slot slot = item.slot();
      prepare(slot.layout());
      int padding = 0;
      int[] origins = new int[Origin.values().length];
      for (int s = 0; s < item.segments().size(); s++) {
        Segment segment = item.segments().get(s);
        fill(slot, segment, item.window(s), origins);
        if (!segment.valid()) {
          padding += segment.rows();
        }
      }
      slot.stamp(record(item, slot, padding, origins));
      return slot;
    }
  }

  private void prepare(SlotLayout newLayout) {
    if (newLayout == layout) {
      return;
    }
    layout = newLayout;
    rowBytes = layout.tensors().stream().mapToInt(spec -> spec.rowBytes()).toArray();
    long all = 0;
    int most = 0;
    for (int bytes : rowBytes) {
      all += bytes;
      most = Math.max(most, bytes);
    }
    tileRows = (int) Math.max(1, Math.min(layout.rows(), TILE_BYTES / Math.max(1, all)));
    pieceOf = new int[tileRows];
    rowOf = new int[tileRows];
    readBack = new byte[valuesDigest == ValuesDigest.ON ? tileRows * most : 0];
  }

  private void fill(Slot slot, Segment segment, LoadedWindow window, int[] origins) {
    int pieces = window.order().pieces();
    byte[][][] blocks = new byte[rowBytes.length][pieces][];
    int[] firstRows = new int[pieces];
    boolean[] valid = new boolean[pieces];
    int[] origin = new int[pieces];
    for (int p = 0; p < pieces; p++) {
      LoadedPiece piece = window.piece(p);
      if (piece == null) {
        continue;
      }
      for (int k = 0; k < rowBytes.length; k++) {
        blocks[k][p] = piece.tensors().blocks()[k];
      }
      firstRows[p] = piece.firstRow();
      valid[p] = segment.valid() && piece.tensors().quarantined().isEmpty();
      origin[p] = piece.origin().ordinal();
    }
    window.order().catalogRows(segment.from(), segment.to(), numbers, segment.at());
    for (int done = 0; done < segment.rows(); done += tileRows) {
      int rows = Math.min(tileRows, segment.rows() - done);
      int from = segment.from() + done;
      window.order().locate(from, from + rows, pieceOf, rowOf, 0);
      int at = segment.at() + done;
      for (int i = 0; i < rows; i++) {
        int piece = pieceOf[i];
        rowOf[i] -= firstRows[piece];
        slot.memory().put(layout.validOffset() + at + i, (byte) (valid[piece] ? 1 : 0));
        values[at + i] = valid[piece] ? RowValue.VALID : RowValue.NOT_VALID;
        if (valid[piece]) {
          origins[origin[piece]]++;
        }
      }
      for (int k = 0; k < rowBytes.length; k++) {
        copy(slot.memory(), k, at, rows, blocks[k]);
      }
    }
  }

  private void copy(ByteBuffer memory, int tensor, int at, int rows, byte[][] blocks) {
    int bytes = rowBytes[tensor];
    int first = layout.offset(tensor) + at * bytes;
    int to = first;
    switch (bytes) {
      case 1 -> {
        for (int i = 0; i < rows; i++, to++) {
          memory.put(to, blocks[pieceOf[i]][rowOf[i]]);
        }
      }
      case Integer.BYTES -> {
        for (int i = 0; i < rows; i++, to += Integer.BYTES) {
          memory.putInt(to, (int) INTS.get(blocks[pieceOf[i]], rowOf[i] * Integer.BYTES));
        }
      }
      case Long.BYTES -> {
        for (int i = 0; i < rows; i++, to += Long.BYTES) {
          memory.putLong(to, (long) LONGS.get(blocks[pieceOf[i]], rowOf[i] * Long.BYTES));
        }
      }
      default -> {
        touch(bytes, rows, blocks);
        for (int i = 0; i < rows; i++, to += bytes) {
          memory.put(to, blocks[pieceOf[i]], rowOf[i] * bytes, bytes);
        }
      }
    }
    if (valuesDigest == ValuesDigest.ON) {
      memory.get(first, readBack, 0, rows * bytes);
      RowValue.next(values, at, rows, readBack, 0, bytes, tensor);
    }
  }

  /**
   * Loads a number of every cache line of the tile's rows. They lie all over a window's memory, and
   * these loads, unlike copies one after the other, wait for it together.
   */
  private void touch(int bytes, int rows, byte[][] blocks) {
    int sum = 0;
    for (int i = 0; i < rows; i++) {
      byte[] block = blocks[pieceOf[i]];
      int from = rowOf[i] * bytes;
      for (int at = from; at < from + bytes; at += CACHE_LINE) {
        sum += block[at];
      }
    }
    touched += sum;
  }

  private StepRecord record(StepItem item, Slot slot, int padding, int[] origins) {
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
