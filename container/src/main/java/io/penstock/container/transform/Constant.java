package io.penstock.container.transform;

import java.util.Arrays;
import java.util.Optional;

/**
 * A value that the feed puts among a column's own: what {@code fill} and {@code pad} give.
 *
 * @param conversion what the column's own values go through first, so that both fit one form
 * @param form after that
 * @param whole its bits, for whole numbers
 * @param number for floats
 * @param constant its place among the constants, for bytes
 */
record Constant(
    Optional<Conversion> conversion, Form form, long whole, double number, int constant) {
  void convert(Block block) {
    if (conversion.isPresent()) {
      conversion.get().run(block);
    }
  }

  /** Puts it into cells, which from then on count as filled. */
  void put(Block block, int from, int to) {
    switch (form) {
      case WHOLE, UNSIGNED -> Arrays.fill(block.wholes, from, to, whole);
      case FLOAT -> Arrays.fill(block.floats, from, to, number);
      case BYTES -> Arrays.fill(block.refs, from, to, -1 - constant);
    }
    if (block.stated) {
      Arrays.fill(block.states, from, to, Block.FILLED);
    }
  }

  Fill fill() {
    return switch (form) {
      case WHOLE, UNSIGNED -> new Fill.Wholes(whole);
      case FLOAT -> new Fill.Floats(number);
      case BYTES -> new Fill.Bytes(constant);
    };
  }
}
