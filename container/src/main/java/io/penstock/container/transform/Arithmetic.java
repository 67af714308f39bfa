package io.penstock.container.transform;

/** Ops from float64 to float64; whole numbers are first converted by {@link Conversion#NEAREST}. */
sealed interface Arithmetic extends Step {
  /** {@code log1p}. */
  record Log1p() implements Arithmetic {
    @Override
    public void run(Block block) {
      double[] floats = block.floats;
      for (int i = 0; i < block.size; i++) {
        floats[i] = Logarithm.log1p(floats[i]);
      }
    }
  }

  /** {@code standardize} of one column. */
  record Standardize(double mean, double std) implements Arithmetic {
    @Override
    public void run(Block block) {
      double[] floats = block.floats;
      for (int i = 0; i < block.size; i++) {
        floats[i] = (floats[i] - mean) / std;
      }
    }
  }
}
