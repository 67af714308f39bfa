package io.penstock.coordination.records;

import io.penstock.model.Cursor;
import java.util.Objects;

/**
 * A promise of a rank that every step before {@code cursor} is done for good.
 *
 * @param cursor the next step after the committed one: commit(e, t) makes it (e, t+1), or (e+1, 0)
 *     after the epoch's last step
 * @param sums what this rank delivered in this generation of the epoch {@code cursor.epoch()}, up
 *     to the cursor; {@link Sums#NONE} at an epoch's beginning. Those of the epochs before are in
 *     {@link RankProgress#epochs()}
 */
public record Commit(Cursor cursor, Sums sums) {
  public Commit {
    Objects.requireNonNull(cursor, "cursor");
    Objects.requireNonNull(sums, "sums");
  }
}
