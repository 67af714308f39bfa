package io.penstock.container.transform;

import java.util.List;

/**
 * Steps one after the other, and the form that they lead to.
 *
 * @param constants bytes that the steps refer to
 */
record Steps(List<Step> steps, Form out, List<byte[]> constants) {
  Steps {
    steps = List.copyOf(steps);
    constants = List.copyOf(constants);
  }

  /**
   * @throws CellFailure on a cell that breaks a rule
   */
  void run(Block block) {
    for (int i = 0; i < steps.size(); i++) {
      steps.get(i).run(block);
    }
  }

  /** Whether nothing happens to a block in which every cell has a value. */
  boolean idleWithoutNulls() {
    return steps.stream().allMatch(Step::idleWithoutNulls);
  }
}
