package io.penstock.container.transform;

/**
 * One pass over a block: a value-by-value function, so cells can be rows, items or the entries of a
 * dictionary. Immutable; shared by all workers.
 */
interface Step {
  /**
   * @throws CellFailure on a cell that is not null and breaks the op's rule
   */
  void run(Block block);

  /** Whether it leaves a block alone in which every cell has a value. */
  default boolean idleWithoutNulls() {
    return false;
  }
}
