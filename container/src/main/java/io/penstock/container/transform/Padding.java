package io.penstock.container.transform;

import java.util.List;

/**
 * The op {@code pad}.
 *
 * @param lengths by list axis, outermost first
 */
record Padding(List<Integer> lengths, Constant value) {
  /** Puts the value into a block's cells of padding. */
  void run(ListCells lists, Block cells) {
    value.convert(cells);
    if (lists.straight) {
      return;
    }
    int perRun = lists.perRun();
    for (int k = 0; k < lists.runs; k++) {
      int count = lists.counts[k];
      if (count != ListCells.NULL && count < perRun) {
        value.put(cells, k * perRun + count, (k + 1) * perRun);
      }
    }
  }
}
