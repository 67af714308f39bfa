package io.penstock.container.transform;

import io.penstock.model.DType;

/** The end of every way: nulls, the cast, and the mask. */
record CellWriter(DType dtype, ColumnPlan.Nulls nulls) {
  static final String NULL_REFUSED = "must not be null without fill or mask: null";

  /**
   * Writes all cells of a block one after the other; the block's values are undefined afterwards.
   *
   * @param mask gets a byte a cell, 1 where the file had a value; or null
   * @throws CellFailure if a cell can't be cast, or is null and must not be
   */
  void write(Block block, byte[] out, int at, byte[] mask, int maskAt) {
    if (block.stated) {
      settleNulls(block);
    }
    Cast.prepare(block, dtype);
    Cast.store(block, dtype, out, at);
    if (mask != null) {
      for (int i = 0; i < block.size; i++) {
        boolean value = !block.stated || block.states[i] == Block.VALUE;
        mask[maskAt + i] = (byte) (value ? 1 : 0);
      }
    }
  }

  private void settleNulls(Block block) {
    byte[] states = block.states;
    boolean floats = block.form == Form.FLOAT;
    for (int i = 0; i < block.size; i++) {
      if (states[i] == Block.NULL) {
        if (nulls == ColumnPlan.Nulls.REFUSED) {
          throw new CellFailure(i, NULL_REFUSED);
        }
        if (floats) {
          block.floats[i] = 0;
        } else {
          block.wholes[i] = 0;
        }
      }
    }
  }
}
