package io.penstock.history;

import io.penstock.coordination.records.Sums;
import io.penstock.model.Cursor;
import java.util.Objects;

/**
 * Sums over steps of one epoch that lie side by side: of one rank in a certificate file, of all
 * ranks where they were added up.
 *
 * @param from first step
 * @param to one past the last
 */
public record Block(long epoch, long from, long to, Sums sums) {
  public Block {
    Objects.requireNonNull(sums, "sums");
    if (epoch < 0 || from < 0 || to <= from) {
      throw new IllegalArgumentException(
          "must be 0 <= from < to: epoch=%d from=%d to=%d".formatted(epoch, from, to));
    }
  }

  /** Whether all of it was committed where {@code cursor} was. */
  boolean isBefore(Cursor cursor) {
    return epoch < cursor.epoch() || (epoch == cursor.epoch() && to <= cursor.step());
  }
}
