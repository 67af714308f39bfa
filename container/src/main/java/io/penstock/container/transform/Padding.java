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
    if (!lists.straight) {
      for (int i = 0; i < cells.size; i++) {
        if (lists.sources[i] == ListCells.PAD) {
          value.put(cells, i);
        }
      }
    }
  }
}
