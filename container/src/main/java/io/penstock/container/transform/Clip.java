package io.penstock.container.transform;

/** The op {@code clip}, with its bounds in the form of the block. */
sealed interface Clip extends Step {
  /** Signed; a bound that is not there is the least or greatest number. */
  record Signed(long min, long max) implements Clip {
    @Override
    public void run(Block block) {
      long[] wholes = block.wholes;
      for (int i = 0; i < block.size; i++) {
        wholes[i] = Math.min(Math.max(wholes[i], min), max);
      }
    }
  }

  /** Unsigned; the bounds are bits. */
  record Unsigned(long min, long max) implements Clip {
    @Override
    public void run(Block block) {
      long[] wholes = block.wholes;
      long low = min + Long.MIN_VALUE;
      long high = max + Long.MIN_VALUE;
      for (int i = 0; i < block.size; i++) {
        wholes[i] = Math.min(Math.max(wholes[i] + Long.MIN_VALUE, low), high) + Long.MIN_VALUE;
      }
    }
  }

  /** All values lie on the same side of the bounds. */
  record Constant(Form form, long value) implements Clip {
    @Override
    public void run(Block block) {
      block.become(form);
      java.util.Arrays.fill(block.wholes, 0, block.size, value);
    }
  }

  /** Floats; not {@code Math.min}, for the sake of NaN and of zeros of either sign. */
  record Floats(double min, double max) implements Clip {
    @Override
    public void run(Block block) {
      double[] floats = block.floats;
      for (int i = 0; i < block.size; i++) {
        double v = floats[i];
        floats[i] = v < min ? min : v > max ? max : v;
      }
    }
  }
}
