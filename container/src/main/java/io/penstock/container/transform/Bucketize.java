package io.penstock.container.transform;

/** The op {@code bucketize}: how many bounds are at most the value. */
sealed interface Bucketize extends Step {
  /** Whole bounds on whole numbers: exact; {@code below} more bounds are under all of them. */
  record Signed(int below, long[] bounds) implements Bucketize {
    @Override
    public void run(Block block) {
      long[] wholes = block.wholes;
      for (int i = 0; i < block.size; i++) {
        wholes[i] = below + atMost(bounds, wholes[i]);
      }
    }

    static int atMost(long[] bounds, long value) {
      int low = 0;
      int high = bounds.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (bounds[middle] <= value) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /** Whole bounds on unsigned numbers: exact; {@code shifted} by 2^63 so that they compare. */
  record Unsigned(int below, long[] shifted) implements Bucketize {
    @Override
    public void run(Block block) {
      long[] wholes = block.wholes;
      for (int i = 0; i < block.size; i++) {
        wholes[i] = below + Signed.atMost(shifted, wholes[i] + Long.MIN_VALUE);
      }
      block.become(Form.WHOLE);
    }
  }

  /** Floats, in NumPy's order: NaN after everything. */
  record Floats(double[] bounds) implements Bucketize {
    @Override
    public void run(Block block) {
      double[] floats = block.floats;
      block.become(Form.WHOLE);
      for (int i = 0; i < block.size; i++) {
        block.wholes[i] = atMost(floats[i]);
      }
    }

    private int atMost(double value) {
      if (value != value) {
        return bounds.length;
      }
      int low = 0;
      int high = bounds.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (bounds[middle] <= value) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
