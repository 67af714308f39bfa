package io.penstock.container.transform;

/** Steps that change what values are without an op of their own in the feed. */
enum Conversion implements Step {
  /**
   * Whole numbers to float64 because an op is written with a float: those beyond &plusmn;2^53 are
   * refused.
   */
  EXACT {
    @Override
    public void run(Block block) {
      if (block.form == Form.FLOAT) {
        return;
      }
      long[] wholes = block.wholes;
      boolean unsigned = block.form == Form.UNSIGNED;
      for (int i = 0; i < block.size; i++) {
        long v = wholes[i];
        if (v > LIMIT || v < (unsigned ? 0 : -LIMIT)) {
          if (!block.isNull(i)) {
            throw new CellFailure(
                i,
                "must be within -2^53..2^53 where an op is written with a float: " + block.text(i));
          }
        }
      }
      NEAREST.run(block);
    }
  },

  /** Whole numbers to the nearest float64. */
  NEAREST {
    @Override
    public void run(Block block) {
      if (block.form == Form.FLOAT) {
        return;
      }
      Form from = block.form;
      long[] wholes = block.wholes;
      block.become(Form.FLOAT);
      double[] floats = block.floats;
      if (from == Form.WHOLE) {
        for (int i = 0; i < block.size; i++) {
          floats[i] = wholes[i];
        }
      } else {
        for (int i = 0; i < block.size; i++) {
          floats[i] = unsignedToDouble(wholes[i]);
        }
      }
    }
  },

  /** Unsigned to signed, for an op with a number below 0. */
  SIGNED {
    @Override
    public void run(Block block) {
      refuseTopBit(block, "must be < 2^63 beside an op's number below 0: ");
      block.become(Form.WHOLE);
    }
  },

  /** Signed to unsigned, for an op with a number of 2^63 or more. */
  UNSIGNED {
    @Override
    public void run(Block block) {
      refuseTopBit(block, "must be >= 0 beside an op's number of 2^63 or more: ");
      block.become(Form.UNSIGNED);
    }
  };

  private static final long LIMIT = 1L << 53;

  private static void refuseTopBit(Block block, String constraint) {
    for (int i = 0; i < block.size; i++) {
      if (block.wholes[i] < 0 && !block.isNull(i)) {
        throw new CellFailure(i, constraint + block.text(i));
      }
    }
  }

  /** The float64 nearest to an unsigned number. */
  static double unsignedToDouble(long bits) {
    // Halved with the lost bit kept as a sticky one, so that the only rounding is the right one.
    return bits >= 0 ? (double) bits : (double) (bits >>> 1 | bits & 1) * 2.0;
  }

  /** The float32 nearest to an unsigned number. */
  static float unsignedToFloat(long bits) {
    return bits >= 0 ? (float) bits : (float) (bits >>> 1 | bits & 1) * 2.0f;
  }
}
