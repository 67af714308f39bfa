package io.penstock.container.transform;

/** The op {@code fill}, with its value in the form of the block. */
sealed interface Fill extends Step {
  /** Null becomes a whole number. */
  record Wholes(long value) implements Fill {
    @Override
    public void run(Block block) {
      if (!block.stated) {
        return;
      }
      for (int i = 0; i < block.size; i++) {
        if (block.states[i] == Block.NULL) {
          block.wholes[i] = value;
          block.states[i] = Block.FILLED;
        }
      }
    }

    @Override
    public boolean idleWithoutNulls() {
      return true;
    }
  }

  /** Null becomes a float. */
  record Floats(double value) implements Fill {
    @Override
    public void run(Block block) {
      if (!block.stated) {
        return;
      }
      for (int i = 0; i < block.size; i++) {
        if (block.states[i] == Block.NULL) {
          block.floats[i] = value;
          block.states[i] = Block.FILLED;
        }
      }
    }

    @Override
    public boolean idleWithoutNulls() {
      return true;
    }
  }

  /** NaN becomes a float; what was NaN had a value, so its state stays. */
  record NotANumber(double value) implements Fill {
    @Override
    public void run(Block block) {
      double[] floats = block.floats;
      for (int i = 0; i < block.size; i++) {
        double v = floats[i];
        floats[i] = v != v ? value : v;
      }
    }
  }

  /** Null becomes a constant of the block. */
  record Bytes(int constant) implements Fill {
    @Override
    public void run(Block block) {
      if (!block.stated) {
        return;
      }
      for (int i = 0; i < block.size; i++) {
        if (block.states[i] == Block.NULL) {
          block.refs[i] = -1 - constant;
          block.states[i] = Block.FILLED;
        }
      }
    }

    @Override
    public boolean idleWithoutNulls() {
      return true;
    }
  }
}
