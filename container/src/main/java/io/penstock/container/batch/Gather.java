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
 * cache level when they are read once more.
 *
 * <h2>Values digest</h2>
 *
 * What a row counts in it does not depend on where the row is delivered, so it comes with the row
 * group, worked out when that was decoded. One row in {@value #CHECKED} is hashed in the slot, at
 * another place in every step, and must count the same: that ties the digest to what is delivered,
 * and finds a row that was changed in memory or taken from the wrong place. Rows that are not
 * valid, and those of a row group that came without, are all hashed. Bytes are read back from the
 * slot into an array, where hashing them is several times as fast as in direct memory.
 */
final class Gather implements Work<StepItem, Slot> {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bytes of a tile, about: it lies in the first cache level twice, in the slot and read back. */
  private static final int TILE_BYTES = 1 << 14;

  /** Of so many rows one is hashed again. */
  private static final int CHECKED = 64;

  private final RankPlan plan;
  private final ValuesDigest valuesDigest;
  private final long[] numbers;
  private final long[] values;
  private final long[] again = new long[1];

  // For the layout of the slots that were filled last.
  private SlotLayout layout;
  private int tileRows;
  private int[] rowBytes;
  private int[] pieceOf;
  private int[] rowOf;
  private byte[] readBack;

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
        fill(slot, item, s, origins);
        Segment segment = item.segments().get(s);
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

  private void fill(Slot slot, StepItem item, int number, int[] origins) {
    Segment segment = item.segments().get(number);
    LoadedWindow window = item.window(number);
    int pieces = window.order().pieces();
    byte[][][] blocks = new byte[rowBytes.length][pieces][];
    byte[][] rowValues = new byte[pieces][];
    int[] firstRows = new int[pieces];
    long[] firstNumbers = new long[pieces];
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
      firstNumbers[p] = plan.plan().firstRowOf(window.order().piece(p).rowGroup());
      valid[p] = segment.valid() && piece.tensors().quarantined().isEmpty();
      rowValues[p] = valid[p] ? piece.tensors().rowValues().orElse(null) : null;
      origin[p] = piece.origin().ordinal();
    }
    for (int done = 0; done < segment.rows(); done += tileRows) {
      int rows = Math.min(tileRows, segment.rows() - done);
      int from = segment.from() + done;
      window.order().locate(from, from + rows, pieceOf, rowOf, 0);
      int at = segment.at() + done;
      for (int i = 0; i < rows; i++) {
        int piece = pieceOf[i];
        numbers[at + i] = firstNumbers[piece] + rowOf[i];
        rowOf[i] -= firstRows[piece];
        slot.memory().put(layout.validOffset() + at + i, (byte) (valid[piece] ? 1 : 0));
        if (valid[piece]) {
          origins[origin[piece]]++;
        }
      }
      boolean known = valuesDigest == ValuesDigest.ON && takeValues(at, rows, rowValues);
      for (int k = 0; k < rowBytes.length; k++) {
        copy(slot.memory(), k, at, rows, blocks[k]);
      }
      if (known) {
        check(item, slot.memory(), at, rows);
      } else if (valuesDigest == ValuesDigest.ON) {
        for (int i = 0; i < rows; i++) {
          values[at + i] = valid[pieceOf[i]] ? RowValue.VALID : RowValue.NOT_VALID;
        }
        hash(slot.memory(), at, rows, values, at);
      }
    }
  }

  /**
   * Puts into {@code values} what the tile's rows count, if all of them came with it. This is done
   * before they are copied, as memory then answers for both at once.
   */
  private boolean takeValues(int at, int rows, byte[][] rowValues) {
    for (int i = 0; i < rows; i++) {
      byte[] ofPiece = rowValues[pieceOf[i]];
      if (ofPiece == null) {
        return false;
      }
      values[at + i] = RowValue.at(ofPiece, rowOf[i]);
    }
    return true;
  }

  /** Compares what some of the tile's rows count with what lies in the slot. */
  private void check(StepItem item, ByteBuffer memory, int at, int rows) {
    for (int i = Math.floorMod(item.step() - at, CHECKED); i < rows; i += CHECKED) {
      again[0] = RowValue.VALID;
      hash(memory, at + i, 1, again, 0);
      if (again[0] != values[at + i]) {
        throw new IllegalStateException(
            "epoch %d step %d position %d: row %d of the dataset was changed between loading and delivery"
                .formatted(
                    item.epoch(),
                    item.step(),
                    plan.firstPosition(item.step()) + at + i,
                    numbers[at + i]));
      }
    }
  }

  /** Takes the slot's bytes of consecutive rows into {@code into[from .. from+rows-1]}. */
  private void hash(ByteBuffer memory, int at, int rows, long[] into, int from) {
    for (int k = 0; k < rowBytes.length; k++) {
      int bytes = rowBytes[k];
      memory.get(layout.offset(k) + at * bytes, readBack, 0, rows * bytes);
      RowValue.next(into, from, rows, readBack, 0, bytes, k);
    }
  }

  private void copy(ByteBuffer memory, int tensor, int at, int rows, byte[][] blocks) {
    int bytes = rowBytes[tensor];
    int to = layout.offset(tensor) + at * bytes;
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
        for (int i = 0; i < rows; i++, to += bytes) {
          memory.put(to, blocks[pieceOf[i]], rowOf[i] * bytes, bytes);
        }
      }
    }
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
