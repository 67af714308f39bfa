package io.penstock.container.slots;

import io.penstock.model.DType;
import io.penstock.model.TensorSpec;
import io.penstock.model.UsageException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a rank's share of one global batch lies in a slot.
 *
 * <pre>
 *   tensor 0    [rows, item shape]   as the feed lists them, each mask right after its tensor
 *   tensor 1    ...
 *   valid       bool  [rows]         false for padding and for rows of a quarantined row group
 *   row         int64 [rows]         the row's number in catalog order
 *   position    int64 [rows]         the row's position in the epoch
 * </pre>
 *
 * Every part is row-major, little-endian and starts at a multiple of {@value #ALIGNMENT} bytes.
 */
public final class SlotLayout {
  /** Names of the parts that every batch has beside the feed's tensors. */
  public static final String VALID = "valid";

  public static final String ROW = "row";
  public static final String POSITION = "position";

  /** One cache line, and what vector loads and CUDA's copies like best. */
  public static final int ALIGNMENT = 64;

  private final List<TensorSpec> tensors;
  private final List<TensorSpec> parts;
  private final int rows;
  private final int[] offsets;
  private final int bytes;

  /**
   * @param tensors the feed's tensors, masks included
   * @param rows rows of one rank's batch, &gt;= 1
   * @throws UsageException if a slot would take 2 GiB or more
   */
  public SlotLayout(List<TensorSpec> tensors, int rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("must be >= 1: rows=" + rows);
    }
    this.tensors = List.copyOf(tensors);
    this.rows = rows;
    List<TensorSpec> all = new ArrayList<>(tensors);
    all.add(new TensorSpec(VALID, DType.BOOL, List.of()));
    all.add(new TensorSpec(ROW, DType.INT64, List.of()));
    all.add(new TensorSpec(POSITION, DType.INT64, List.of()));
    this.parts = List.copyOf(all);
    this.offsets = new int[parts.size()];
    long at = 0;
    for (int k = 0; k < offsets.length; k++) {
      offsets[k] = Math.toIntExact(at);
      at += (long) rows * parts.get(k).rowBytes();
      at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      if (at > Integer.MAX_VALUE - ALIGNMENT) {
        throw new UsageException(
            "a rank's batch must take < 2^31 bytes: rows=" + rows + " bytes>=" + at);
      }
    }
    this.bytes = Math.toIntExact(at);
  }

  /** The feed's tensors, masks included. */
  public List<TensorSpec> tensors() {
    return tensors;
  }

  /** The feed's tensors, then {@code valid}, {@code row} and {@code position}. */
  public List<TensorSpec> parts() {
    return parts;
  }

  /** Rows of one rank's batch. */
  public int rows() {
    return rows;
  }

  /** Bytes of a slot. */
  public int bytes() {
    return bytes;
  }

  /** First byte of part k of {@link #parts()}. */
  public int offset(int part) {
    return offsets[part];
  }

  /** Bytes of part k of {@link #parts()}, without what aligns the next one. */
  public int length(int part) {
    return rows * parts.get(part).rowBytes();
  }

  public int validOffset() {
    return offsets[tensors.size()];
  }

  public int rowOffset() {
    return offsets[tensors.size() + 1];
  }

  public int positionOffset() {
    return offsets[tensors.size() + 2];
  }

  /**
   * The place of a part in {@link #parts()}.
   *
   * @throws UsageException if there is none of that name
   */
  public int indexOf(String name) {
    List<String> names = new ArrayList<>();
    for (int k = 0; k < parts.size(); k++) {
      if (parts.get(k).name().equals(name)) {
        return k;
      }
      names.add(parts.get(k).name());
    }
    throw new UsageException("no tensor '" + name + "' in the batch; it has " + names);
  }
}
